// first.mjs FOLDER N FILE…: how long the playground in FOLDER (setpiece playground -o FOLDER) needs for the odds
// of scripts. Prints for each, as the least of N rounds in milliseconds: from opening its link in a new browser to
// its first odds, with the button pressed as soon as it is there; from the button to the odds where somebody has read
// for three seconds first; the same odds again, the least of five times; and those five times in a new node, which
// has the same engine and nothing else to do.
import { createRequire } from "node:module";
import { execFileSync } from "node:child_process";
import { createServer } from "node:http";
import { readFileSync } from "node:fs";
import { deflateRawSync, gunzipSync } from "node:zlib";
import path from "node:path";
import { launch, until } from "./chromium.mjs";

const require = createRequire(path.join(process.env.SETPIECE_BROWSER, "package.json"));
const [folder, rounds, ...files] = process.argv.slice(2);
const texts = files.map(f => readFileSync(f, "utf8"));
const kinds = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css" };
const server = createServer((request, response) => {
  try {
    const name = path.basename(new URL(request.url, "http://x").pathname) || "index.html";
    response.setHeader("Content-Type", kinds[path.extname(name)] ?? "application/octet-stream");
    response.end(readFileSync(path.join(folder, name)));
  } catch {
    response.writeHead(404).end();
  }
}).listen(0, "127.0.0.1");
await new Promise(done => server.once("listening", done));

// inPage gives the time to the first odds of a text, from opening its link or, with wait, from a button pressed so
// many milliseconds later; and the least of five times to work them out again.
async function inPage(text, wait) {
  const { browser, close } = await launch();
  try {
    const page = await browser.newPage();
    await new Promise(done => setTimeout(done, 2000)); // the browser itself has begun
    await page.evaluateOnNewDocument(wait => {
      window.first = new Promise(done => addEventListener("DOMContentLoaded", () => {
        let from = 0;
        new MutationObserver(() => { if (document.querySelector("#tables table, .error")) done(performance.now() - from); }).observe(document.body, { childList: true, subtree: true });
        const press = () => document.getElementById("odds").click();
        if (wait) setTimeout(() => { from = performance.now(); press(); }, wait);
        else press();
      }));
    }, wait);
    await page.goto(`http://127.0.0.1:${server.address().port}/#1.${deflateRawSync(text).toString("base64url")}`);
    const first = await page.evaluate(() => window.first);
    const wrong = await page.$$eval(".error", list => list.map(e => e.textContent).join());
    if (wrong) throw new Error(wrong);
    await until(page, () => editor.service && editor.service.open.size === 0);
    const again = await page.evaluate(async text => {
      const times = [];
      for (let i = 0; i < 5; i++) {
        const began = performance.now();
        await oddsOf(text, 10);
        times.push(performance.now() - began);
      }
      return Math.min(...times);
    }, text);
    return { first, again };
  } finally {
    await close();
  }
}

// engineHere starts the engine in node, and gives what asks it for the odds of a text.
async function engineHere() {
  require(path.resolve(folder, "wasm_exec.js"));
  const go = new Go();
  go.argv = ["setpiece", "serve"];
  go.env = { GOGC: "400" };
  const waiting = new Map();
  let rest = "", last = 0;
  globalThis.setpieceTell = text => {
    const lines = (rest + text).split("\n");
    rest = lines.pop();
    for (const m of lines.filter(Boolean).map(l => JSON.parse(l))) waiting.get(m.id)?.(m.result);
  };
  const { instance } = await WebAssembly.instantiate(gunzipSync(readFileSync(path.join(folder, "setpiece.wasm.gz"))), go.importObject);
  go.run(instance);
  const call = (method, params) => new Promise(done => {
    waiting.set(++last, done);
    setpieceHear(JSON.stringify({ jsonrpc: "2.0", id: last, method, params }) + "\n");
  });
  return async text => {
    const { evening } = await call("open", { v: 1 });
    await call("odds", { evening, text, seconds: 10 });
    await call("close", { evening });
  };
}

// leastOf gives the least of five times to do something.
async function leastOf(work) {
  let least = Infinity;
  for (let i = 0; i < 5; i++) {
    const began = performance.now();
    await work();
    least = Math.min(least, performance.now() - began);
  }
  return least;
}

if (rounds === "node") {
  const odds = await engineHere();
  await odds(texts[0]);
  console.log(await leastOf(() => odds(texts[0])));
  process.exit(0);
}
for (const [i, text] of texts.entries()) {
  const least = [Infinity, Infinity, Infinity, Infinity];
  for (let n = 0; n < +rounds; n++) {
    const page = await inPage(text, 0), reader = await inPage(text, 3000);
    const node = +execFileSync(process.execPath, [process.argv[1], folder, "node", files[i]], { encoding: "utf8" });
    for (const [k, t] of [page.first, reader.first, page.again, node].entries()) least[k] = Math.min(least[k], t);
  }
  const [first, read, again, node] = least.map(t => t.toFixed());
  console.log(`${path.basename(files[i])}: first ${first} ms, after reading ${read} ms, again ${again} ms, in node ${node} ms`);
}
server.close();
process.exit(0);
