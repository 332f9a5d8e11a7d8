// The second screen: what all players may see.
import { $, Log, call, connection, el, facts, fill, keep, line, listen, roll, where, display } from "./common.js";

export const make = r => {
  const l = line(r);
  return l && el("li", { class: l.kind }, l.text, l.outcome ? el("b", { class: l.tone }, " " + l.outcome) : null);
};

// people lists who takes part; now is whom everybody waits for.
export const people = (list, now) => list.filter(p => p.side === "players" || p.here).map(p =>
  el("li", { "aria-current": display(p.who) === now ? "true" : null }, el("span", { class: p.out ? "out" : null }, display(p.who)), el("span", {}, p.out ? "out" : ""), el("small", {}, facts({ facts: p.facts }))));

async function begin() {
  const code = location.hash.slice(1);
  if (code) keep("screen", (await call("", "sit", { code, screen: true })).token);
  const token = sessionStorage.getItem("screen");
  if (!token) return fill($("roll"), el("p", {}, "Open the link that the game master has for the second screen."));
  const log = new Log($("log"), make), now = {};
  listen(token, m => {
    log.apply(m);
    Object.assign(now, m);
    $("on").textContent = where(log.records).join(" · ") || display(now.title ?? "");
    fill($("roll"), ...roll(log.last()));
    fill($("people"), ...people(now.people ?? [], now.wait));
    $("wait").hidden = !now.wait;
    $("wait").textContent = now.wait ? `${now.wait} decides` : "";
  }, connection($("state")));
}

if (document.querySelector("main.screen")) begin().catch(e => { $("state").textContent = e.message; });
