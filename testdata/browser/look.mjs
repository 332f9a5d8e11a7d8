// look.mjs [--search WORD,…] [--pdf] [--thin] PAGE…: opens pages in Chromium and prints, for
// each, a line of JSON: what axe finds in light and in dark, on a phone and on a desk, what
// the page asks of the network, how wide it is on each screen, and its text. With --search it
// types words into the search of the page, with --pdf it prints the page and gives the paper's
// size and how many sheets it takes. With --thin axe sees only the first of many neighbours of one kind, such as the rows
// of a table: it needs minutes for the thousands of lines of a system's page.
import { pathToFileURL } from "node:url";
import path from "node:path";
import { axe, launch, minutes } from "./chromium.mjs";

const args = process.argv.slice(2);
const files = [];
let words = [], pdf = false, thin = 0;
while (args.length > 0) {
  const arg = args.shift();
  if (arg === "--search") words = args.shift().split(",");
  else if (arg === "--pdf") pdf = true;
  else if (arg === "--thin") thin = 6;
  else files.push(arg);
}

const screens = [360, 1280]; // pixels of a phone and of a desk

// What axe looks at. Between light and dark only colours differ.
const views = [[360, "light", {}], [1280, "light", {}], [1280, "dark", { runOnly: ["color-contrast"] }]];

// leaveFirst takes out of the page what has n elder neighbours of its kind.
function leaveFirst(n) {
  for (const parent of document.querySelectorAll("main, main *")) {
    const count = {};
    for (const child of [...parent.children]) {
      const kind = child.tagName + " " + child.className;
      count[kind] = (count[kind] ?? 0) + 1;
      if (count[kind] > n) child.remove();
    }
  }
}

async function look(page, file) {
  const seen = { file, violations: [], asked: [], wide: {}, found: {} };
  page.removeAllListeners("request");
  page.on("request", r => { if (!r.url().startsWith("file:") && !r.url().startsWith("data:")) seen.asked.push(r.url()); });
  await page.setViewport({ width: 1280, height: 900 });
  await page.goto(pathToFileURL(path.resolve(file)).href);
  await page.evaluate(() => document.querySelectorAll("details").forEach(d => { d.open = true; }));
  seen.text = await page.evaluate(() => document.querySelector("main, body").innerText);
  for (const word of words) {
    await page.$eval("#search", (box, w) => { box.value = w; box.dispatchEvent(new Event("input")); }, word);
    seen.found[word] = await page.$$eval("#found a", list => list.map(a => a.getAttribute("href")).slice(0, 5));
  }
  if (pdf) {
    const paper = Buffer.from(await page.pdf({ preferCSSPageSize: true })).toString("latin1");
    seen.paper = paper.match(/\/MediaBox\s*\[([^\]]*)\]/)?.[1] ?? "";
    seen.sheets = paper.match(/\/Type\s*\/Page\b/g)?.length ?? 0;
  }
  for (const width of screens) {
    await page.setViewport({ width, height: 900 });
    seen.wide[width] = await page.evaluate(() => document.documentElement.scrollWidth);
  }
  if (thin) await page.evaluate(leaveFirst, thin);
  await page.evaluate(axe);
  for (const [width, scheme, only] of views) {
    await page.setViewport({ width, height: 900 });
    await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
    const result = await page.evaluate(o => axe.run(document, { resultTypes: ["violations"], ...o }), only);
    for (const v of result.violations) seen.violations.push(`${scheme}, ${width}: ${v.id}: ${v.nodes[0].html.slice(0, 120)}`);
  }
  console.log(JSON.stringify(seen));
}

const { browser, close } = await launch();
try {
  const waiting = [...files];
  await Promise.all([1, 2].map(async () => {
    let page;
    for (let file; (file = waiting.shift());) {
      if (!page) {
        page = await browser.newPage();
        page.setDefaultTimeout(10 * minutes);
        await page.setBypassCSP(true); // for axe, which is put into the page
      }
      await look(page, file);
    }
  }));
} finally {
  await close();
}
