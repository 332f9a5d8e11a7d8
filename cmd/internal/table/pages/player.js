// A player's page: their hero, what they are asked, what all may see.
import { $, Asked, Log, became, call, connection, die, display, el, fill, keep, keys, listen, order, pills, rated, refill, roll, sheet, where } from "./common.js";
import { aloud, last, learn, make, people, players, waiting } from "./screen.js";

const kept = () => JSON.parse(localStorage.getItem("seats") ?? "[]");

// sit asks who somebody is, and takes a seat: another one where theirs was freed.
async function sit(code, freed = false) {
  $("come").hidden = false;
  $("state").textContent = "";
  const ask = async () => {
    $("no").textContent = "";
    try {
      choose(code, await call("", "look", { code }));
      $("freed").hidden = !freed;
    } catch (e) { $("no").textContent = e.message; word(); }
  };
  const word = () => {
    const box = el("input", { "aria-label": "Code of the table", placeholder: "such as bamo-kefi", autocomplete: "off", autocapitalize: "off" });
    fill($("sit"), el("label", {}, "The code that the game master has ", box), el("button", { class: "main" }, "Come in"));
    $("sit").onsubmit = e => { e.preventDefault(); code = box.value.trim(); ask(); };
  };
  return code ? ask() : word();
}

// mine are the seats that this browser still has, in the order of the table.
const mine = table => table.seats.flatMap(s => kept().findLast(k => k.who === s.who && k.name === s.name && s.name) ?? []);

function choose(code, table) {
  const own = el("div", { class: "opts" }, ...mine(table).map(k => el("button", { type: "button", class: "main", on: { click: () => { keep("seat", k.token); play(k.token); } } }, `You are ${k.name}: go on as ${display(k.who)}`)));
  const full = () => { $("no").textContent = table.free.length || own.children.length ? "" : "Everybody is played already. The game master can free a seat."; };
  full();
  const name = el("input", { "aria-label": "Your name", placeholder: "Your name", maxlength: 40, autocomplete: "nickname", required: true, value: localStorage.getItem("name") ?? "" });
  const seats = el("fieldset"), sit = el("button", { class: own.children.length ? null : "main" }, "Sit down");
  const heroes = () => {
    const chosen = $("sit").querySelector("[name=who]:checked")?.value, at = Math.max(table.free.indexOf(chosen), 0);
    fill(seats, el("legend", {}, "You play"), ...table.free.map((who, i) =>
      el("label", { class: "row" }, el("input", { type: "radio", name: "who", value: who, checked: i === at, required: true }), el("b", {}, display(who)))));
    sit.disabled = table.free.length === 0;
    seats.hidden = name.hidden = sit.hidden = sit.disabled && own.children.length > 0;
  };
  heroes();
  fill($("sit"), el("p", { class: "soft" }, display(table.title)), own, name, seats, sit);
  // Who can be played changes while somebody waits here.
  const again = () => setTimeout(async () => {
    if ($("come").hidden || !seats.isConnected) return;
    const now = document.hidden ? table : await call("", "look", { code }).catch(() => table), same = now.free.join() === table.free.join();
    table = now;
    if (!same) { heroes(); full(); }
    again();
  }, 3000);
  again();
  $("sit").onsubmit = async e => {
    e.preventDefault();
    const who = new FormData($("sit")).get("who") ?? $("sit").querySelector("[name=who]:checked")?.value;
    try {
      const { token } = await call("", "sit", { code, who, name: name.value });
      localStorage.setItem("name", name.value);
      localStorage.setItem("code", code);
      localStorage.setItem("seats", JSON.stringify([...kept().slice(-5), { who, token, name: name.value.trim() }]));
      keep("seat", token);
      play(token);
    } catch (e) { $("no").textContent = e.message; }
  };
}

// ahead lists the decisions that came up: each can be answered ahead, until one takes that back.
function ahead(token, list) {
  const said = list.filter(d => d.answer).length;
  $("ahead").hidden = list.length === 0;
  $("aheadname").textContent = said ? `Answer in advance (${said} answered)` : "Answer in advance";
  fill($("aheads"), ...list.map(d => {
    const name = d.prompt || display(d.decision);
    const pick = el("select", { "aria-label": name }, el("option", { value: "" }, "Ask me"), ...d.options.map(o => el("option", { value: o, selected: o === d.answer }, `Always ${display(o)}`)));
    pick.onchange = () => call(token, "ahead", { decision: d.decision, answer: pick.value }).then(() => { $("aheadno").textContent = ""; }, e => { $("aheadno").textContent = e.message; pick.value = d.answer ?? ""; });
    return el("label", {}, name, " ", pick);
  }));
}

// calls has a bar in sight say what is asked while the question is out of sight.
function calls() {
  const bar = $("call"), asks = $("ask"), show = () => {
    const { top, bottom } = asks.getBoundingClientRect();
    bar.hidden = asks.hidden || bottom > 60 && top < innerHeight - 60;
    bar.textContent = bar.hidden ? "" : `You decide: ${asks.querySelector(".ask")?.textContent ?? ""}`;
  };
  bar.onclick = () => asks.scrollIntoView({ block: "start" });
  addEventListener("scroll", show, { passive: true });
  return show;
}

// reach brings a question into the window that has come on an answer from here, or in sight: as far as it fits what
// there is to press, with the question above it.
function reach(sent) {
  const asks = $("ask"), { top, height } = asks.getBoundingClientRect(), takes = asks.lastElementChild?.getBoundingClientRect();
  if (!takes || !sent && (top < 0 || top > innerHeight) || top >= 0 && takes.bottom <= innerHeight) return;
  if (height <= innerHeight) asks.scrollIntoView({ block: "start" });
  else asks.lastElementChild.scrollIntoView({ block: takes.height <= innerHeight ? "end" : "start" });
}

// acted is where somebody gave their last command, or the scene began.
const acted = (records, me) => records.findLastIndex(r => r.event === "command" && display(r.who ?? "") === me || r.event === "span" && r.name === "scene");
const ownRoll = (r, me) => !r.depth && r.event === "group" && display(r.who ?? "") === me && r.outcome !== "set";

// own is what concerns somebody since then, in a line each: what their command came to, and how they stand otherwise than before.
// born is how they stood when nothing of it had been told.
function own(records, me, born) {
  const from = acted(records, me), of = r => r.event === "moved" && display(r.who) === me;
  const now = new Map(), key = f => f.name && f.value ? `${f.name} ${f.key ?? ""}` : `${f.name ?? ""}${f.value ?? ""}`;
  for (const r of records.slice(from + 1).filter(of)) for (const f of r.facts) now.set(key(f), f);
  const before = f => [...records.slice(0, from + 1).filter(of).flatMap(r => r.facts).reverse(), ...born].find(x => key(x) === key(f))?.value;
  const stands = [...now.values()].flatMap(f => {
    const text = display([f.name, f.key, f.value].filter(Boolean).join(" ")), was = before(f), by = Number(f.value) - Number(was);
    return was === f.value && f.value ? [] : [was && by ? `${text} (${Math.abs(by)} ${by < 0 ? "less" : "more"})` : text];
  });
  const rolls = records.flatMap((r, i) => {
    if (i <= from || !ownRoll(r, me)) return [];
    const inside = records.slice(records.findLastIndex((x, k) => k < i && !x.depth) + 1, i);
    const notes = [r.fields?.note, ...inside.filter(x => x.event === "note").map(x => x.text)].filter(Boolean).join("; ");
    return [el("p", {}, ...make(r).childNodes, notes ? ": " + notes : "")];
  }).slice(-2);
  return [...rolls, stands.length ? el("p", {}, "You: ", stands.join(" · ")) : null].filter(Boolean);
}

// since is what has happened since somebody gave a command or the scene began, but for the last roll: the rolls, what is said
// of them, and what became of players. The newest stands first.
function since(records, last, me, asked) {
  const from = acted(records, me);
  const list = records.flatMap((r, i) => {
    if (i <= from || last?.some(x => x.roll === r || x.said.includes(r.text) || x.moved.some(([m]) => m === r))) return [];
    if (asked && ownRoll(r, me)) return []; // it stands above that
    if (!r.depth && (r.event === "note" || r.event === "group" && r.who && r.outcome !== "set")) return [make(r)];
    return r.event === "moved" && players.has(display(r.who)) && display(r.who) !== me ? [el("li", { class: "change" }, became(records, i))] : [];
  });
  return list.length ? [el("h2", {}, "Before it"), el("ul", { class: "log" }, ...list.slice(-6).reverse())] : [];
}

function play(token) {
  $("come").hidden = true;
  const called = calls();
  const log = new Log($("log"), make, ["moved", "note", "print"]), now = {};
  let sent = false;
  const answer = async p => {
    sent = true;
    until = 0;
    $("late").hidden = true;
    if (p.faces) sessionStorage.setItem("thrown", JSON.stringify({ dice: p.faces.map((face, i) => ({ die: asked.ask.dice[i], face })), rolls: rolls() }));
    await call(token, "answer", p).catch(e => { sent = false; sessionStorage.removeItem("thrown"); throw e; });
  };
  const rolls = () => log.records.filter(r => r.event === "group" && r.dice.length).length;
  // thrown shows what somebody typed until there is news of it, also when the page is opened again.
  const thrown = () => {
    const typed = JSON.parse(sessionStorage.getItem("thrown") ?? "null");
    $("thrown").hidden = typed?.rolls !== rolls() || now.ask?.so?.some(r => r.dice?.length);
    fill($("faces"), ...(typed?.dice ?? []).map(die));
  };
  const asked = new Asked($("ask"), answer, (text, at) => call(token, "complete", { text, at }));
  asked.me = true;
  // late says whose answer counted, where somebody else was first.
  asked.late = why => {
    const who = why.match(/: (.*) has answered$/)?.[1];
    if (who === now.name) return;
    $("late").textContent = `${who ? who[0].toUpperCase() + who.slice(1) + " was first" : "Somebody was first"}: your answer did not count.`;
    $("late").hidden = false;
    clearTimeout(asked.told);
    asked.told = setTimeout(() => { $("late").hidden = true; }, 60000);
  };
  asked.can = () => call(token, "can");
  // born are the facts of whoever sits here, from before anything of them was told.
  const born = mine => {
    if (mine && !log.records.some(r => r.event === "moved" && r.who === now.me)) sessionStorage.setItem("born", JSON.stringify(mine.facts ?? []));
    return JSON.parse(sessionStorage.getItem("born") ?? "[]");
  };
  keys(asked);
  // What can be said comes a moment behind a question, which grows by it.
  let until = 0;
  new ResizeObserver(() => { if (performance.now() < until) reach(true); }).observe($("ask"));
  const back = $("undo").textContent, wanted = { asked: "Asked. The game master decides.", no: "The game master says no", "taken back": "Taken back" };
  $("undo").onclick = () => call(token, "undo_wanted").catch(() => {});
  listen(token, m => {
    learn(m);
    log.apply(m);
    Object.assign(now, m);
    thrown();
    const me = display(now.me ?? ""), mine = (now.people ?? []).find(p => p.who === now.me);
    document.title = $("me").textContent = me;
    $("on").textContent = [...where(log.records), now.turn && (now.turn !== me ? `${now.turn}’s turn` : now.ask || now.wait === me ? "your turn" : "")].filter(Boolean).join(" · ");
    $("order").textContent = order(now.order);
    if (m.ahead) ahead(token, m.ahead);
    asked.since = () => own(log.records, me, born(mine));
    born(mine);
    const fresh = now.ask && now.ask.id !== asked.id;
    asked.show(now.ask, "You decide", where(log.records).join());
    $("wait").hidden = Boolean(now.ask) || !now.wait;
    $("wait").textContent = waiting(now);
    const waits = now.stage === "scene", rolled = log.last(waits);
    $("roll").hidden = !rolled;
    fill($("roll"), el("h2", {}, "Last roll"), ...roll(rolled, players), ...since(log.records, rolled, me, now.ask));
    fill($("aloud"), ...aloud(log.records, rolled, waits));
    $("end").hidden = !now.ended;
    if (now.ended) { fill($("end"), ...last(log.records, now.people ?? [])); $("wait").hidden = true; }
    $("you").hidden = $("there").hidden = $("told").hidden = false;
    $("undo").hidden = !now.back && !now.wanted;
    $("undo").textContent = wanted[now.wanted] ?? back;
    $("undo").disabled = now.wanted === "asked";
    fill($("facts"), ...(mine ? pills(mine) : []));
    if (m.sheet) {
      fill($("traits"), ...rated(m.sheet));
      fill($("sheet"), sheet(m.sheet));
    }
    refill($("people"), ...people((now.people ?? []).filter(p => p.who !== now.me), now.wait));
    if (fresh) { reach(sent); sent = false; until = performance.now() + 2000; }
    called();
  }, (how, since) => {
    connection($("state"))(how, since);
    if (how !== "gone") return;
    sessionStorage.removeItem("seat");
    sessionStorage.removeItem("born");
    localStorage.setItem("seats", JSON.stringify(kept().filter(k => k.token !== token)));
    sessionStorage.setItem("freed", "yes");
    location.reload();
  });
}

const code = location.hash.slice(1), token = sessionStorage.getItem("seat"), freed = sessionStorage.getItem("freed");
sessionStorage.removeItem("freed");
if (freed) sit(code || (localStorage.getItem("code") ?? ""), true);
else if (token && !code) play(token);
else if (!token && kept().length && !code) play(kept().at(-1).token);
else sit(code);
