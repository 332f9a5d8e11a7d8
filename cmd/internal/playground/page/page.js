// The page: runs the script of the editor, plays it, and shows its odds.
"use strict";

let strange = false; // the text came with a link, and nobody has pressed a button yet
let patience = 10; // seconds that odds may take
let result = null; // what is shown
let left = null; // what was played and not ended

const editor = new Editor(() => {
  strange = false;
  byID("banner").hidden = true;
  byID("sent").hidden = true;
  const x = examples[byID("examples").value];
  if (x && x.text !== editor.text) byID("examples").value = "";
  keep(editor.text);
  if (location.hash) history.replaceState(null, "", location.pathname + location.search);
});

// keep keeps the text for when the page is loaded again, where the browser lets it.
function keep(text) {
  try {
    sessionStorage.setItem("script", text);
  } catch { /* then it is not kept */ }
}

function kept() {
  try {
    return sessionStorage.getItem("script") ?? "";
  } catch {
    return "";
  }
}

function say(text) { byID("state").textContent = text; }

// show puts something into the place of the results. What was played there can be gone on with.
function show(...parts) {
  if (result?.saved) left = result;
  result = {};
  byID("result").replaceChildren(...parts);
  return result;
}

// doing does something that takes time, most seconds of it where that is known, with a button to stop it.
async function doing(what, work, most) {
  if (doing.since) return undefined;
  doing.since = Date.now();
  accepted();
  const buttons = ["odds", "run", "play", "report"].map(byID);
  for (const e of document.querySelectorAll("#result > .error")) e.remove();
  for (const b of buttons) b.disabled = true;
  const tick = setInterval(() => {
    const seconds = (Date.now() - doing.since) / 1000;
    byID("stop").hidden = false;
    byID("progress").hidden = false;
    if (most) byID("progress").value = Math.min(1, seconds / most);
    else byID("progress").removeAttribute("value");
    say(`${what}: ${Math.round(seconds)} s${most ? ` of ${most} s at most` : ""}`);
  }, 500);
  say(`${what} …`);
  try {
    const x = await work();
    say(`${what}: ${((Date.now() - doing.since) / 1000).toFixed(1)} s`);
    return x;
  } catch (err) {
    say(err instanceof Stopped ? `${what}: stopped` : `${what}: this went wrong`);
    if (!(err instanceof Stopped)) fail(err);
    return undefined;
  } finally {
    clearInterval(tick);
    doing.since = 0;
    editor.listen();
    byID("stop").hidden = byID("progress").hidden = true;
    for (const b of buttons) b.disabled = false;
  }
}
doing.since = 0;

// fail shows what is wrong below what is there.
function fail(err) {
  const list = err.data?.problems ?? [];
  const texts = list.map(p => `${p.line ? `line ${p.line}: ` : ""}${p.message}${p.help ? `\n${p.help}` : ""}`);
  byID("result").append(make("p", { className: "error", role: "alert" }, texts.join("\n") || err.message));
}

// accepted: somebody has pressed a button, so the text may be looked at. The language service, which is an
// engine of its own, waits until what was asked for is there.
function accepted() {
  strange = false;
  byID("banner").hidden = true;
  if (!doing.since) editor.listen();
}

const showOdds = seconds => doing("Odds", async () => {
  const { text } = editor;
  show();
  const o = await oddsOf(text, seconds);
  const place = make("div", { id: "tables" }, ...tables(o), ...remarks(o));
  show(make("h2", {}, "Odds"), place);
  const longer = Math.max(60, 5 * seconds);
  if (o.odds.trials || o.odds.sampled || o.odds.remainder > 0) byID("result").append(make("button", { type: "button", onclick: () => showOdds(longer) }, `Take up to ${longer / 60} minutes for exact odds`.replace("1 minutes", "a minute")));
  const numbers = editor.text === text ? editor.ask("setpiece/numbers").catch(() => []) : [];
  byID("result").append(sliders(await numbers, text, o, place, edits => { editor.apply(edits); showOdds(seconds); }));
}, seconds);

// Running and playing.

const seed = () => /^\d{1,19}$/.test(byID("seed").value.trim()) ? byID("seed").value.trim() : "0";

// telling shows what is told of an evening, and gives the place.
function telling() {
  const log = make("pre", { className: "told", id: "log", tabIndex: 0, role: "region", "aria-label": "Transcript" });
  let line = null;
  worker.heard.transcript = ({ text }) => {
    const low = log.scrollHeight - log.scrollTop - log.clientHeight < 40;
    for (const piece of text.match(/[^\n]*\n|[^\n]+/g) ?? []) {
      const begun = line?.textContent ?? "";
      line?.remove();
      log.append(line = lineOf(begun + piece));
      if (piece.endsWith("\n")) line = null;
    }
    if (low) log.scrollTop = log.scrollHeight;
  };
  worker.heard.event = ({ record }) => {
    if (record.event !== "again") return;
    log.textContent = "";
    line = null;
  };
  return log;
}

// lineOf shows a line of a transcript: headings stand out, and the ids of rules stand back.
function lineOf(text) {
  const [, body, rule] = /^(.*? {3})([a-z]\w*(?:\.\w+)+)\n?$/.exec(text) ?? [null, text, ""];
  return make("div", { className: /^[a-z]+ {2}\S/.test(text) ? "head" : "" }, body, rule && make("span", { className: "rule" }, rule), rule ? "\n" : "");
}

const run = () => doing("Run", async () => {
  const log = telling();
  show(make("h2", {}, `Run with seed ${seed()}`), log);
  const { evening } = await worker.call("open", { v: 1, text: editor.text, name: "script.scene", seed: seed(), auto: ["all"], transcript: true });
  worker.call("close", { evening }).catch(() => {});
});

// play asks, until the script has ended. What was played before of the same script goes on.
async function play() {
  const text = editor.text, told = { v: 1, forms: true, transcript: true };
  const old = result?.saved ? result : left, again = old?.text === text && old.seed === seed() ? old.saved : null;
  const log = telling(), question = make("div", { "aria-live": "polite" });
  const mine = show(make("h2", {}, "Play"), log, question);
  Object.assign(mine, { text, seed: seed() });
  const open = async (method, params) => {
    const { worker: engine } = worker, where = await worker.call(method, { ...told, ...params });
    return Object.assign(mine, { engine, where, evening: where.evening }).where;
  };
  // call tells the engine something of this evening. An engine that was stopped is gone, and another one takes up
  // what was saved at the question.
  const back = async () => open("load", { data: (await mine.saved).data });
  mine.call = async (method, params) => {
    if (mine.engine !== worker.worker) await back();
    return worker.call(method, { evening: mine.evening, ...params });
  };
  mine.start = () => open("open", { text, name: "script.scene", seed: mine.seed, ask: ["heroes"], quiet: "usual" });
  mine.saved = again;
  let where = await doing("Play", () => again ? back() : mine.start());
  while (where && result === mine) {
    if (!where.question) {
      mine.saved = left = null;
      question.replaceChildren(make("p", { className: "soft" }, "The script has ended."));
      return;
    }
    const before = mine.saved;
    mine.saved = mine.call("save").catch(() => before);
    const next = await asked(where.question, mine, question);
    if (result !== mine) return;
    where = await doing("Play", async () => {
      try {
        return await next();
      } catch (err) {
        if (!(err instanceof Stopped)) throw err;
        say("Play: stopped");
        return back(); // the answers so far are not lost
      }
    }) ?? where;
  }
}

// asked puts a question, and gives what was said as a call.
function asked(q, mine, place) {
  return new Promise(done => {
    const answer = params => done(() => mine.call("answer", { question: q.id, ...params }));
    const box = make("div", { className: "question", role: "group", "aria-label": "Question" }, make("p", {}, q.title[0].toUpperCase() + q.title.slice(1)));
    const below = [
      make("button", { type: "button", onclick: () => done(() => mine.call("undo")) }, "Undo"),
      make("button", { type: "button", onclick: () => done(() => { mine.saved = null; place.previousSibling.textContent = ""; return mine.start(); }) }, "From the start"),
    ];
    if (q.kind === "decision" && q.also?.length) box.append(form(q, answer));
    else if (q.kind === "decision") box.append(choices(q, answer));
    else box.append(typed(q, mine, answer));
    if (q.kind !== "dice") {
      below.unshift(make("button", { type: "button", onclick: e => { worth(q, mine, box, answer, e.target); } }, "What is it worth?"));
    }
    box.append(make("div", { className: "answers" }, ...below));
    place.replaceChildren(box);
    box.querySelector(".usual")?.focus({ preventScroll: false });
  });
}

function choices(q, answer) {
  return make("div", { className: "answers" }, ...q.options.map((o, n) => make("button", {
    type: "button", className: n === q.default ? "usual" : "", onclick: () => answer({ option: n }), "data-option": n,
  }, o)));
}

// form puts all that one person decides at one moment.
function form(q, answer) {
  const rows = [q, ...q.also].map((r, n) => {
    const id = `row${n}`;
    const options = r.options.map((o, k) => make("option", { value: k, selected: k === r.default }, o));
    return { id, r, select: make("select", { id }, ...options) };
  });
  const go = make("button", { type: "button", className: "usual", onclick: () => {
    const picked = rows.map(({ select, r }) => +select.value === r.default ? null : +select.value);
    answer({ option: picked[0] ?? q.default, also: picked.slice(1) });
  } }, "Go on");
  return make("div", {}, ...rows.map(({ id, r, select }) => make("div", { className: "row" }, make("label", { htmlFor: id }, r.title), select)), make("div", { className: "answers" }, go));
}

// typed puts a question for a command, or for the faces of dice.
function typed(q, mine, answer) {
  const input = make("input", { type: "text", id: "said", autocomplete: "off", placeholder: q.kind === "dice" ? "the faces" : "or another command", "aria-label": q.kind === "dice" ? "Faces" : "Command" });
  const list = make("datalist", { id: "saids" });
  input.setAttribute("list", "saids");
  if (q.kind === "command") {
    input.addEventListener("input", async () => {
      const at = new TextEncoder().encode(input.value.slice(0, input.selectionStart)).length;
      const r = await mine.call("complete", { text: input.value, at }).catch(() => null);
      if (!r) return;
      const head = new TextDecoder().decode(new TextEncoder().encode(input.value).slice(0, r.from));
      list.replaceChildren(...r.list.slice(0, 30).map(c => make("option", { value: head + c.text }, c.doc ?? "")));
    });
  }
  input.addEventListener("keydown", e => { if (e.key === "Enter") answer({ text: input.value }); });
  const usual = q.kind === "command" && q.usual;
  return make("div", {}, make("div", { className: "answers" }, usual ? make("button", { type: "button", className: "usual", onclick: () => answer({ text: "" }) }, q.usual) : null),
    make("div", { className: "row" }, input, list, make("button", { type: "button", className: usual ? "" : "usual", onclick: () => answer({ text: input.value }) }, "Do it")));
}

// worth says what each answer is worth; each can be given by its button.
async function worth(q, mine, box, answer, button) {
  button.disabled = true;
  const r = await doing("Advice", () => mine.call("advise", { question: q.id }));
  const advice = r?.records.find(x => x.event === "advice");
  button.disabled = Boolean(advice);
  if (!advice) return;
  const known = x => x !== null && x !== undefined;
  for (const goal of advice.goals) {
    const points = advice.options.map((o, n) => ({ value: q.kind === "decision" ? q.options[n] : o, p: goal.values[n], best: goal.best?.[n], n })).filter(x => known(x.p));
    const pick = x => answer(q.kind === "decision" ? { option: x.n } : { text: x.value });
    box.append(table({ column: goal.doc || goal.name, points, plain: goal.chance === false, pick }));
  }
}

const report = () => doing("Report", async () => {
  const heading = make("h2", {}, "How dangerous is it?"), { text } = editor;
  show(heading);
  const lenses = await editor.ask("textDocument/codeLens");
  const lens = lenses.find(l => l.command?.command === "setpiece.report");
  if (!lens) {
    show(heading, make("p", { className: "soft" }, "A report needs a script without mistakes and a scene that is played: scene \"The bridge\" { … fight }. Odds work for every script."));
    return;
  }
  const page = JSON.parse(await editor.service.call("workspace/executeCommand", { command: "setpiece.page", arguments: lens.command.arguments }));
  if (page.wrong) throw new Error(page.wrong);
  show(heading, ...reportOf(page, n => { byID("seed").value = n; run(); }));
  const numbers = await editor.ask("setpiece/numbers").catch(() => []);
  const place = make("div", { id: "tables" });
  byID("numbers").append(sliders(numbers, text, null, place, edits => { editor.apply(edits); report(); }), place);
}, 30);

function stop() {
  worker.stop();
  if (editor.service) { // a report runs there
    editor.service.stop();
    editor.service = null;
    editor.listen();
  }
}

async function share() {
  const end = await linkOf(editor.text);
  if (end.length > mostLetters || new Blob([editor.text]).size > mostText) {
    say("This script is too long for a link.");
    return;
  }
  const link = location.href.replace(/#.*/, "") + end;
  history.replaceState(null, "", link);
  byID("link").value = link;
  byID("sent").hidden = false;
  byID("link").focus();
  byID("link").select();
  const copied = await navigator.clipboard.writeText(link).then(() => true, () => false);
  say(copied ? `The link is copied: ${link.length} letters.` : `Copy the link: ${link.length} letters.`);
}

// arrive takes what the link has, or the first example.
async function arrive() {
  strange = location.hash.startsWith("#");
  if (!strange) return;
  try {
    editor.set(await textOf(location.hash), true);
    byID("banner").hidden = false;
    byID("examples").value = "";
  } catch (err) {
    strange = false;
    show();
    fail(err);
  }
}

let own = ""; // the text of somebody's own, while an example is looked at
const examples = typeof setpieceExamples === "undefined" ? [] : setpieceExamples;
byID("examples").append(...examples.map((x, n) => make("option", { value: n }, x.title)));
byID("examples").addEventListener("change", e => {
  const x = examples[e.target.value];
  if (!examples.some(x => x.text === editor.text)) own = editor.text;
  editor.set(x ? x.text : own);
});
byID("sentOK").addEventListener("click", () => {
  byID("sent").hidden = true;
  byID("share").focus();
});
for (const [id, work] of Object.entries({ odds: () => showOdds(patience), run, play, report, stop, share, accept: accepted, format: () => editor.format(), explain: () => editor.explain(editor.area.selectionStart) })) {
  byID(id).addEventListener("click", work);
}
window.addEventListener("hashchange", arrive);

// warm reads the systems that a script uses before somebody asks for anything, while they read it. Of the script
// it takes their names, and nothing else.
async function warm() {
  if (doing.since) return;
  const names = editor.text.match(/^use [a-z]{1,20}$/gm) ?? [];
  await oddsOf([...names, "report 2d6.sum"].join("\n"), 1).catch(() => { /* it is told when somebody asks */ });
}

const began = performance.now();
engine().then(() => {
  if (doing.since) return;
  say(`Ready after ${((performance.now() - began) / 1000).toFixed(1)} s`);
  if (!strange && editor.text) editor.listen();
  warm();
}, err => {
  say("");
  const file = location.protocol === "file:";
  fail(file ? new Error("A browser opens no engine from a folder of files. Serve the folder with any web server, or make the page one file: setpiece playground -o page.html") : err);
});
arrive().then(() => {
  if (strange || editor.text) return;
  const text = kept() || examples[0]?.text || "", n = examples.findIndex(x => x.text === text);
  byID("examples").value = n < 0 ? "" : n;
  if (text) editor.set(text, !editor.service);
});
