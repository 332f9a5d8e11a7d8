// playground.mjs FOLDER PAGE REPORT [EXAMPLE]: opens a playground from a web server and prints, as a line of JSON, what it
// does. Standard input is {odds: [link, …], stored: [link, …], fight: text, number: {text, name, up}, typed: {text, keys}}. For each link: what stands in
// the editor, whether anything ran before a button was pressed, and the figures of Odds. The fight is played
// to its end by buttons. Then the page that is one file is opened from the disk, and a report with the
// engine inside, whose number is moved, and an example of the handbook is tried. With {walk: [link, …], seconds} it only opens these links in one page, one after the other, and prints
// a line for each: what was wrong, remarks, and figures. Odds may take so many seconds then.
import { createServer } from "node:http";
import { pathToFileURL } from "node:url";
import { readFileSync } from "node:fs";
import path from "node:path";
import { axe, found, launch, minutes, until } from "./chromium.mjs";

const [folder, onePage, report, example] = process.argv.slice(2);
const wanted = JSON.parse(readFileSync(0, "utf8"));

const kinds = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css" };
const server = createServer((request, response) => {
  const name = new URL(request.url, "http://x").pathname.slice(1) || "index.html";
  try {
    const data = readFileSync(path.join(folder, path.basename(name)));
    response.setHeader("Content-Type", kinds[path.extname(name)] ?? "application/octet-stream");
    response.end(data);
  } catch {
    response.writeHead(404).end();
  }
}).listen(0, "127.0.0.1");
await new Promise(done => server.once("listening", done));
const address = `http://127.0.0.1:${server.address().port}/`;

const { browser, close } = await launch();
const seen = { odds: [], stored: [], violations: [], asked: [], errors: [], wide: {} };

async function open(url) {
  const page = await browser.newPage();
  page.setDefaultTimeout(5 * minutes);
  page.on("request", r => { if (!r.url().startsWith(address) && !/^(data|blob|file):/.test(r.url())) seen.asked.push(r.url()); });
  page.on("pageerror", e => seen.errors.push(e.message));
  await page.setViewport({ width: 1280, height: 900 });
  await page.goto(url);
  return page;
}

const state = page => page.$eval("#state", e => e.textContent);
const done = (page, what) => until(page, w => document.getElementById("state").textContent.startsWith(`${w}:`) && document.getElementById("stop").hidden && !document.getElementById(w.toLowerCase()).disabled, what);

// figures are the rows of all tables: [column, value, chance, fraction].
const figures = page => page.$$eval("#tables table", tables => tables.flatMap(t => [...t.tBodies[0].rows].map(r => [t.caption.textContent, ...[...r.cells].slice(0, -1).map(c => c.textContent)])));

async function accessible(page, name) {
  await page.setBypassCSP(true);
  await page.evaluate(axe);
  for (const [width, scheme] of [[360, "light"], [360, "dark"], [1280, "light"], [1280, "dark"]]) {
    await page.setViewport({ width, height: 900 });
    await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
    seen.wide[`${name}, ${width}`] = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    const result = await page.evaluate(() => axe.run(document, { resultTypes: ["violations"] }));
    for (const v of result.violations) seen.violations.push(`${name}, ${scheme}, ${width}: ${v.id}: ${v.nodes[0].html.slice(0, 160)}`);
    if (process.env.SETPIECE_PICTURES) await page.screenshot({ path: path.join(process.env.SETPIECE_PICTURES, `${name}-${width}-${scheme}.png`), fullPage: true });
  }
  await page.emulateMediaFeatures([]);
  await page.setViewport({ width: 1280, height: 900 });
}

// move moves a number by the arrow keys, as somebody without a mouse does, and waits for the odds below a place.
async function move(page, place, name, up) {
  const id = await page.$$eval(".numbers label", (list, name) => list.find(l => l.textContent === name).htmlFor, name);
  await page.focus(`#${id}`);
  for (let i = 0; i < up; i++) await page.keyboard.press("ArrowRight");
  await until(page, p => document.querySelector(`${p} thead`)?.textContent.includes("now") && !document.querySelector("[aria-busy]"), place);
}

async function walk(links, seconds) {
  const page = await open(address);
  await page.evaluate(s => { patience = s; }, seconds);
  for (const link of links) {
    await page.evaluate(l => { byID("banner").hidden = true; location.hash = l; }, link);
    await until(page, () => !byID("banner").hidden);
    await page.click("#odds");
    await done(page, "Odds");
    const x = await page.evaluate(() => {
      for (const b of document.querySelectorAll("#tables button")) b.click();
      const texts = where => [...document.querySelectorAll(where)].map(e => e.textContent);
      return { wrong: texts("#result .error"), remarks: texts("#tables .soft") };
    });
    console.log(JSON.stringify({ ...x, figures: await figures(page) }));
  }
}

async function all() {
  for (const link of wanted.odds) {
    const began = Date.now();
    const page = await open(address + link);
    await until(page, () => document.getElementById("state").textContent.startsWith("Ready"));
    const x = { ready: Date.now() - began, text: await page.$eval("#text", e => e.value), ran: await page.evaluate(() => editor.service !== null || document.querySelector("#tables, #log") !== null) };
    await page.click("#odds");
    await found(page, "#tables table, .error");
    await done(page, "Odds");
    x.first = Date.now() - began;
    x.wrong = await page.$$eval(".error", list => list.map(e => e.textContent));
    await page.$$eval("#tables button", list => list.forEach(b => b.click()));
    x.figures = await figures(page);
    const again = Date.now();
    await page.evaluate(text => oddsOf(text, 10), x.text);
    x.again = Date.now() - again;
    seen.odds.push(x);
    await page.close();
  }

  // Links that were given out once.
  for (const link of wanted.stored) {
    const page = await open(address + link);
    await until(page, () => !document.getElementById("banner").hidden);
    seen.stored.push(await page.$eval("#text", e => e.value));
    await page.close();
  }

  // A number is moved.
  let page = await open(address);
  await page.evaluate(text => editor.set(text), wanted.number.text);
  await page.click("#odds");
  await found(page, ".numbers input");
  await done(page, "Odds");
  seen.before = await figures(page);
  await move(page, "#tables", wanted.number.name, wanted.number.up);
  seen.after = await figures(page);
  await accessible(page, "odds");

  // Typing is completed, and a mistake is told and mended.
  await page.evaluate(text => { editor.set(text); const t = document.getElementById("text"); t.focus(); t.setSelectionRange(t.value.length, t.value.length); }, wanted.typed.text);
  await page.keyboard.type(wanted.typed.keys);
  await until(page, () => !document.getElementById("offers").hidden);
  seen.offered = await page.$$eval("#offers .label", list => list.map(e => e.textContent));
  await page.keyboard.press("Tab");
  seen.completed = await page.$eval("#text", e => e.value);
  await page.evaluate(() => editor.set(editor.text.replace("roll", "rol QUICK vs hard")));
  await until(page, () => document.querySelector("#notes .wrong")?.textContent.includes("rol"));
  seen.mistake = await page.$eval("#notes .wrong", e => e.textContent);
  await accessible(page, "mistake");
  await (await page.$("#notes .wrong button:last-of-type")).click();
  await until(page, () => editor.text.includes("roll QUICK"));

  // A fight is played to its end by buttons, without a mouse. At the second question what it is worth is asked and
  // stopped, which ends the engine: nothing is lost.
  await page.evaluate(text => editor.set(text), wanted.fight);
  await page.focus("#odds");
  for (let i = 0; i < 2; i++) await page.keyboard.press("Tab"); // Run, Play
  await page.keyboard.press("Enter");
  seen.questions = [];
  for (;;) {
    await until(page, () => document.querySelector(".question .usual") || /The script has ended|Error/.test(document.getElementById("result").textContent) || document.querySelector(".error"));
    await done(page, "Play");
    const title = await page.evaluate(() => document.querySelector(".question p")?.textContent ?? "");
    if (!title || seen.questions.length > 300) break;
    seen.questions.push(title);
    if (seen.questions.length === 1) await accessible(page, "play");
    if (seen.questions.length === 2) {
      await page.evaluate(() => { [...document.querySelectorAll(".question button")].find(b => b.textContent === "What is it worth?").click(); stop(); });
      await until(page, () => document.getElementById("state").textContent === "Advice: stopped" && !document.querySelector(".question button:disabled"));
      await page.focus(".question .usual");
    }
    await page.evaluate(() => { document.activeElement.closest(".question").dataset.answered = "yes"; });
    await page.keyboard.press("Enter");
    await until(page, () => !document.querySelector("[data-answered]"));
  }
  seen.told = await page.$eval("#log", e => e.textContent);
  seen.ended = await page.$eval("#result", e => e.textContent.includes("The script has ended"));

  // What takes long is stopped at once.
  await page.evaluate(() => editor.set("let n = 0\nwhile n < 1000000000000 { n = n + 1 }\n"));
  await page.click("#run");
  await until(page, () => !document.getElementById("stop").hidden && !document.getElementById("progress").hidden);
  const pressed = Date.now();
  await page.click("#stop");
  await until(page, () => document.getElementById("state").textContent === "Run: stopped");
  seen.stopped = Date.now() - pressed;
  await page.close();

  // One file from the disk, and a report with the engine inside.
  page = await open(pathToFileURL(onePage).href + wanted.odds[0]);
  await until(page, () => document.getElementById("state").textContent.startsWith("Ready"));
  await page.click("#odds");
  await found(page, "#tables table");
  await done(page, "Odds");
  seen.fromDisk = await figures(page);
  await page.close();
  page = await open(pathToFileURL(report).href);
  await page.click("#live button");
  await found(page, "#live .numbers input");
  seen.live = await page.$$eval("#live tbody tr", rows => rows.map(r => r.textContent));
  seen.liveNumbers = await page.$$eval("#live label", list => list.map(l => l.textContent));
  await move(page, "#live", wanted.live, 1);
  seen.liveAfter = await page.$$eval("#live tbody tr", rows => rows.map(r => r.textContent));
  await accessible(page, "report");
  await page.close();

  // An example of the handbook, where there is one.
  if (example) {
    page = await open(pathToFileURL(example).href);
    await Promise.all([page.click('a[href*="playground.html#"]'), page.waitForNavigation()]);
    await until(page, () => document.getElementById("state").textContent.startsWith("Ready"));
    seen.tried = { text: await page.$eval("#text", e => e.value), ran: await page.evaluate(() => editor.service !== null) };
    await page.click("#odds");
    await found(page, "#tables table, .error");
    await done(page, "Odds");
    seen.tried.figures = await figures(page);
    await page.close();
  }
  console.log(JSON.stringify(seen));
}

try {
  await (wanted.walk ? walk(wanted.walk, wanted.seconds) : all());
} finally {
  await close();
  server.close();
}
