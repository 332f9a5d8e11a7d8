// The second screen: what all players may see.
import { $, Log, begun, call, connection, el, ending, facts, fill, keep, line, listen, refill, roll, toned, where, display } from "./common.js";

// players are those who have sheets of players, as far as anybody knows.
export const players = new Set();
export const learn = m => { for (const p of m.people ?? []) if (p.side === "players") players.add(display(p.who)); };

export const make = r => {
  if (r.event === "moved") return el("li", { class: r.out ? "fell" : "change" }, `${display(r.who)}: ${facts(r) || "as always"}`);
  const l = line(r);
  if (!l) return null;
  const tone = toned(r, players);
  if (r.event === "group" && !r.who && !r.label && r.outcome && !r.dice.length) return el("li", { class: "span" }, ending([r]));
  return el("li", { class: l.kind }, r.brief ? el("span", { class: tone }, l.text) : l.text, l.outcome && !r.brief ? el("b", { class: tone }, " " + l.outcome) : null);
};

// aloud is what was told in this scene since the last roll, and does not stand beside that: what the game master has read out,
// and what the rules say to all. While a scene that has begun waits, the rules' words of the one before stay.
export function aloud(log, rolled, waits) {
  const scene = begun(log), roll = log.findLastIndex(r => r.event === "group" && !r.depth && r.who);
  return log.filter((r, i) => i > roll && !r.depth && (r.event === "note" || r.event === "print") && (i > scene || waits && r.event === "note") && !rolled?.some(x => x.said.includes(r.text)))
    .map(r => el("p", {}, line(r).text));
}

// last is the card at the end of the evening: how it came out, and how everybody stands.
export function last(log, people) {
  const how = ending(log);
  return [el("h2", {}, "The end"), how ? el("p", { class: "ask" }, el("b", {}, how)) : null,
    el("ul", { class: "people" }, ...people.filter(p => p.side === "players" || p.here || p.out).map(p => el("li", {}, el("b", {}, display(p.who)), el("span"), el("small", {}, facts(p) || (p.side === "players" ? "unharmed" : "")))))];
}

// people lists who takes part; now is whom everybody waits for.
export const people = (list, now) => list.filter(p => p.side !== "opponents" || p.here || p.out).map(p =>
  el("li", { "aria-current": display(p.who) === now ? "true" : null }, el("span", { class: p.out ? "out" : null }, display(p.who)), el("span"), el("small", {}, facts(p))));

// waiting says whom everybody waits for.
export const waiting = now => !now.wait ? "" : now.stage === "stopped" ? `${now.wait} puts something right` : `${now.wait} decides`;

async function begin() {
  const code = location.hash.slice(1);
  if (code) keep("screen", (await call("", "sit", { code, screen: true })).token);
  const token = sessionStorage.getItem("screen");
  if (!token) return fill($("roll"), el("p", {}, "Open the link that the game master has for the second screen."));
  const log = new Log($("log"), make, ["moved", "note", "print"]), now = {};
  listen(token, m => {
    learn(m);
    log.apply(m);
    Object.assign(now, m);
    $("on").textContent = where(log.records).join(" · ") || display(now.title ?? "");
    const waits = now.stage === "scene", rolled = log.last(waits);
    fill($("roll"), ...roll(rolled, players));
    fill($("aloud"), ...aloud(log.records, rolled, waits));
    $("end").hidden = !now.ended;
    if (now.ended) fill($("end"), ...last(log.records, now.people ?? []));
    refill($("people"), ...people(now.people ?? [], now.wait));
    $("wait").hidden = !now.wait || now.ended;
    $("wait").textContent = waiting(now);
  }, connection($("state")));
}

if (document.querySelector("main.screen")) begin().catch(e => { $("state").textContent = e.message; });
