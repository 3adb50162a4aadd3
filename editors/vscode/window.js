// The picture of the README: the packed extension in a real window of VS Code's own code, served to a headless browser.
//     npm install code-server playwright-core              (in a folder elsewhere; code-server asks for a version of node)
//     code-server --install-extension desc.vsix            (made by pack.sh)
//     code-server --auth none --bind-addr 127.0.0.1:8931 FOLDER
//     CHROMIUM=/usr/bin/chromium node window.js http://127.0.0.1:8931/ FOLDER/doorbell.des screenshot.png
// `desc` must be on the PATH of code-server.
"use strict";

const path = require("node:path");
const { chromium } = require("playwright-core");

async function main(address, file, picture) {
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ["--no-sandbox", "--disable-gpu"] });
  const page = await browser.newPage({ viewport: { width: 1300, height: 640 } });
  await page.goto(`${address}?folder=${path.dirname(file)}`);
  await page.locator(`.explorer-folders-view .monaco-list-row:has-text("${path.basename(file)}")`).first().dblclick();
  await page.locator(".view-line .squiggly-error, .squiggly-error").first().waitFor();
  const command = async (name) => {
    await page.keyboard.press("F1");
    await page.keyboard.type(name);
    await page.locator(`.quick-input-list .monaco-list-row:has-text("${name}")`).first().click();
    await page.waitForTimeout(2000);
  };
  await command("View: Close Primary Side Bar");
  await command("desc: Show Graph");
  await command("View: Focus First Editor Group");
  await command("Problems: Focus on Problems View");
  await page.screenshot({ path: picture });
  await browser.close();
}

main(...process.argv.slice(2));
