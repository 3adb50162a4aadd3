// Visits the page as a person would, in Chromium: `node test/visits.mjs [--pictures FOLDER]`. Any console error, any request to another
// host and any serious fault of accessibility fails.
import { chromium } from "playwright-core";
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { createServer, get } from "node:http";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { brotliCompressSync, deflateRawSync, gzipSync } from "node:zlib";

const here = import.meta.dirname;
const dist = join(here, "../dist");
const axe = readFileSync(join(here, "../node_modules/axe-core/axe.min.js"), "utf8");
const pictures = process.argv.includes("--pictures") ? process.argv[process.argv.indexOf("--pictures") + 1] : mkdtempSync(join(tmpdir(), "desc-pictures-"));
mkdirSync(pictures, { recursive: true });
const program = process.env.DESC;
const kinds = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".json": "application/json", ".wasm": "application/wasm", ".svg": "image/svg+xml" };

const server = createServer((request, response) => {
  const name = new URL(request.url, "http://x").pathname.slice(1) || "index.html";
  if (!readdirSync(dist).includes(name)) { response.writeHead(404).end(); return; }
  response.writeHead(200, { "Content-Type": kinds[extname(name)] ?? "application/octet-stream" }).end(readFileSync(join(dist, name)));
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const address = `http://127.0.0.1:${server.address().port}/`;

const executable = process.env.CHROMIUM ?? ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find((path) => existsSync(path));
const browser = await chromium.launch({ executablePath: executable, args: ["--no-sandbox"] });
const faults = [];

/** A new window of a person; everything that it complains about is a fault. */
async function window_(options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const page = await context.newPage();
  page.on("console", (message) => { if (message.type() === "error" || message.type() === "warning") faults.push(`${message.type()}: ${message.text()}`); });
  page.on("pageerror", (error) => faults.push(`error: ${error}`));
  page.on("request", (request) => {
    const { protocol, hostname } = new URL(request.url());
    const own = hostname === "127.0.0.1" || ["blob:", "data:"].includes(protocol) || (protocol === "file:" && request.isNavigationRequest());
    if (!own) faults.push(`a request to ${request.url()}`);
  });
  return page;
}

async function opened(page, to = address) {
  await page.goto(to);
  await ready(page, 1);
}
const ready = (page, runs) => page.waitForFunction((least) => Number(document.documentElement.dataset.ready ?? 0) >= least, runs, { timeout: 60_000 });
const runs = (page) => page.evaluate(() => Number(document.documentElement.dataset.ready ?? 0));
const status = (page, text) => page.waitForFunction((part) => document.getElementById("status").textContent.includes(part), text, { timeout: 30_000 });
/** Replaces the text as a paste does. */
async function write(page, text) {
  const before = await runs(page);
  await page.locator(".cm-content").focus();
  await page.keyboard.press("Control+A");
  await page.evaluate((pasted) => navigator.clipboard.writeText(pasted), text);
  await page.keyboard.press("Control+V");
  return before;
}
/** Chooses a model of the casebook. */
async function chooseCase(page, label) {
  await page.waitForFunction(() => document.querySelectorAll("#casebook option").length > 20);
  const before = await runs(page);
  await page.locator("#casebook").selectOption({ label });
  await ready(page, before + 1);
}
/** What has the focus, by its id, in the editor too. */
const focused = (page) => page.evaluate(() => document.activeElement.id || document.activeElement.localName);
/** A link with any content. */
const linkOf = (text) => `#1.${deflateRawSync(text, { level: 9 }).toString("base64url")}`;
async function picture(page, name) {
  await page.waitForTimeout(400); // what fades has faded
  await page.screenshot({ path: join(pictures, `${name}.png`) });
}

async function accessible(page, what) {
  await page.evaluate(axe);
  const found = await page.evaluate(() => globalThis.axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"] }));
  const serious = found.violations.filter(({ impact }) => impact === "serious" || impact === "critical");
  assert.deepEqual(serious.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).slice(0, 3).join(" | ")}`), [], what);
}

const CELLS = "component Cell {\n    states A, B; initial states;\n    events e, f;\n    A -e-> B; B -f-> A;\n}\nsystem Cells {\n    compose p = Cell;\n    compose q = Cell;\n    check natural current-state;\n}\n";

const visits = {
  async "opens with verdicts"() {
    const page = await window_();
    const began = Date.now();
    await opened(page);
    console.log(`    first verdict after ${Date.now() - began} ms, of which reading and deciding ${await page.evaluate(() => document.documentElement.dataset.milliseconds)} ms`);
    await status(page, "4 passed");
    assert.equal(await page.locator(".verdict").count(), 4, "a verdict beside each check");
    assert.ok(await page.locator(".cm-content .word").count() > 5, "colours");
    await accessible(page, "as it opens");
    await picture(page, "opened");
    await page.context().close();
  },

  async "a mistake is told, repaired by its fix, and the verdict changes"() {
    const page = await window_();
    await opened(page);
    await write(page, "system Door {\n    states open, shut;\n    initial opne;\n    events push;\n    open -push-> shut;\n    check current-state;\n}\n");
    await status(page, "1 error");
    await page.locator(".cm-lintRange-error").first().hover();
    const message = page.locator(".cm-diagnostic").first();
    await message.waitFor();
    assert.match(await message.textContent(), /E\d{4}.*opne.*did you mean `?open/s);
    await picture(page, "mistake");
    await message.locator("button.code").click();
    await page.locator("#explain[open]").waitFor();
    assert.match(await page.locator("#explain").textContent(), /E0201/, "the page of the code");
    await accessible(page, "the page of a code");
    await page.keyboard.press("Escape");
    await page.waitForFunction(() => !document.querySelector("#explain[open]"));
    await accessible(page, "with a mistake");
    await page.locator(".cm-lintRange-error").first().hover();
    await page.locator(".cm-diagnosticAction").first().click();
    await status(page, "1 failed");
    await page.locator(".cm-content").click();
    await page.keyboard.press("Control+End");
    assert.match(await page.locator(".verdict").first().textContent(), /violated/);
    await page.context().close();
  },

  async "a story is stepped in the drawing and in the source"() {
    const page = await window_();
    await opened(page);
    await page.locator(".verdict", { hasText: "violated" }).click();
    const story = page.locator("#story .story");
    await story.waitFor();
    assert.equal(await story.locator(".node.highlight").count(), 2, "two states at the start");
    await story.locator("[data-go=next]").click();
    assert.equal(await story.locator(".node.exposed").count(), 1, "one state is exposed");
    assert.ok(await page.locator(".cm-line.lit").count() > 0, "lines are lit");
    await picture(page, "story");
    await page.keyboard.press("ArrowLeft");
    assert.match(await story.locator(".where").textContent(), /Step 0/);
    await accessible(page, "with a story");
    await page.locator("#lecture").click();
    assert.equal(await story.locator("li.later").evaluate((item) => getComputedStyle(item).visibility), "hidden", "later steps are hidden in lectures");
    await picture(page, "lecture");
    await accessible(page, "in a lecture");
    await page.context().close();
  },

  async "the intruder is played to an exposure, compared and taken back"() {
    const page = await window_();
    await opened(page);
    await page.locator("#tab-explore").click();
    await page.locator("#explore-goal").selectOption({ label: "check not natural current-state" });
    await page.locator("button.next").first().waitFor();
    await page.locator("button.next.bad").first().click();
    await page.locator("#explore-note.bad").waitFor();
    assert.match(await page.locator("#explore-instants").textContent(), /exposed/);
    await page.locator("#explore-view").selectOption({ label: "strong" });
    await page.waitForFunction(() => document.querySelector("#explore-seen .nothing"));
    await page.locator("#explore-sign").fill("γ");
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => document.querySelectorAll("#explore-instants tr").length === 2);
    await page.locator("#explore-other").selectOption({ label: "natural" });
    await page.locator("#explore-others table").waitFor();
    assert.ok(await page.locator("#explore-others tbody tr").count() >= 3, "a, b or c");
    await picture(page, "explore");
    await accessible(page, "exploring");
    await page.locator("#explore-view").selectOption({ label: "natural" });
    await page.locator("#explore-jump").click();
    await page.locator("#explore-note.bad").waitFor();
    await page.locator("#explore-back").click();
    await page.waitForFunction(() => !document.querySelector("#explore-note.bad"));
    await page.context().close();
  },

  async "a composed system is explored part by part"() {
    const page = await window_();
    await opened(page);
    await chooseCase(page, "10 families");
    await page.locator("#tab-explore").click();
    await page.locator("#explore-parts tr").first().waitFor();
    assert.ok(await page.locator("#explore-parts tr").count() > 1);
    assert.ok(await page.evaluate(() => { const scroller = document.querySelector("#editor").shadowRoot.querySelector(".cm-scroller"); return scroller.scrollWidth <= scroller.clientWidth; }), "lines wrap within the editor");
    assert.ok(await page.locator("#explore .part .node.highlight").count() > 1, "the parts' states are lit");
    assert.equal(await page.locator("#explore-instants summary").first().textContent(), "16 states", "many states are folded");
    await picture(page, "parts");
    await accessible(page, "exploring part by part");
    await page.context().close();
  },

  async "every view and observer of a composed system is explored, and compared with every other"() {
    const page = await window_();
    await opened(page);
    await chooseCase(page, "onion routing");
    await page.locator("#tab-explore").click();
    await page.locator("#explore-parts tr").first().waitFor();
    const all = await page.locator("#explore-view option").evaluateAll((options) => options.map(({ value, text }) => ({ value, text })));
    const observers = new Set(all.map(({ value }) => value.split(" ")[0]));
    assert.ok(observers.size > 1 && all.length === 3 * observers.size, "three views of each observer");
    for (const [at, { value, text }] of all.entries()) {
      await page.locator("#explore-view").selectOption(value);
      await page.locator("#explore-seen .nothing").waitFor();
      const next = page.locator("button.next").first();
      if (await next.count() > 0) {
        await next.click();
        await page.waitForFunction(() => document.querySelectorAll("#explore-instants tr").length === 2, undefined, { timeout: 20_000 });
      }
      const lit = await page.locator("#explore .part .node.highlight, #explore .part .node.exposed").count();
      const possible = await page.locator("#explore-parts tr").evaluateAll((rows) => rows.reduce((sum, row) => sum + Number(row.lastChild.textContent.split(" ")[0]), 0));
      assert.equal(lit, possible, `${text}: what is lit is what the table says`);
      const other = all[(at + 1) % all.length];
      await page.locator("#explore-other").selectOption(other.value);
      await page.locator("#explore-others h2", { hasText: `would know: ${other.text}` }).waitFor();
      assert.ok(await page.locator("#explore-others tbody tr").count() > 0, `${text} beside ${other.text}`);
    }
    await picture(page, "compared");
    await page.context().close();
  },

  async "a product that is not built is said, and so is where to go on"() {
    const page = await window_();
    await opened(page);
    const before = await write(page, `${CELLS.replace("compose p = Cell;", "compose p[i] = Cell for i in 1..60;").replace("check natural", "check natural infinite-step about p[1]; check natural")}`);
    await ready(page, before + 1);
    assert.match(await page.locator("#verdicts-list").textContent(), /61 parts, \d+ events; their product is not built/);
    await page.locator("#tab-drawing").click();
    assert.match(await page.locator("#drawing").textContent(), /Too large to draw whole: 61 parts/);
    await page.locator("#tab-explore").click();
    await page.waitForFunction(() => document.getElementById("explore-note").textContent.includes("not computed within the limit on states. Locally: desc explore model.des"));
    assert.equal(await page.locator("#explore-instants tr, #explore-next button, #explore-drawing svg").count(), 0, "nothing of the model before");
    await page.context().close();
  },

  async "a drawing is zoomed, moved and fitted"() {
    const page = await window_();
    await opened(page);
    await page.locator("#tab-drawing").click();
    const frame = page.locator("#drawings .drawing").first();
    const width = () => frame.locator("svg").evaluate((svg) => svg.getBoundingClientRect().width);
    const fitted = await width();
    await frame.focus();
    for (let at = 0; at < 8; at++) await page.keyboard.press("+");
    assert.ok(await width() > 3 * fitted, "plus");
    const box = await frame.boundingBox();
    await page.mouse.move(box.x + 200, box.y + 100);
    await page.mouse.down();
    await page.mouse.move(box.x + 80, box.y + 60, { steps: 4 });
    await page.mouse.up();
    assert.deepEqual(await frame.evaluate(({ scrollLeft, scrollTop }) => [scrollLeft, scrollTop].map(Math.round)), [120, 40], "dragged");
    await accessible(page, "a drawing that is zoomed");
    await page.locator("button[aria-label='Zoom out']").first().click();
    const smaller = await width();
    await page.locator("button[aria-label='Fit the drawing']").first().click();
    assert.ok(smaller > fitted && Math.abs(await width() - fitted) < 1, "fit");
    await page.context().close();
  },

  async "the keyboard is enough"() {
    const page = await window_();
    await opened(page);
    await page.locator("body").press("Tab");
    assert.equal(await page.evaluate(() => document.activeElement.className), "skip", "first of all, the way past the menu");
    const order = [];
    for (let at = 0; at < 9; at++) { await page.keyboard.press("Tab"); order.push(await focused(page)); }
    assert.deepEqual(order, ["casebook", "open", "save", "share", "format", "lecture", "theme", "manual", "editor"]);
    await page.keyboard.press("Control+End");
    await page.keyboard.press("Escape");
    await page.keyboard.press("Tab");
    assert.equal(await focused(page), "tab-verdicts", "Escape and Tab leave the editor");
    await page.keyboard.press("ArrowRight");
    assert.equal(await focused(page), "tab-drawing");
    assert.equal(await page.locator("#drawing").isVisible(), true);
    await page.keyboard.press("Alt+3");
    assert.equal(await focused(page), "explore");
    await page.keyboard.press("1");
    await page.waitForFunction(() => document.querySelectorAll("#explore-instants tr").length === 2);
    await page.keyboard.press("Backspace");
    await page.waitForFunction(() => document.querySelectorAll("#explore-instants tr").length === 1);
    await page.keyboard.press("Alt+1");
    assert.equal(await focused(page), "verdicts");
    await page.locator("button", { hasText: "How it happens" }).first().press("Enter");
    await page.locator("#story .story").waitFor();
    await page.keyboard.press("ArrowRight");
    assert.match(await page.locator("#story .where").textContent(), /Step 1/);
    await page.keyboard.press("Alt+0");
    assert.equal(await focused(page), "editor");
    const lastLine = () => page.locator(".cm-line").last().evaluate((line) => line.textContent);
    await page.keyboard.type("   ");
    assert.equal(await lastLine(), "   ");
    await page.keyboard.press("Alt+Shift+F");
    await page.waitForFunction(() => [...document.querySelector("#editor").shadowRoot.querySelectorAll(".cm-line")].at(-1).textContent === "");
    const saved = page.waitForEvent("download");
    await page.keyboard.press("Control+s");
    assert.equal((await saved).suggestedFilename(), "model.des");
    await page.context().close();
  },

  async "a file is saved and opened again"() {
    const page = await window_();
    await opened(page);
    const text = "system File { states A, B; initial A; events go; A -go-> B; check current-state; }\n";
    const first = await write(page, text);
    await ready(page, first + 1);
    const saved = page.waitForEvent("download");
    await page.locator("#save").click();
    const path = join(mkdtempSync(join(tmpdir(), "desc-file-")), "model.des");
    await (await saved).saveAs(path);
    assert.equal(readFileSync(path, "utf8"), text);
    writeFileSync(path, text.replace("File", "Again"));
    const before = await runs(page);
    const chooser = page.waitForEvent("filechooser");
    await page.locator("#open").click();
    await (await chooser).setFiles(path);
    await ready(page, before + 1);
    assert.match(await page.locator("#verdicts-list").textContent(), /System Again/);
    await page.context().close();
  },

  async "what moves does not where less motion is wanted"() {
    for (const [reducedMotion, expected] of [["reduce", "0s"], ["no-preference", "0.25s"]]) {
      const page = await window_({ reducedMotion });
      await opened(page);
      await page.locator("#tab-drawing").click();
      const durations = await page.evaluate(() => [...document.querySelectorAll("*")].map((element) => {
        const { transitionProperty, transitionDuration, animationName } = getComputedStyle(element);
        return animationName !== "none" ? animationName : transitionProperty === "none" ? "0s" : transitionDuration;
      }));
      assert.deepEqual([...new Set(durations)].sort(), [...new Set(["0s", expected])].sort(), reducedMotion);
      await page.context().close();
    }
  },

  async "the story of a composed system is stepped part by part"() {
    const page = await window_();
    await opened(page);
    const before = await write(page, CELLS);
    await ready(page, before + 1);
    await page.locator("button", { hasText: "How it happens" }).first().click();
    const story = page.locator("#story .story");
    await story.waitFor();
    assert.deepEqual(await story.locator(".part h5").allTextContents(), ["p", "q"], "a drawing of each part, with its name");
    assert.equal(await story.locator(".part .node.highlight").count(), 4, "both states of both");
    await page.keyboard.press("ArrowRight");
    assert.equal(await story.locator(".part .node.exposed").count(), 2, "one state of each");
    assert.equal(await story.locator(".part .node.fading").count(), 2, "the other fades");
    assert.equal(await story.locator(".lanes tr.current").count(), 1, "the row of the step");
    await picture(page, "parts-story");
    await accessible(page, "a story part by part");
    await page.context().close();
  },

  async "the report page steps with the same code"() {
    assert.ok(program, "DESC names the program");
    const folder = mkdtempSync(join(tmpdir(), "desc-report-"));
    writeFileSync(join(folder, "cells.des"), CELLS);
    spawnSync(program, ["report", join(folder, "cells.des"), "-o", join(folder, "report.html")]);
    const page = await window_();
    await page.goto(`file://${join(folder, "report.html")}`);
    const story = page.locator(".story").first();
    await story.focus();
    await page.keyboard.press("End");
    assert.equal(await story.locator(".part .node.exposed").count(), 2);
    assert.equal(await story.locator(".part .node.fading").count(), 2);
    await accessible(page, "the report");
    await story.scrollIntoViewIfNeeded();
    await picture(page, "report");
    await page.setViewportSize({ width: 390, height: 844 });
    await picture(page, "report-phone");
    await page.setViewportSize({ width: 1280, height: 900 });
    spawnSync(program, ["report", join(here, "../../examples/protocols/onion_routing.des"), "-o", join(folder, "onion.html")]);
    await page.goto(`file://${join(folder, "onion.html")}`);
    await accessible(page, "the report of parts");
    await page.locator(".story").first().focus();
    for (const key of ["Home", "ArrowRight", "ArrowRight"]) {
      await page.keyboard.press(key);
      const hidden = await page.evaluate(() => [...document.querySelector(".story").querySelectorAll(":scope .stage .part")].filter((part) => {
        const [frame, node] = [part.querySelector(".drawing"), part.querySelector(".node.highlight, .node.exposed")].map((each) => each?.getBoundingClientRect());
        return part.checkVisibility() && frame && node && (node.top < frame.top || node.bottom > frame.bottom);
      }).map((part) => part.textContent.slice(0, 20)));
      assert.deepEqual(hidden, [], `a possible state of each part is in sight after ${key}`);
    }
    await page.locator(".story").first().scrollIntoViewIfNeeded();
    await picture(page, "report-onion");
    await page.context().close();
  },

  async "a link carries the model to a second window"() {
    const page = await window_();
    await opened(page);
    const text = "system Link {\n    states A, B; initial A;\n    events go;\n    A -go-> B; B -go-> A;\n    check current-state;\n}\n";
    await write(page, text);
    await status(page, "1 failed");
    await page.locator("#share").click();
    await page.waitForFunction(() => location.hash.startsWith("#1."));
    await page.locator("button", { hasText: "How it happens" }).click();
    await page.locator("#story .story").waitFor();
    const plain = page.url();
    await page.locator("#share").click();
    await page.waitForFunction((old) => location.href !== old, plain);
    const second = await window_();
    await opened(second, page.url());
    await status(second, "1 failed");
    assert.match(await second.locator("#verdicts-list").textContent(), /System Link/);
    await second.locator("#story .story").waitFor();
    await page.context().close();
    await second.context().close();
  },

  async "hostile links are refused"() {
    const wrong = ["", "[]", "null", "17", '"text"', "{}", '{"text": 7}', '{"text": null}', '{"text": {"toString": "x"}}', "{"].map(linkOf);
    const bomb = linkOf(JSON.stringify({ text: " ".repeat(50_000_000) }));
    assert.ok(bomb.length < 120_000, "a short link of a very long text");
    const bytes = `#1.${deflateRawSync(Buffer.from([0x22, 0xff, 0xfe, 0x22])).toString("base64url")}`;
    for (const hash of ["#<script>alert(1)</script>", "#1.", "#1.!!!!", "#1.AAAA", "#2.abcd", `#1.${"A".repeat(130_000)}`, bomb, bytes, ...wrong]) {
      const page = await window_();
      await opened(page, address + hash);
      await status(page, "refused");
      assert.match(await page.locator("#verdicts-list").textContent(), /Questioning/, "the example is there");
      await page.context().close();
    }
  },

  async "what a link says beside the model is checked"() {
    const text = CELLS;
    const evil = "<img src=x onerror=alarm()>";
    for (const more of [
      { tab: evil, system: evil, check: evil, seen: evil }, { tab: "__proto__", system: -1, check: 1.5, seen: [1, {}] },
      { tab: "explore", system: 99, check: 99, seen: [evil, "e[p]"] }, { tab: "verdicts", system: 0, check: 99, seen: new Array(2000).fill("x") },
    ]) {
      const page = await window_();
      await opened(page, address + linkOf(JSON.stringify({ text, ...more })));
      await status(page, "1 failed");
      assert.equal(await page.locator("img:not(.cm-widgetBuffer), main script").count(), 0);
      assert.match(await page.locator("#verdicts-list").textContent(), /System Cells/);
      await page.context().close();
    }
  },

  async "hostile names and comments are text everywhere"() {
    const page = await window_();
    let alarmed = false;
    await page.exposeFunction("alarm", () => { alarmed = true; });
    await opened(page);
    const evil = `<img src=x onerror=alarm()><script>alarm()</script>`;
    const q = (name) => `"${name}${evil}"`;
    const model = `/// ${evil}\ncomponent ${q("C")} {\n    /// ${evil}\n    states ${q("A")}, ${q("B")}; initial states;\n    events ${q("e")}, ${q("f")};\n`
      + `    ${q("A")} -${q("e")}-> ${q("B")}; ${q("B")} -${q("f")}-> ${q("A")};\n}\n/// ${evil}\nsystem ${q("S")} {\n    compose ${q("p")} = ${q("C")}; compose ${q("r")} = ${q("C")};\n`
      + `    anonymous {${q("e")}, ${q("f")}} as ${q("l")};\n    /// ${evil}\n    observer ${q("o")} { observable events; }\n`
      + `    /// ${evil}\n    check ${q("n")}: natural current-state;\n    check ${q("m")}: natural current-state against ${q("o")};\n}\n`;
    const before = await write(page, model);
    await ready(page, before + 1);
    await status(page, "2 failed");
    await page.locator("button", { hasText: "How it happens" }).first().click();
    await page.locator("#story .story").waitFor();
    await page.locator("#tab-drawing").click();
    await page.locator("#tab-explore").click();
    await page.locator("#explore-other").selectOption({ index: 2 });
    await page.locator("#explore-others table").waitFor();
    await page.locator("#explore-view").selectOption("0 natural");
    await page.locator("#explore-jump").click();
    await page.locator("#explore-note.bad").waitFor();
    await page.locator(".cm-content .name", { hasText: "S<img" }).first().hover();
    await page.locator(".hover").waitFor();
    const warning = await write(page, model.replace(` -"e${evil}"-> `, ` -"x${evil}"-> `));
    await status(page, "error");
    await page.locator(".cm-lintRange-error").first().hover();
    await page.locator(".cm-diagnostic").first().waitFor();
    assert.equal(await runs(page), warning, "nothing is decided of a wrong text");
    assert.equal(await page.locator("img:not(.cm-widgetBuffer), main script").count(), 0);
    assert.equal(alarmed, false);
    assert.match(await page.locator("#explore").textContent(), /<img src=x/);
    await page.context().close();
  },

  async "hover, completion, format and the page of a code"() {
    const page = await window_();
    await opened(page);
    await page.locator(".cm-content .word", { hasText: "anonymous" }).first().hover();
    await page.locator(".hover").waitFor();
    await page.locator(".cm-content").click();
    await page.keyboard.press("Control+End");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("End");
    await page.keyboard.type("\n    check we");
    // A click, because a list that has just opened ignores the keyboard for a moment.
    await page.locator(".cm-tooltip-autocomplete li", { hasText: "weak" }).first().click();
    await page.keyboard.type("   infinite-step;");
    await status(page, "5 passed");
    await page.locator("#format").click();
    await page.waitForFunction(() => /\bcheck weak infinite-step;/.test(document.querySelector("#editor").shadowRoot.textContent));
    await page.context().close();
  },

  async "keystrokes to verdicts, on the example and on a thousand transitions"() {
    const page = await window_();
    await opened(page);
    const typed = async () => {
      const times = [];
      for (let at = 0; at < 5; at++) {
        const before = await runs(page);
        const began = Date.now();
        await page.keyboard.type(" ");
        await page.waitForFunction((least) => Number(document.documentElement.dataset.ready) > least, before, { polling: 5 });
        times.push(Date.now() - began);
      }
      return times.sort((one, other) => one - other)[2];
    };
    await page.locator(".cm-content").click();
    await page.keyboard.press("Control+End");
    console.log(`    questioning: keystroke to verdict ${await typed()} ms (median of 5)`);
    const lines = [];
    for (let at = 0; at < 500; at++) lines.push(`    s[${at}] -a-> s[${(at * 7 + 1) % 500}]; s[${at}] -b-> s[${(at * 7 + 2) % 500}];`);
    const before = await write(page, `system Large {\n    states s[0..499]; initial s[0], s[1];\n    events a, b; anonymous events;\n${lines.join("\n")}\n    check strong current-state;\n}\n`);
    await ready(page, before + 1);
    assert.match(await page.locator("#verdicts-list").textContent(), /1,000 transitions/);
    assert.match(await page.locator("#drawings").textContent(), /Too large to draw whole: 500 states, 2 events, 1,000 transitions/);
    await page.keyboard.press("Control+End");
    console.log(`    1,000 transitions: keystroke to verdict ${await typed()} ms (median of 5)`);
    await page.context().close();
  },

  async "a model that is too large is stopped, and the command is told"() {
    const page = await window_();
    await opened(page);
    // Points that are turned round by one event and of which two are swapped by another: no two of very many estimates are comparable.
    const large = `system Points {
    states e[0..12], o[0..12];
    initial e[0..6], o[0..6];
    events turn, swap;
    for i in 0..12 {
        e[i] -turn-> o[i] -turn-> e[(i + 1) % 13];
        if i > 0 { e[i] -swap-> e[i]; o[i] -swap-> o[i]; }
    }
    e[0] -swap-> o[0] -swap-> e[0];
    check infinite-step about {e} | {o};
}
`;
    await write(page, large);
    await page.locator("#stop").waitFor({ state: "visible" });
    await page.waitForTimeout(1000);
    await page.locator("#stop").click();
    await status(page, "Stopped");
    const again = await write(page, `${large}\n`);
    await ready(page, again + 1);
    await status(page, "undecided");
    assert.match(await page.locator("#verdicts-list").textContent(), /desc check model\.des/);
    const before = await write(page, "system Small { states A; initial A; events e; A -e-> A; check natural current-state; }");
    await ready(page, before + 1);
    await page.context().close();
  },

  async "a phone, dark, and no network"() {
    const page = await window_({ viewport: { width: 390, height: 844 }, colorScheme: "dark", isMobile: true, hasTouch: true });
    await opened(page);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth + 1), "nothing sticks out");
    await accessible(page, "on a phone, dark");
    await picture(page, "phone");
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => true));
    await page.waitForFunction(() => caches.keys().then((names) => names.length > 0));
    await page.waitForTimeout(500);
    await page.context().setOffline(true);
    await page.reload();
    await ready(page, 1);
    await status(page, "passed");
    await page.context().close();
  },

  async "the theme is chosen by hand"() {
    for (const [system, chosen, paper] of [["light", "dark", "rgb(15, 19, 24)"], ["dark", "light", "rgb(255, 255, 255)"]]) {
      const page = await window_({ colorScheme: system });
      await opened(page);
      const colours = () => page.evaluate(() => {
        const of = (element, property) => getComputedStyle(element)[property];
        const drawing = document.querySelector("#drawings .desc-graph");
        return {
          page: of(document.body, "backgroundColor"), editor: of(document.querySelector("#editor").shadowRoot.querySelector(".cm-editor"), "backgroundColor"),
          node: of(drawing.querySelector(".node .shape"), "fill"), ink: of(document.body, "color"), name: of(drawing.querySelector(".node text"), "fill"),
        };
      });
      const before = await colours();
      assert.notEqual(before.page, paper, "the system's theme");
      await page.locator("#theme").click();
      assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), chosen);
      await page.locator("#tab-drawing").click();
      const { page: back, editor, node, ink, name } = await colours();
      assert.deepEqual([back, editor, node], [paper, paper, paper], `${chosen} by hand: page, editor and drawing`);
      assert.equal(name, ink, "names in drawings");
      await picture(page, `${chosen}-by-hand`);
      await accessible(page, `${chosen} by hand`);
      await page.locator("#tab-explore").click();
      await page.locator("#explore-goal").selectOption({ label: "check not natural current-state" });
      await page.locator("button.next", { hasText: "c" }).click();
      await page.locator("#explore-other").selectOption({ label: "strong" });
      await page.locator("#explore-others table").waitFor();
      await picture(page, `explore-${chosen}`);
      await page.locator("#theme").click();
      await page.waitForFunction((back) => getComputedStyle(document.body).backgroundColor === back, before.page);
      await page.context().close();
    }
  },

  async "desc explore --web follows a file and answers nobody else"() {
    assert.ok(program, "DESC names the program");
    const folder = mkdtempSync(join(tmpdir(), "desc-web-"));
    const file = join(folder, "model.des");
    copyFileSync(join(here, "../../examples/questioning.des"), file);
    const child = spawn(program, ["explore", file, "--web"], { stdio: ["ignore", "pipe", "inherit"] });
    try {
      const own = await new Promise((resolve, reject) => {
        child.stdout.once("data", (data) => resolve(String(data).split("\n")[0]));
        child.once("exit", (status) => reject(new Error(`desc explore --web ended with ${status}: was it built after web/build.sh?`)));
      });
      const page = await window_();
      await opened(page, own);
      assert.equal(await page.locator("#explore").isVisible(), true);
      await picture(page, "local");
      const before = await runs(page);
      writeFileSync(file, readFileSync(file, "utf8").replace("check weak 2-step;", "check not weak 2-step;"));
      await ready(page, before + 1);
      await status(page, "1 failed");
      assert.equal((await fetch(new URL("/file", own))).status, 403);
      assert.equal((await fetch(new URL("/0/file", own))).status, 403);
      assert.equal((await fetch(`${own}file`, { headers: { Origin: "http://evil.example" } })).status, 403);
      const { port, pathname } = new URL(own);
      const asked = (host) => new Promise((resolve) => { get({ host: "127.0.0.1", port, path: `${pathname}file`, headers: { Host: host } }, (answer) => { answer.resume(); resolve(answer.statusCode); }); });
      assert.equal(await asked("evil.example"), 403, "another name of this machine");
      assert.equal(await asked(`127.0.0.1:${port}`), 200);
      await page.context().close();
    } finally {
      child.kill("SIGINT");
    }
  },
};

const weighed = (compressed) => readdirSync(dist).map((file) => [file, compressed(readFileSync(join(dist, file))).length]);
const total = (weights) => weights.reduce((sum, [, bytes]) => sum + bytes, 0);
const gzip = weighed((bytes) => gzipSync(bytes, { level: 9 }));
const size = total(gzip);
for (const [name, weights] of [["gzip", gzip], ["brotli", weighed((bytes) => brotliCompressSync(bytes))]]) {
  console.log(`download, ${name}: ${(total(weights) / 1e6).toFixed(2)} MB, of which the engine ${(Object.fromEntries(weights)["engine.wasm"] / 1e6).toFixed(2)} MB`);
}
assert.ok(size < 3e6, "the download is below 3 MB");
let failed = 0;
const only = process.argv.find((word) => word.startsWith("--only="))?.slice(7);
for (const [name, visit] of Object.entries(visits).filter(([name]) => !only || name.includes(only))) {
  faults.length = 0;
  try {
    await visit();
    assert.equal(faults.length, 0, "a console error, or a request elsewhere");
    console.log(`ok      ${name}`);
  } catch (error) {
    failed++;
    console.log(`FAILED  ${name}\n${error.stack}\n${[...new Set(faults)].join("\n")}`);
  }
}
await browser.close();
server.close();
process.exit(failed === 0 ? 0 : 1);
