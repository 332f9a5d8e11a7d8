// asked.mjs GM-LINK PLAYERS-LINK: what the pages say of a question, where the script has a hero look something up and then waits
// for a command of theirs. It prints a line of JSON.
import { found, launch, press, said, text, until } from "./chromium.mjs";

const [masterLink, link] = process.argv.slice(2);
const { browser, close } = await launch();
const seen = {};
const open = async url => {
  const page = await (await browser.createBrowserContext()).newPage();
  await page.setViewport({ width: 1280, height: 800 });
  await page.goto(url);
  return page;
};

try {
  const gm = await open(masterLink), phone = await open(link);
  await found(phone, "#sit [name=who]");
  await phone.type('#sit input[aria-label="Your name"]', "Ben");
  await press(phone, "#sit button.main");
  for (const words of ["Before it begins", "A scene begins"]) {
    await said(gm, "#ask h2", words);
    await press(gm, "#ask button.main");
  }
  await said(gm, "#ask", "How hard");
  seen.script = await text(gm, "#ask .so li");
  await said(phone, "#roll", "against");
  seen.roll = await phone.evaluate(() => [...document.querySelectorAll("#roll .line:last-of-type > *")].map(e => e.textContent).join(" "));
  await press(gm, "#ask button.main");
  await said(phone, "#ask", "Drama Point");
  await said(gm, "#ask", "Drama Point");
  seen.offered = await phone.evaluate(() => [...document.querySelectorAll("#ask .opts button")].filter(b => b.checkVisibility()).map(b => b.textContent).join(" | "));
  seen.drama = await text(gm, "#ask .so li:first-child");
  await press(gm, "#think");
  await until(gm, () => document.querySelectorAll("#worth tbody th").length === 11);
  seen.worth = await gm.evaluate(() => {
    const all = [...document.querySelectorAll("#worth tbody th")], end = document.getElementById("worth").getBoundingClientRect().bottom;
    return `${all[0].textContent} ${all.at(-1).getBoundingClientRect().bottom <= end}`;
  });
  seen.columns = await text(gm, "#worth thead th");
  // The phone's answer is on its way while the game master's counts.
  await phone.evaluate(() => {
    const real = window.fetch;
    window.fetch = (url, o) => url === "/api/answer" ? new Promise(done => setTimeout(done, 1500)).then(() => { window.fetch = real; return real(url, o); }) : real(url, o);
  });
  await press(phone, "#ask .opts button:nth-child(2)");
  await press(gm, "#ask button.main");
  await found(phone, "#late:not([hidden])");
  seen.late = await text(phone, "#late");
  await said(gm, "#ask", "How hard");
  await said(phone, "#wait", "game master");
  seen.mine = await text(phone, "#roll ul li:first-child");
  await press(gm, "#ask button.main");
  await said(phone, "#ask", "What do you do");
  await said(gm, "#ask", "What does Nell do");
  seen.own = await text(phone, "#ask p:not(.ask, .bad)");
  await press(phone, "#undo");
  await found(gm, "#wanted:not([hidden])");
  seen.wanted = await text(gm, "#wanted");
  await gm.type("#ask textarea", "?");
  await until(gm, () => !/Press \?|working/.test(document.getElementById("worth").textContent));
  seen.asked = await gm.evaluate(() => document.querySelector("#ask textarea").value + document.querySelector("#ask [role=alert]").textContent);
  await gm.type("#ask textarea", "dance\n");
  await found(gm, "#ask [role=alert]:not(:empty)");
  await gm.type("#ask textarea", "s");
  seen.red = await text(gm, "#ask [role=alert]");
  // A whole command is sent at one press; the dots put it where it can be altered.
  await found(phone, "#ask .ways button");
  seen.hint = await phone.evaluate(() => document.querySelector("#ask textarea").placeholder);
  await press(phone, "#ask .way button + button");
  const whole = await phone.evaluate(() => [document.querySelector("#ask textarea").value.trim(), document.querySelector("#ask .way button").textContent]);
  seen.alter = whole[0] === whole[1];
  const sent = phone.waitForRequest(r => r.url().endsWith("/api/answer")).then(r => JSON.parse(r.postData()).text);
  await press(phone, "#ask .way button");
  seen.whole = await sent === whole[1];
  await press(gm, "#seats button");
  await until(gm, () => document.querySelectorAll("#seats button").length === 2);
  seen.once = await text(gm, "#seats button");
  await press(gm, "#seats button:last-child");
  await found(phone, "#freed:not([hidden])");
  seen.freed = `${await text(phone, "#freed")} ${await phone.evaluate(() => [...document.querySelectorAll("#sit [name=who]")].map(x => x.value).join())}`;
} finally {
  await close();
}
console.log(JSON.stringify(seen));
