// walk.mjs FOLDER PAGE…: goes through a folder of pages in Chromium. It follows every link
// from index.html on, looks at the pages that are named with axe in light and in dark and
// at three widths, and prints one object of JSON.
//
// Opening thousands of pages one by one takes minutes. So the browser reads them into
// documents of one page (a DOMParser each), which is enough for links and their targets;
// only the named pages are shown.
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

const require = createRequire(path.join(process.env.SETPIECE_BROWSER, "package.json"));
const puppeteer = require("puppeteer-core");
const axe = require.resolve("axe-core/axe.min.js");
const [folder, ...files] = process.argv.slice(2);
const url = file => pathToFileURL(path.resolve(folder, file)).href;

const profile = mkdtempSync(path.join(tmpdir(), "setpiece-"));
const browser = await puppeteer.launch({
  executablePath: process.env.SETPIECE_CHROMIUM,
  userDataDir: profile,
  protocolTimeout: 600_000,
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync", "--allow-file-access-from-files"],
});

// follow runs in the browser: it reads all pages that links lead to.
async function follow(start) {
  const ids = new Map(), waiting = [start], links = [], broken = [];
  const read = async at => {
    let text;
    try { text = await (await fetch(at)).text(); } catch { return null; }
    const doc = new DOMParser().parseFromString(text, "text/html");
    for (const a of doc.querySelectorAll("a[href]")) {
      const to = new URL(a.getAttribute("href"), at), fragment = decodeURIComponent(to.hash.slice(1));
      to.hash = "";
      links.push([at, to.href, fragment]);
      if (to.protocol === "file:" && !ids.has(to.href)) { ids.set(to.href, null); waiting.push(to.href); }
    }
    return new Set(Array.from(doc.querySelectorAll("[id]"), e => e.id));
  };
  ids.set(start, null);
  while (waiting.length > 0) {
    const batch = waiting.splice(0, 64);
    const found = await Promise.all(batch.map(read));
    batch.forEach((at, i) => ids.set(at, found[i]));
  }
  for (const [at, to, fragment] of links) {
    if (!to.startsWith("file:")) continue;
    const there = ids.get(to);
    if (!there) broken.push(`${at} -> ${to}`);
    else if (fragment && !there.has(fragment)) broken.push(`${at} -> ${to}#${fragment}`);
  }
  return { pages: ids.size, links: links.length, broken: broken.slice(0, 50), reached: [...ids.keys()] };
}

const seen = { violations: [], wide: [], asked: [], looked: 0 };

async function look(page, file) {
  await page.setViewport({ width: 1280, height: 900 });
  await page.goto(url(file));
  await page.evaluate(() => document.querySelectorAll("details").forEach(d => { d.open = true; }));
  await page.addScriptTag({ path: axe });
  for (const scheme of ["light", "dark"]) {
    await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
    // Only colours differ between the two.
    const result = await page.evaluate(only => axe.run(document, { resultTypes: ["violations"], ...(only ? { runOnly: only } : {}) }), scheme === "dark" ? ["color-contrast"] : null);
    for (const v of result.violations) seen.violations.push(`${file}: ${scheme}: ${v.id}: ${v.nodes[0].html.slice(0, 120)}`);
  }
  for (const width of [360, 768, 1280]) {
    await page.setViewport({ width, height: 900 });
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    if (wide > width) seen.wide.push(`${file} is ${wide} pixels wide on a screen of ${width}`);
  }
  seen.looked++;
}

try {
  const page = await browser.newPage();
  await page.goto(url("index.html"));
  const walked = await page.evaluate(follow, url("index.html"));
  await page.close();
  const root = url("").replace(/\/?$/, "/");
  walked.reached = walked.reached.map(at => at.replace(root, ""));
  const waiting = [...files];
  await Promise.all([1, 2].map(async () => {
    const tab = await browser.newPage();
    tab.on("request", r => { if (!r.url().startsWith("file:") && !r.url().startsWith("data:")) seen.asked.push(r.url()); });
    tab.setDefaultTimeout(600_000); // of a busy machine
    await tab.setBypassCSP(true); // for axe, which is put into the page
    for (let file; (file = waiting.shift());) await look(tab, file);
  }));
  console.log(JSON.stringify({ ...walked, ...seen }));
} finally {
  await browser.close();
  rmSync(profile, { recursive: true, force: true });
}
