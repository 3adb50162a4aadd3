// Visits the site that `docs/build.sh` built, in Chromium: every model of the manual has a link that opens it in the page, every page loads
// only what is its own, and the casebook's models are pages.
import { chromium } from "playwright-core";
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join } from "node:path";

const book = join(import.meta.dirname, "../../docs/book");
const kinds = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".json": "application/json", ".wasm": "application/wasm", ".svg": "image/svg+xml", ".png": "image/png", ".woff2": "font/woff2" };
const server = createServer((request, response) => {
  const file = join(book, decodeURIComponent(new URL(request.url, "http://x").pathname));
  if (!file.startsWith(book) || !existsSync(file) || !statSync(file).isFile()) { response.writeHead(404).end(); return; }
  response.writeHead(200, { "Content-Type": kinds[extname(file)] ?? "application/octet-stream" }).end(readFileSync(file));
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const own = `http://127.0.0.1:${server.address().port}/`;

const executable = process.env.CHROMIUM ?? ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find((path) => existsSync(path));
const browser = await chromium.launch({ executablePath: executable, args: ["--no-sandbox"] });
const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
const faults = [];
page.on("console", (message) => { if (message.type() === "error") faults.push(`${page.url()}: ${message.text()}`); });
page.on("pageerror", (error) => faults.push(`${page.url()}: ${error}`));
page.on("request", (request) => { if (!request.url().startsWith(own) && !/^(data|blob):/.test(request.url())) faults.push(`${page.url()}: a request to ${request.url()}`); });

/** The links of a page that carry a model; there must be one for each model. */
async function links(path) {
  await page.goto(own + path);
  const models = await page.locator("pre > code.language-des").count();
  if (models === 0) return [];
  await page.locator(".try-it").nth(models - 1).waitFor({ state: "attached" });
  assert.equal(await page.locator(".try-it").count(), models, `${path}: a link for each model`);
  return page.locator(".try-it").evaluateAll((all) => all.map(({ href }) => href));
}

/** Opens the page with a link's model; the model that is shown. */
async function opened(link) {
  await page.goto("about:blank");
  await page.goto(link);
  await page.waitForFunction(() => Number(document.documentElement.dataset.ready ?? 0) >= 1, undefined, { timeout: 60_000 });
  return page.locator(".cm-content").innerText();
}

const manual = readdirSync(book, { recursive: true }).map((path) => path.replaceAll("\\", "/"))
  .filter((path) => path.endsWith(".html") && !/^(playground|toc\.html|print\.html|404\.html)/.test(path) && !path.endsWith(".des.html")).sort();
let models = 0;
for (const path of manual) models += (await links(path)).length;
assert.ok(manual.length >= 30 && models >= 30, `${manual.length} pages, ${models} models`);
assert.match(await opened((await links("tutorial.html"))[0]), /system/);
await page.goto(`${own}casebook.html`);
const first = await page.locator('a[href$=".des.html"]').first().getAttribute("href");
assert.match(await opened((await links(first))[0]), /system/);
assert.deepEqual(faults, []);
console.log(`ok      the site: ${manual.length} pages, ${models} models with a link into the page`);
await browser.close();
server.close();
