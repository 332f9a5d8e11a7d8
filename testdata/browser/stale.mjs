// stale.mjs GM-LINK PLAYERS-LINK: what stays on the pages and what goes, where a player has typed what their dice show and the next
// scene is without one who is played. It prints a line of JSON.
import { found, launch, press, said, text, until } from "./chromium.mjs";

const [masterLink, link] = process.argv.slice(2);
const { browser, close } = await launch();
const seen = {};
const open = async url => {
  const page = await (await browser.createBrowserContext()).newPage();
  await page.setViewport({ width: 390, height: 844 });
  await page.goto(url);
  return page;
};
const begin = async words => { await said(gm, "#ask h2", words); await press(gm, "#ask button.main"); };
const gm = await open(masterLink), sits = async (who, name) => {
  const page = await open(link);
  await found(page, `#sit [value="${who}"]`);
  await press(page, `#sit [value="${who}"]`);
  await page.type('#sit input[aria-label="Your name"]', name);
  await press(page, "#sit button.main");
  await found(page, "#you:not([hidden])");
  return page;
};

try {
  const ann = await sits("Gale", "Ann"), ben = await sits("Old Oak", "Ben");
  await begin("Before it begins");
  await begin("A scene begins");
  await said(ann, "#ask", "What do you do");
  await said(gm, "#ask", "What does Gale do");
  await press(gm, "#people .name");
  await found(gm, "#who:not([hidden])");
  await gm.evaluate(() => { document.querySelector("#people .name").kept = true; });
  await gm.type("#hand textarea", ":ask dice Gale\n");
  await found(ann, "#ask .usual small, #ask .way button");
  await ann.type("#ask textarea", "attack Moth\n");
  await said(ann, "#ask", "Take Loud");
  seen.kept = await gm.evaluate(() => document.querySelector("#people .name").kept);
  seen.pool = await text(ann, "#ask .so li:last-child");
  await press(ann, "#ask button.main");
  await said(ann, "#ask", "Throw");
  const boxes = await ann.$$("#ask input");
  for (const [i, face] of ["9", "1", "5"].entries()) await boxes[i].type(face);
  await press(ann, "#ask button.main");
  seen.no = await text(ann, "#ask [role=alert]");
  await boxes[0].click({ count: 3 });
  await boxes[0].type("7");
  seen.mended = await text(ann, "#ask [role=alert]");
  await press(ann, "#ask button.main");
  await said(gm, "#ask", "rolled a 1"); // the game master is asked what to do with it
  await found(ann, "#thrown:not([hidden])");
  await ann.reload();
  await found(ann, "#thrown:not([hidden])");
  seen.thrown = await text(ann, "#faces text");
  await press(gm, "#ask button.main");
  await until(gm, () => { // to the next scene: what is asked is looked at and answered in one go
    const ask = document.querySelector("#ask"), begins = ask.textContent.includes("A scene begins");
    if (!begins) ask.querySelector("button.main:not(:disabled)")?.click();
    return begins;
  });
  await said(ben, "#on", "The cellar");
  seen.waits = [await text(ben, "#roll .head"), await text(ben, "#aloud p")].join(" / ");
  seen.sheet = await gm.evaluate(() => document.querySelector("#who").hidden);
  await begin("A scene begins");
  await said(ann, "#ask", "What do you do");
  seen.usual = await text(ann, "#ask .usual small");
  await until(ben, () => document.querySelector("#roll").hidden);
  seen.goes = [await text(ben, "#roll .head"), await text(ben, "#aloud p"), await text(ann, "#thrown h2")].join(" / ");
  await found(gm, "#absent:not([hidden]) p");
  seen.absent = await text(gm, "#absent p");
  await press(gm, "#absent button");
  await until(gm, () => document.querySelector("#absent").hidden);
  const change = { event: "change", who: "Gale", field: "panic", from: "calm", to: "startled" };
  seen.became = await gm.evaluate(change => import("/common.js").then(m => m.became([{ event: "group", dice: [] }, change, { event: "moved", who: "Gale", facts: [{ name: "startled" }] }], 2)), change);
  const frozen = [{ ...change, to: "freak_out" }, { event: "moved", who: "Gale", facts: [{ value: "a freak-out" }] }];
  const lines = [{ event: "group", label: "", dice: [], total: 14, outcome: "success", fields: { note: "led by Gale" } }, { event: "command", who: "Gale", text: "Gale: fear of Moth" }];
  seen.said = await gm.evaluate((list, lines) => import("/common.js").then(m => [m.became(list, 1), ...lines.map(r => m.line(r).text), m.ending(lines)].join(" | ")), frozen, lines);
  // In a chase a roll that replaces the run stays beside what the other side does; what was rolled before the race does not.
  const roll = (who, outcome) => ({ event: "group", who, label: "", dice: [], outcome, total: 9 }), turn = { event: "span", name: "turn", text: "2" }, command = { event: "command", who: "Gale" };
  seen.chase = await gm.evaluate(lists => import("/common.js").then(m => lists.map(add => {
    const log = new m.Log(document.createElement("ul"), () => null);
    log.apply({ add });
    return log.last().map(x => x.roll.who).join(", ");
  }).join(" | ")), [[turn, command, roll("Gale", "success"), roll("Moth", "set"), { event: "note", text: "lead 2" }], [roll("Gale", "success"), turn, roll("Moth", "set")], [turn, roll("Oak", "success"), roll("Gale", "set"), roll("Moth", "set")]]);
  seen.there = await text(gm, "#people .name");
} finally {
  await close();
}
console.log(JSON.stringify(seen));
