// table.mjs GM-LINK PLAYERS-LINK SCREEN-LINK [PICTURES]: opens the pages of an evening in Chromium, takes a seat for each hero on a
// page as wide as a phone, and takes the usual answer at each question, on the page of whoever is asked, until nobody is.
// It reloads the pages in between, and has both pages answer the first question at once. It prints a line of JSON: how many
// questions there were, what axe finds on each page in light and dark, how wide the pages are, what was asked of the network
// elsewhere, errors of the pages, and the records that the game master's page has. With PICTURES it leaves pictures in that folder.
import path from "node:path";
import { axe, found, launch, minutes, until } from "./chromium.mjs";

const [masterLink, link, screenLink, pictures] = process.argv.slice(2);
const seen = { questions: 0, violations: [], wide: {}, asked: [], errors: [], together: [], spilt: [], hand: "", declared: "", there: "", back: [], refused: [], reach: [], heads: [], end: "", you: "", log: [] };

const { browser, close } = await launch();

async function open(name, url, width) {
  const context = await browser.createBrowserContext();
  const page = await context.newPage();
  page.setDefaultTimeout(5 * minutes);
  page.on("request", r => { if (!r.url().startsWith(new URL(masterLink).origin) && !r.url().startsWith("data:")) seen.asked.push(r.url()); });
  page.on("console", m => { if (m.type() === "error" && !/409|422|429/.test(m.text())) seen.errors.push(`${name}: ${m.text()}`); });
  page.on("pageerror", e => seen.errors.push(`${name}: ${e}`));
  await page.setViewport({ width, height: 800 });
  await page.goto(url);
  return { name, page };
}

// look has axe look at a page in light and dark, at the widths that there are.
async function look({ name, page }, state, widths) {
  for (const width of widths) {
    await page.setViewport({ width, height: 800 });
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    if (wide > width) seen.wide[`${name}, ${state}, ${width}`] = wide;
    seen.spilt.push(...await page.evaluate(() => [...document.querySelectorAll("section *")].filter(e => e.getClientRects().length &&
      (e.getBoundingClientRect().right > e.closest("section").getBoundingClientRect().right || e.scrollWidth > e.clientWidth + 1 && /^(CODE|TD|TH|BUTTON)$/.test(e.tagName) && getComputedStyle(e).display !== "inline"))
      .map(e => e.outerHTML.slice(0, 120))).then(list => list.map(x => `${name}, ${state}, ${width}: ${x}`)));
    if (pictures) await page.screenshot({ path: path.join(pictures, `${name}-${state}-${width}.png`) });
  }
  for (const scheme of ["light", "dark"]) {
    await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }, { name: "prefers-reduced-motion", value: "reduce" }]);
    const session = await page.createCDPSession();
    await session.send("Runtime.evaluate", { expression: axe }); // the page's own policy lets no script in
    const result = await page.evaluate(() => axe.run(document, { resultTypes: ["violations"] }));
    for (const v of result.violations) seen.violations.push(`${name}, ${state}, ${scheme}: ${v.id}: ${v.nodes[0].html.slice(0, 160)}`);
    if (pictures && scheme === "dark") await page.screenshot({ path: path.join(pictures, `${name}-${state}-dark.png`) });
  }
  await page.emulateMediaFeatures([]);
}

// everything opens what the game master can look at: who can join, somebody's sheet, what answers are worth, and what the hand takes.
async function everything(page) {
  seen.there = await page.evaluate(() => [...document.querySelectorAll("#people .name")].map(e => e.textContent).join(", "));
  await page.click("#join summary");
  await page.click("#people .name");
  await found(page, "#whosheet tr");
  for (const who of ["ask", "roll"]) { // whose dice are thrown can be said of each, whoever throws for all
    await page.click(`#${who}-dice`);
    await found(page, `#${who}-dice[aria-pressed=true]`);
    await found(page, `#whohands [aria-label$="dice"] [aria-pressed=true]:nth-child(${who === "ask" ? 2 : 1})`);
  }
  await page.focus("#hand textarea");
  await found(page, "#hand .chips button");
  seen.hand = await page.evaluate(() => [...document.querySelectorAll("#hand .chips button")].map(e => e.textContent).join(" "));
  await page.type("#hand textarea", "someone Zoe { }\n");
  await found(page, "#said button");
  await page.click("#said button");
  seen.declared = await page.evaluate(() => document.querySelector("#hand textarea").value);
  await page.evaluate(() => { document.querySelector("#hand textarea").value = ""; });
  // What has just been changed above may stop it, and the page says so.
  for (let table = false; !table;) {
    await page.click("#think");
    table = await until(page, () => { const w = document.getElementById("worth"); return w.querySelector("td") ? "td" : /Press \? again/.test(w.textContent) && "no"; }).then(r => r.jsonValue()) === "td";
  }
}

// asks gives the id of the question that a page shows, "" for none.
const asks = page => page.evaluate(() => document.querySelector("#ask:not([hidden])")?.dataset.form ?? "");
const press = page => page.evaluate(() => document.querySelector("#ask button.main")?.click());

try {
  const master = await open("gm", masterLink, 1280);
  await until(master.page, () => document.getElementById("people").children.length > 0);
  const phones = [], waiting = await open("seat", link, 360);
  for (;;) {
    const phone = await open("phone", link, 360);
    const hero = await found(phone.page, "#sit [name=who], #no:not(:empty)").then(e => e.evaluate(x => x.value ?? ""));
    if (!hero) { await phone.page.close(); break; }
    if (phones.length === 0) await look(phone, "seat", [360]);
    await phone.page.type('#sit input[aria-label="Your name"]', "Player " + (phones.length + 1));
    await phone.page.click("#sit button.main");
    await until(phone.page, () => document.getElementById("me").textContent !== "At the table");
    if (phones.length === 0) { // whoever closes the page and opens the link again has their seat
      const page = await phone.page.browserContext().newPage();
      await page.goto(link);
      seen.again = await found(page, "#sit .opts button").then(e => e.evaluate(x => x.textContent));
      await page.close();
    }
    phones.push({ ...phone, hero });
  }
  await found(waiting.page, "#sit").then(() => until(waiting.page, () => !document.querySelector("#sit [name=who]"))); // all are taken
  await waiting.page.close();
  const screen = await open("screen", screenLink, 1280);
  await until(screen.page, () => document.getElementById("people").children.length > 0);
  const all = [master, ...phones];
  let away = false, far = null; // who answered while the page was scrolled down
  for (let last = ""; ; seen.questions++) {
    await until(master.page, id => {
      const now = document.getElementById("ask");
      return now.hidden ? !document.getElementById("over").hidden : now.dataset.form !== id;
    }, last);
    const id = await asks(master.page);
    seen.heads.push(await master.page.evaluate(() => document.querySelector(".roll .head")?.textContent ?? ""));
    if (!id) break;
    last = id;
    if (away) seen.back = await master.page.evaluate(() => [document.getElementById("ask").getBoundingClientRect().top, innerHeight]);
    const hero = await master.page.evaluate(() => document.getElementById("ask").dataset.hero ?? "");
    const asked = phones.find(p => p.hero === hero) ?? master;
    // A phone may still show the question that was answered last.
    if (asked !== master) await until(asked.page, id => {
      const now = document.getElementById("ask");
      return !now.hidden && now.dataset.form !== id && now.querySelector("button.main");
    }, asked.answered ?? "");
    if (far && far === asked) seen.reach = await asked.page.evaluate(() => {
      const box = document.querySelector("#ask").lastElementChild.getBoundingClientRect();
      return [box.top, innerHeight - box.bottom];
    });
    far = null;
    if (seen.questions % 7 === 2) {
      for (const { page } of [master, asked]) {
        await page.reload();
        await found(page, "#ask:not([hidden]) button.main");
      }
      last = await asks(master.page);
    }
    // Where nothing can be weighed, as where a scene begins, all is looked at one question later.
    if (seen.questions >= 3 && !seen.there && await master.page.evaluate(() => !document.getElementById("think").disabled)) {
      await everything(master.page);
      for (const p of [master, phones[0], screen].filter(Boolean)) await look(p, "play", p === phones[0] ? [360, 768] : [1280, 768, 360]);
      await Promise.all([master, ...phones].map(p => p.page.setViewport({ width: p === master ? 1280 : 360, height: 800 })));
    }
    const both = seen.questions === 0 && asked !== master ? [asked, master] : [asked];
    if (asked !== master && !seen.turn && await asked.page.$("#ask form.cmd")) {
      for (const what of [".ways", ".chips"]) await found(asked.page, `#ask ${what} button`); // behind a whole command nothing may be left to suggest
      await asked.page.click("#ask .way button + button");
      seen.turn = await asked.page.evaluate(() => document.querySelector("#ask textarea").value.trim() + "|" + document.querySelector("#ask .ways button").textContent);
      await look(asked, "turn", [360]);
      await asked.page.evaluate(() => {
        document.querySelector("#ask textarea").value = "";
        document.querySelector("#ask .ways .more")?.click();
      });
      await asked.page.type("#ask textarea", "whatever\n");
      await found(asked.page, "#ask [role=alert]:not(:empty)");
      seen.refused = await asked.page.evaluate(() => {
        const box = document.querySelector("#ask [role=alert]").getBoundingClientRect(), open = document.querySelectorAll("#ask .ways .rest:not([hidden])").length;
        document.querySelector("#ask textarea").value = "";
        return [box.top, innerHeight - box.bottom, -open];
      });
    }
    if (asked !== master && !seen.call && await asked.page.evaluate(() => document.querySelector("#ask").getBoundingClientRect().bottom + scrollY < document.body.scrollHeight - innerHeight)) {
      await asked.page.evaluate(() => scrollTo(0, document.body.scrollHeight));
      seen.call = await found(asked.page, "#call:not([hidden])").then(e => e.evaluate(x => x.textContent));
      await look(asked, "call", [360]);
      await asked.page.click("#call");
      await until(asked.page, () => document.querySelector("#call").hidden);
    }
    away = seen.questions === 4;
    if (away) await master.page.evaluate(() => { document.activeElement.blur(); scrollTo(0, document.body.scrollHeight); });
    asked.answered = await asks(asked.page);
    if (asked !== master && seen.call && !seen.reach.length) {
      far = asked;
      await asked.page.evaluate(() => { document.activeElement.blur(); scrollTo(0, document.body.scrollHeight); });
    }
    await Promise.all(both.map(p => press(p.page)));
    if (both.length === 2) seen.together = await Promise.all(both.map(async p => {
      await until(p.page, () => !document.querySelector("#ask button:disabled"));
      return p.page.evaluate(() => document.querySelector("#ask [role=alert]")?.textContent ?? "");
    }));
  }
  await look(master, "over", [1280, 360]);
  if (phones[0]) {
    await found(phones[0].page, "#end:not([hidden])");
    await look(phones[0], "over", [360, 740, 360]);
    seen.you = await phones[0].page.evaluate(() => document.getElementById("traits").innerText);
    seen.end = await phones[0].page.evaluate(() => document.getElementById("end").innerText);
  }
  seen.log = await master.page.evaluate(() => globalThis.table.records);
  for (const { page } of all) await page.close();
} finally {
  await close();
}
console.log(JSON.stringify(seen));
