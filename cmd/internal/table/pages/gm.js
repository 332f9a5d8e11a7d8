// The game master's page: everything there is, and all that can be done.
import { $, Asked, Log, answered, begun, call, connection, display, el, ending, facts, fill, keep, keys, line, listen, order, qr, refill, roll, sheet, show, spans, typed, where } from "./common.js";

if (location.hash.length > 1) keep("gm", location.hash.slice(1));
const token = sessionStorage.getItem("gm") ?? "";
const gm = (method, params) => call(token, method, params);
const now = { people: [], seats: [] };
let whoShown = null, shownIn = -1, shownAt = 0; // whose sheet is open, in which scene, and since when

// say tells what came of something that was done.
const say = (text, bad = false) => { $("said").textContent = text; $("said").className = bad ? "bad" : "soft"; };
const tried = f => (...args) => { say(""); return f(...args).catch(e => say(e.data?.problems?.[0]?.help ? `${e.message}: ${e.data.problems[0].help}` : e.message, true)); };
const does = (method, params) => tried(() => gm(method, typeof params === "function" ? params() : params ?? {}));

// ---- what happened -----------------------------------------------------------

// make makes a line of the log: with the rule that did it, whose text comes when it is pressed.
function make(r) {
  if (r.event === "moved" && r.out) return el("li", { class: "fell" }, `${display(r.who)}: ${facts(r)}`);
  const l = line(r);
  if (!l) return null;
  const li = el("li", { class: l.kind }, l.text, l.outcome ? el("b", { class: l.tone }, " " + l.outcome) : null);
  if (l.by === "usual") li.append(" ", el("button", { class: "quiet", on: { click: does("ask", { who: l.name }) } }, "Ask me"));
  if (r.rule) li.append(" ", el("button", { class: "quiet", on: { click: e => explain(li, r.rule, e.target) } }, el("code", {}, r.rule)));
  return li;
}

async function explain(li, rule, button) {
  const open = li.querySelector("p");
  if (open) return open.remove();
  const text = await gm("rule", { rule }).then(x => x.text, e => e.message);
  button.after(el("p", { class: "soft" }, text));
}

const log = globalThis.table = new Log($("log"), make);

// ---- who is there -------------------------------------------------------------

function people() {
  const asked = now.ask ? display(now.ask.hero ?? now.ask.who ?? "") : "";
  const nobody = !now.people.some(p => p.here && p.side === "players"); // as before a scene that says who is in it, or where only foes are named
  const some = now.people.filter(p => !p.of && (p.here || nobody && p.side === "players" || (p.out || p.side === "master") && p.facts?.length));
  refill($("people"), ...some.map(p => el("li", { "aria-current": display(p.who) === asked ? "true" : null },
    el("button", { class: "name" + (p.out ? " out" : ""), on: { click: () => whoShown === p.who ? closed() : opened(p.who) } }, display(p.who)), el("span", { class: p.side === "players" ? null : "secret" }, p.out ? "out" : display(p.who) === asked ? "now" : ""),
    el("small", {}, facts({ facts: p.facts })))));
  refill($("seats"), ...now.seats.map(s => el("li", {},
    el("span", { class: "dot " + (s.here ? "" : s.name ? "off" : "none"), role: "img", "aria-label": s.here ? "here" : s.name ? "away" : "nobody" }),
    el("span", {}, el("b", {}, s.name ?? "nobody yet"), el("small", {}, display(s.who))),
    s.name && freed !== s.who ? el("button", { class: "quiet", "aria-label": `free the seat of ${s.name}`, on: { click: () => { freed = s.who; people(); } } }, "free") : null,
    s.name && freed === s.who ? el("div", { class: "opts" }, el("button", { on: { click: () => { freed = null; people(); } } }, `${s.name} stays`), el("button", { on: { click: async () => { freed = null; await does("free", { who: s.who })(); } } }, `Free the seat of ${s.name}`)) : null)));
}
let freed = null; // whose seat is to be freed, once that is said again

// absent says who is played and not in the scene, and brings them in.
function absent() {
  const scene = begun(log.records), own = now.people.filter(p => !p.of && p.side === "players");
  const away = scene < 0 || scene === gone || !own.some(p => p.here) ? [] : now.seats.filter(s => s.name && own.some(p => p.who === s.who && !p.here && !p.out));
  $("absent").hidden = !away.length;
  refill($("absent"), ...away.map(s => {
    const line = `heroes ${/^[\p{L}\d_]+$/u.test(s.who) ? s.who : `"${s.who}"`}`;
    return el("p", {}, `${display(s.who)} is played by ${s.name} and not in this scene: `, el("button", { on: { click: does("say", { text: line }) } }, line), " ",
      el("button", { "aria-label": `Not now: ${display(s.who)} stays out of this scene`, on: { click: () => { gone = scene; absent(); } } }, "Not now"));
  }));
}
let gone = null; // the scene in which nobody more is brought in

const closed = () => { whoShown = null; $("who").hidden = true; };
const opened = who => { shownAt = performance.now(); look(whoShown = who); };
const look = tried(async who => {
  const s = await gm("state", { who: who.includes(" ") ? who.replaceAll(" ", "_") : who });
  if (whoShown !== who) return; // closed meanwhile
  $("who").hidden = false;
  $("whoname").textContent = display(who);
  fill($("whosheet"), sheet(s.sheet));
  const p = now.people.find(p => p.who === who && !p.of);
  refill($("whohands"), ...(p ? hands(p) : []));
});
// hands are the buttons that say who decides for somebody, and who throws their dice. What holds is pressed.
function hands(p) {
  const pair = (label, ...list) => el("div", { class: "pair", role: "group", "aria-label": `${display(p.who)}: ${label}` },
    ...list.map(([text, on, method, who]) => el("button", { "aria-pressed": String(on), on: { click: does(method, { who }) } }, text)));
  return [
    pair("who decides", ["Asked at the table", Boolean(p.asked), "ask", p.who], ["Tactics decide", !p.asked, "auto", p.who]),
    pair("whose dice", ["setpiece throws", !p.throws, "auto", "dice " + p.who], ["Own dice", Boolean(p.throws), "ask", "dice " + p.who]),
  ];
}

function join(j) {
  fill($("link"), el("p", {}, "Open ", el("code", {}, j.link), " on a phone in this network, or point its camera here:"), qr(j.qr),
    el("p", {}, "Without a camera: ", el("code", {}, j.address), " and the code ", el("b", {}, j.code)),
    el("p", {}, "For a second screen: ", el("code", {}, j.screen)));
}

// ---- what is asked ------------------------------------------------------------

const complete = (text, at) => gm("complete", { text, at });
// byHand completes a line of the hand: what is wanted most often stands first.
const often = ["give", "cut", "heroes", "take", "clear", "exit"];
const byHand = async (text, at) => {
  const found = await gm("complete", { text, at, by_hand: true });
  const place = c => (often.indexOf(c.text) + 1) || often.length + 1;
  return { from: found.from, list: found.list.sort((a, b) => place(a) - place(b)) };
};

// Mine is the question with what is the game master's alone: that it begins, goes on, and is over.
class Mine extends Asked {
  // A question mark alone in the field is the key that it is elsewhere.
  changed(box) {
    super.changed();
    if (box.input.value.trim() !== "?") return;
    box.put("");
    think();
  }
  question(ask) {
    if (ask.kind !== "pause") return super.question(ask);
    if (ask.title === "stopped") return ask.record.help ? `${ask.record.message}: ${ask.record.help}` : ask.record.message;
    return ask.title === "scene" ? display(spans(log.records).findLast(r => r.text && !/^\d+$/.test(r.text))?.text ?? "") : ask.title === "beginning" ? display(now.title) : ending(log.records) || "Nothing is left to play.";
  }
  pause(ask) {
    const go = text => el("div", { class: "opts bar" }, el("button", { class: "main", "data-first": true, on: { click: () => this.send({ text: "" }) } }, text));
    if (ask.title === "beginning") return el("div", { class: "form" }, el("ul", { class: "start", id: "start" }, ...starting()), go("Begin"));
    if (ask.title === "scene") return el("div", { class: "form" }, el("div", { id: "begun" }, ...tells()), go("Go on"));
    if (ask.title === "stopped") return el("div", { class: "form" }, ...stopped(ask), go("Take the last answer back"));
    return el("div", { class: "form" }, el("ul", { class: "people" }, ...standing()), el("p", { class: "soft" }, "The last answer can still be taken back. Behind the end you can go on by hand."), go("That is the end"));
  }
}
// stopped is where the script stops, and what helps.
const stopped = ({ record: r, line, options, notes }) => [r.line ? el("p", {}, `${r.file}, line ${r.line}: `, el("code", {}, line ?? "")) : null,
  el("p", { class: "soft" }, "Everything is kept. What you do by hand counts before this line, which is then tried again." + (options ? " You can tap or write:" : "")),
  ...(options ?? []).map((text, i) => el("p", {}, el("button", { on: { click: does("say", { text }) } }, text), " ", el("span", { class: "soft" }, notes[i])))].filter(Boolean);
// starting are the heroes before it begins: who sits there, who decides, whose dice.
const starting = () => now.people.filter(p => !p.of && p.side === "players").map(p => {
  const seat = now.seats.find(s => s.who === p.who);
  return el("li", {}, el("p", {}, el("b", {}, display(p.who)), " ", el("span", { class: "soft" }, seat?.name ? `${seat.name}${seat.here ? "" : ", away"}` : "nobody sits there yet")), ...hands(p));
});
// told is what was told since the scene began, and what the rules remark on who is in it, unless they have come since.
const told = () => {
  const from = log.records.findLastIndex(r => r.event === "span" && !r.end && r.text && !/^\d+$/.test(r.text));
  const came = now.people.filter(p => p.here && !p.of).map(p => `heroes "${display(p.who)}"`);
  return log.records.slice(from + 1).filter(r => !r.depth && (r.event === "print" || r.event === "note" && !came.some(line => r.text.includes(line))));
};
const tells = () => told().map(r => el("p", { class: r.event === "print" ? "told" : "soft" }, line(r).text));
const standing = () => now.people.filter(p => !p.of && (p.side === "players" || p.here || p.out)).map(p => el("li", {}, el("b", { class: p.out ? "out" : null }, display(p.who)), el("small", {}, facts({ facts: p.facts }))));
const asked = new Mine($("ask"), p => gm("answer", p), complete);
asked.can = () => gm("can");

function ask() {
  const a = now.ask, seat = a && now.seats.find(s => s.who === a.hero && s.name);
  const title = !a ? "" : a.kind === "pause" ? { beginning: "Before it begins", scene: "A scene begins", ending: "The evening is over", stopped: "The script stops here" }[a.title] : a.aside ? "What if: you decide" : !seat ? "You decide"
    : seat.here ? `${seat.name} decides; you may answer, too` : `${seat.name} is away: answer for them`;
  const fresh = a && a.id !== asked.id;
  asked.show(a, title, where(log.records).join());
  if (fresh) back();
  if ($("start")) fill($("start"), ...starting());
  if ($("begun")) fill($("begun"), ...tells());
  $("over").hidden = Boolean(a) || Boolean(now.course);
  $("other").hidden = !now.course;
  fill($("worth"), el("p", { class: "soft" }, weighed(a) ? "Press ? for what each answer is worth." : "Nothing to weigh now."));
  $("think").disabled = !weighed(a);
}
// back scrolls to the question that has come, but for who is typing something else, or is at the side.
function back() {
  const { top } = $("ask").getBoundingClientRect();
  if (!hand.input.value && !document.activeElement?.closest("aside") && (top < 0 || top > innerHeight / 2)) $("ask").scrollIntoView();
}
const weighed = a => a && a.kind !== "dice" && a.kind !== "pause";

const percent = x => (100 * x).toFixed(x > 0.1 && x < 0.9 ? 0 : 1) + " %";
const worth = (g, i) => g.values[i] == null ? ["–"] : [g.chance ? percent(g.values[i]) : g.values[i].toFixed(2), g.chance && g.half ? el("small", {}, "± " + (100 * g.half[i]).toFixed(0)) : null].filter(Boolean);
// weigh shows what each answer is worth, and how well that is known by now: the answer in a row, its figures beneath.
function weigh(x, more) {
  const some = x.goals.filter(g => g.chance || g.values.some(v => Math.abs(v) >= 0.005)); // a column of nothing says nothing
  if (some.length) x = { ...x, goals: some };
  const goal = x.goals.at(-1), form = now.ask?.also?.length;
  const flat = x.options.every(o => /^-?\d+$/.test(option(o))); // numbers stand beside their figures
  const figures = i => x.goals.map(g => el("td", { class: g.best[i] ? "good" : null }, ...worth(g, i)));
  fill($("worth"), form ? el("p", {}, now.ask.title) : null, el("table", { class: "worth" + (flat ? " flat" : "") },
    el("thead", {}, el("tr", {}, flat ? el("td", {}) : null, ...x.goals.map(g => el("th", { scope: "col", title: g.doc ?? null }, display(g.name))))),
    ...flat ? [el("tbody", {}, ...x.options.map((o, i) => el("tr", {}, el("th", { scope: "row" }, answered(now.ask?.title ?? "", o)), ...figures(i))))]
      : x.options.map((o, i) => el("tbody", {}, el("tr", {}, el("th", { scope: "rowgroup", colspan: x.goals.length }, option(o))), el("tr", {}, ...figures(i))))),
    el("p", { class: "soft" }, [goal?.doc, x.trials ? `by ${x.trials} trials each${more ? " so far" : ""}, later decisions as usual` : "exactly, with the best later decisions"].filter(Boolean).join("; ")));
}
// option is an answer as it is typed: a command as it stands.
const option = o => now.ask?.kind === "command" ? String(o) : show(o);
const think = async () => {
  const a = now.ask;
  if (!weighed(a)) return;
  fill($("worth"), el("p", { class: "soft", role: "status" }, "working it out …"));
  try {
    const { records: [x] } = await gm("advise", { form: a.id, progress: true });
    if (now.ask?.id === a.id) weigh(x);
  } catch (e) { // what else is done ends it; figures that have come stay
    if (now.ask?.id === a.id && !$("worth").querySelector("table")) fill($("worth"), el("p", { class: "soft" }, /cancel/.test(e.message) ? "That was stopped. Press ? again." : e.message));
  }
};
$("think").onclick = think;

// goes shows how the scene goes from here.
function goes(x) {
  const g = x?.record.goals[0];
  $("going").hidden = !g;
  if (!g) return;
  const half = g.half && 100 * g.half[0];
  $("chance").textContent = g.values[0] == null ? "–" : g.chance ? percent(g.values[0]) : g.values[0].toFixed(1);
  $("goal").textContent = (half ? `± ${half.toFixed(0)} ` : "") + (g.doc || display(g.name));
  $("how").textContent = !x.now ? "before what happens now" : [half ? `by ${x.record.trials} trials` + (x.more ? " so far" : "") : "exactly", "if everybody does what is usual"].join(", ");
}

// unasked shows what was answered as usual since the question before, each with a button to be asked from now on.
const prompted = u => [...log.records, ...now.ask?.record?.open ?? []].findLast(r => r.event === "decision" && r.name === u.decision && (r.who ?? "") === (u.who ?? ""))?.prompt || u.prompt || display(u.decision);
let usual = new Map();
function unasked(list) {
  const key = u => `${u.who} ${u.decision} ${u.answer}`;
  const fresh = list.filter(u => u.times !== usual.get(key(u)));
  if (fresh.length || list.length === 0) {
    $("unasked").hidden = !fresh.length;
    fill($("usuals"), ...fresh.map(u => {
      const li = el("li", {}, el("span", {}, u.who ? el("b", {}, display(u.who) + ": ") : null, prompted(u), " ", el("b", {}, answered(prompted(u), u.answer))),
        el("button", { class: "quiet", on: { click: async () => { await does("say", { text: ":ask " + u.decision })(); li.remove(); $("unasked").hidden = !$("usuals").children.length; } } }, "Ask from now on"));
      return li;
    }));
  }
  usual = new Map(list.map(u => [key(u), u.times]));
}

// ---- the hand ------------------------------------------------------------------

// declared offers the words that say who takes part, where a line begins with one that this system does not have.
function declared(text, e) {
  const words = e.data?.problems?.[0]?.help?.match(/^to say who takes part write (.*)/)?.[1].matchAll(/([a-z_]+) \(([^)]*)\)/g);
  return words && [e.message + ". Write", el("span", { class: "opts" }, ...[...words].map(([, word, what]) =>
    el("button", { on: { click: () => { say(""); hand.put(text.replace(/\S+/, word)); hand.input.focus(); } } }, word, el("small", {}, what))))];
}
// What is typed is done as beside a question at the terminal.
const hand = typed("A line of your own", "give …, heroes …, odds …, :ask …, :help", byHand, async text => {
  if (!text.trim()) return;
  say("");
  $("reply").hidden = true;
  try {
    const { reply } = await gm("say", { text });
    hand.put("");
    $("reply").textContent = reply;
    $("reply").hidden = !reply;
    if (!reply) say(`Done: ${text}`);
  } catch (e) {
    fill($("said"), ...declared(text, e) ?? asked.refused(e));
    $("said").className = "bad";
  }
});
hand.form.addEventListener("input", () => { if ($("said").className === "bad") say(""); });
$("hand").append(hand.form);
$("undo").onclick = does("undo", { times: 1 });
$("redo").onclick = does("redo", { times: 1 });
$("keep").onclick = does("keep");
$("drop").onclick = does("drop");
$("whatif").onclick = () => {
  const box = el("input", { "aria-label": "Another answer in the place of the last one", placeholder: "another answer in the place of the last one" });
  const form = el("form", { class: "cmd", on: { submit: e => { e.preventDefault(); form.remove(); does("what_if", { back: 1, line: box.value })(); } } }, box, el("button", {}, "Try it"));
  $("hand").append(form);
  box.focus();
};
const choice = (ids, method, params) => ids.forEach((id, i) => {
  $(id).onclick = async () => { await does(method[i], params[i])(); ids.forEach(x => $(x).setAttribute("aria-pressed", String(x === id))); };
});
choice(["roll-dice", "ask-dice"], ["dice", "dice"], [{ dice: "roll" }, { dice: "ask" }]);
choice(["q-usual", "q-all", "q-must"], ["auto", "ask", "auto"], [{ who: "everything" }, { who: "everything" }, { who: "costs" }]);
$("p-stop").onclick = does("pauses", { at: ["beginning", "scene", "ending", "stopped"] });
$("p-flow").onclick = does("pauses", { at: ["beginning", "ending", "stopped"] });
keys(asked, { "?": think, u: () => $("undo").click(), g: () => hand.input.focus(), "/": () => ($("ask").querySelector("input, textarea") ?? hand.input).focus() });

// ---- the stream ------------------------------------------------------------------

function differs(w) {
  const state = (w.state ?? []).map(s => el("li", {}, `${display(s.who)}: ${display(s.field)} ${s.was ?? "–"}, and then ${s.would ?? "–"}`));
  fill($("differs"), el("p", {}, "Instead of ", el("b", {}, w.instead), ": ", el("b", {}, w.line)), state.length ? el("ul", {}, ...state) : el("p", { class: "soft" }, "Nothing would be different."));
}

listen(token, m => {
  log.apply(m);
  Object.assign(now, m);
  if (m.progress) weigh(m.progress.record, true);
  if (m.notice) say(m.notice, true);
  if ("undo_wanted" in m) {
    $("wanted").hidden = !m.undo_wanted?.length;
    fill($("wanted"), ...(m.undo_wanted ?? []).map(w => el("p", {}, `${w.name} asks you to take back: ${(w.what || "what was entered last").replace(/^(.*\?.*) (\S+)$/, (_, prompt, answer) => `${prompt} ${answered(prompt, answer)}`)}${w.since ? `, and the ${w.since === 1 ? "answer" : w.since + " answers"} since then` : ""} `,
      el("button", { on: { click: does("undo_wanted", { who: w.who }) } }, "Take it back"), " ", el("button", { "aria-label": `No to ${w.name}`, on: { click: does("undo_wanted", { who: w.who, no: true }) } }, "No"))));
  }
  if (m.what_if) differs(m.what_if);
  if (m.join) join(m.join);
  if ("going" in m) goes(m.going);
  if (m.text != null || m.page) {
    $("script").textContent = now.page || now.text;
    $("scriptname").textContent = now.page ? "Your note, with the script" : "Your script";
  }
  if (m.ahead !== undefined) {
    $("ahead").hidden = !m.ahead?.length;
    fill($("aheads"), ...(m.ahead ?? []).map(a => el("li", {}, el("span", {}, `${a.who ? display(a.who) : "everybody"}: ${display(a.decision)}`, el("small", {}, `${display(a.answer)}${a.when ? " when " + a.when : ""}`)), null,
      el("button", { class: "quiet", on: { click: does("ahead", { decision: a.decision, who: a.who, answer: "" }) } }, "ask again"))));
  }
  if (m.books) fill($("books"), ...Object.entries(m.books).map(([name, to]) => el("li", {}, el("a", { href: to, target: "_blank", rel: "noopener" }, name === "report" ? "How dangerous it is: the report" : "The handbook"))));
  const waits = now.ask?.kind === "pause" && now.ask.title === "scene";
  if (m.add || m.cut != null || "ask" in m) {
    $("on").textContent = where(log.records).join(" · ") || display(now.title);
    $("title").textContent = document.title = display(now.title);
    fill($("roll"), el("h2", {}, "Last roll"), ...roll(log.last(waits)));
  }
  if ("dice" in m) for (const d of ["roll", "ask"]) $(d + "-dice").setAttribute("aria-pressed", String(m.dice === d));
  if (m.pauses) for (const [id, on] of [["p-stop", true], ["p-flow", false]]) $(id).setAttribute("aria-pressed", String(m.pauses.includes("scene") === on));
  if (m.usual) unasked(m.usual);
  people();
  absent();
  $("order").textContent = order(now.order);
  if ("ask" in m || "seats" in m || "people" in m || "course" in m) ask();
  if (shownIn !== (shownIn = begun(log.records)) && performance.now() - shownAt > 300) closed(); // what was opened as a scene began is meant for it
  if (whoShown && ("ask" in m || m.people)) look(whoShown);
}, connection($("state")));
