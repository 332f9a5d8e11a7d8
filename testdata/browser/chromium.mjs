// What the other files here begin with: Chromium, with a profile of its own that goes when it is closed. SETPIECE_BROWSER is the
// folder in which puppeteer-core and axe-core are installed.
import { createRequire } from "node:module";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

const require = createRequire(path.join(process.env.SETPIECE_BROWSER, "package.json"));
const puppeteer = require("puppeteer-core");
export const minutes = 60_000;

// axe is the text of axe-core, to be added to a page.
export const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

// launch gives the browser, and what closes it.
export async function launch() {
  const profile = mkdtempSync(path.join(tmpdir(), "setpiece-"));
  const browser = await puppeteer.launch({
    executablePath: process.env.SETPIECE_CHROMIUM ?? "/usr/bin/chromium", userDataDir: profile, protocolTimeout: 10 * minutes, // of a busy machine
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
  });
  return {
    browser,
    close: async () => {
      await browser.close();
      rmSync(profile, { recursive: true, force: true });
    },
  };
}

// At a page: what holds, waited for by the clock (a page behind another has no frames); the first element that a selector finds; the
// text of what it finds; waiting until it says something; and pressing it.
export const until = (page, holds, ...args) => page.waitForFunction(holds, { polling: 100 }, ...args);
export const found = (page, what) => until(page, what => document.querySelector(what), what);
export const text = (page, what) => page.evaluate(what => [...document.querySelectorAll(what)].filter(e => !e.closest("[hidden]")).map(e => e.textContent).join(" | "), what);
export const said = (page, what, words) => until(page, (what, words) => document.querySelector(what)?.textContent.includes(words), what, words);
export const press = (page, what) => page.evaluate(what => document.querySelector(what).click(), what);
