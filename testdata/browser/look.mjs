// look.mjs PAGE…: opens pages in Chromium and prints, for each, a line of JSON: what axe
// finds, what was asked of the network, and how wide the page is on a phone.
// With "--search WORD,…" words are looked for with the search of the page.
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

const require = createRequire(path.join(process.env.SETPIECE_BROWSER, "package.json"));
const puppeteer = require("puppeteer-core");
const axe = require.resolve("axe-core/axe.min.js");

const args = process.argv.slice(2);
let words = [];
const files = [];
while (args.length > 0) {
  const arg = args.shift();
  if (arg === "--search") words = args.shift().split(",");
  else files.push(arg);
}

const profile = mkdtempSync(path.join(tmpdir(), "setpiece-"));
const browser = await puppeteer.launch({
  executablePath: process.env.SETPIECE_CHROMIUM,
  userDataDir: profile,
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync", "--allow-file-access-from-files"],
});
try {
  for (const file of files) {
    const page = await browser.newPage();
    const asked = [];
    page.on("request", r => { if (!r.url().startsWith("file:") && !r.url().startsWith("data:")) asked.push(r.url()); });
    await page.setViewport({ width: 1280, height: 900 });
    await page.setBypassCSP(true); // for axe, which is put into the page
    await page.goto(pathToFileURL(path.resolve(file)).href);
    const violations = [];
    for (const scheme of ["light", "dark"]) {
      await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
      await page.addScriptTag({ path: axe });
      const result = await page.evaluate(() => axe.run());
      for (const v of result.violations) violations.push(`${scheme}: ${v.id}: ${v.nodes[0].html.slice(0, 120)}`);
    }
    await page.setViewport({ width: 360, height: 740, isMobile: true });
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    await page.setViewport({ width: 1280, height: 900 });
    const found = {};
    for (const word of words) {
      await page.$eval("#search", (box, w) => { box.value = w; box.dispatchEvent(new Event("input")); }, word);
      found[word] = await page.$$eval("#found a", list => list.map(a => a.getAttribute("href")).slice(0, 5));
    }
    const text = await page.evaluate(() => document.querySelector("main, body").innerText);
    const pdf = await page.pdf({ preferCSSPageSize: true });
    const box = Buffer.from(pdf).toString("latin1").match(/\/MediaBox\s*\[([^\]]*)\]/);
    console.log(JSON.stringify({ file, violations, asked, wide, found, text, paper: box ? box[1] : "" }));
    await page.close();
  }
} finally {
  await browser.close();
  rmSync(profile, { recursive: true, force: true });
}
