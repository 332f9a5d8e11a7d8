// The page: runs the script of the editor, plays it, and shows its odds.
"use strict";

let strange = false; // the text came with a link, and nobody has pressed a button yet
let result = null; // what is shown, and what is to be done when it goes

const editor = new Editor(() => {
  strange = false;
  byID("banner").hidden = true;
  if (location.hash) history.replaceState(null, "", location.pathname + location.search);
});

function say(text) { byID("state").textContent = text; }

// show puts something into the place of the results.
function show(...parts) {
  result = {};
  byID("result").replaceChildren(...parts);
  return result;
}

// doing does something that takes time, with a button to stop it. It may go on in the meantime.
async function doing(what, work) {
  if (doing.since) return undefined;
  accepted();
  doing.since = Date.now();
  const buttons = ["odds", "run", "play", "report"].map(byID);
  for (const b of buttons) b.disabled = true;
  const tick = setInterval(() => {
    byID("stop").hidden = false;
    say(`${what}: ${Math.round((Date.now() - doing.since) / 1000)} s`);
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
    byID("stop").hidden = true;
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

// accepted: somebody has pressed a button, so the text may be looked at.
function accepted() {
  strange = false;
  byID("banner").hidden = true;
  editor.listen();
}

const showOdds = () => doing("Odds", async () => {
  const { text } = editor;
  const [first, numbers] = [oddsOf(text, 10), editor.ask("setpiece/numbers").catch(() => [])];
  show();
  const o = await first;
  const place = make("div", { id: "tables" }, ...tables(o), ...remarks(o));
  show(make("h2", {}, "Odds"), place);
  byID("result").append(sliders(await numbers, text, o, place, edits => { editor.apply(edits); showOdds(); }));
});

// Running and playing.

const seed = () => /^\d{1,19}$/.test(byID("seed").value.trim()) ? byID("seed").value.trim() : "0";

// telling shows what is told of an evening, and gives the place.
function telling() {
  const log = make("pre", { className: "told", id: "log", tabIndex: 0, role: "region", "aria-label": "Transcript" });
  worker.heard.transcript = ({ text }) => {
    const low = log.scrollHeight - log.scrollTop - log.clientHeight < 40;
    log.append(text);
    if (low) log.scrollTop = log.scrollHeight;
  };
  worker.heard.event = ({ record }) => { if (record.event === "again") log.textContent = ""; };
  return log;
}

const run = () => doing("Run", async () => {
  const log = telling();
  show(make("h2", {}, `Run with seed ${seed()}`), log);
  const { evening } = await worker.call("open", { v: 1, text: editor.text, name: "script.scene", seed: seed(), auto: ["all"], transcript: true });
  worker.call("close", { evening }).catch(() => {});
});

async function play() {
  const log = telling(), question = make("div", { "aria-live": "polite" });
  const mine = show(make("h2", {}, "Play"), log, question);
  const opening = { v: 1, text: editor.text, name: "script.scene", seed: seed(), ask: ["heroes"], quiet: "usual", forms: true, transcript: true };
  let where = await doing("Play", () => worker.call("open", opening));
  while (where && result === mine) {
    if (!where.question) {
      question.replaceChildren(make("p", { className: "soft" }, "The script has ended."));
      return;
    }
    const { evening } = where;
    mine.saved = worker.call("save", { evening }).catch(() => null);
    const next = await asked(where.question, evening, question);
    if (result !== mine) return;
    try {
      where = await doing("Play", async () => {
        try {
          return await next();
        } catch (err) {
          if (!(err instanceof Stopped)) throw err;
          const kept = await mine.saved; // the answers so far are not lost
          log.textContent = "";
          return worker.call("load", { v: 1, data: kept.data, forms: true, transcript: true });
        }
      }) ?? where;
    } catch (err) {
      fail(err);
      return;
    }
  }
}

// asked puts a question, and gives what was said as a call.
function asked(q, evening, place) {
  return new Promise(done => {
    const answer = params => done(() => worker.call("answer", { evening, question: q.id, ...params }));
    const box = make("div", { className: "question", role: "group", "aria-label": "Question" }, make("p", {}, q.title));
    const below = [make("button", { type: "button", onclick: () => done(() => worker.call("undo", { evening })) }, "Undo")];
    if (q.kind === "decision" && q.also?.length) box.append(form(q, answer));
    else if (q.kind === "decision") box.append(choices(q, answer));
    else box.append(typed(q, evening, answer));
    if (q.kind !== "dice") {
      below.push(make("button", { type: "button", onclick: e => { e.target.disabled = true; worth(q, evening, box); } }, "What is it worth?"));
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
function typed(q, evening, answer) {
  const input = make("input", { type: "text", id: "said", autocomplete: "off", "aria-label": q.kind === "dice" ? "Faces" : "Command" });
  const list = make("datalist", { id: "saids" });
  input.setAttribute("list", "saids");
  if (q.kind === "command") {
    input.addEventListener("input", async () => {
      const at = new TextEncoder().encode(input.value.slice(0, input.selectionStart)).length;
      const r = await worker.call("complete", { evening, text: input.value, at }).catch(() => null);
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

// worth says what each answer is worth.
async function worth(q, evening, box) {
  const r = await doing("Advice", () => worker.call("advise", { evening, question: q.id }));
  const advice = r?.records.find(x => x.event === "advice");
  if (!advice) return;
  for (const goal of advice.goals) {
    const rows = advice.options.map((o, n) => ({ value: q.kind === "decision" ? q.options[n] : o, p: goal.values[n] })).filter(x => x.p !== null && x.p !== undefined);
    if (goal.chance === false) box.append(make("p", { className: "soft" }, `${goal.doc || goal.name}: ${rows.map(x => `${valueText(x.value)} ${x.p}`).join(" · ")}`));
    else box.append(table({ column: goal.doc || goal.name, points: rows }));
  }
}

const report = () => doing("Report", async () => {
  show(make("h2", {}, "How dangerous is it?"));
  const lenses = await editor.ask("textDocument/codeLens");
  const lens = lenses.find(l => l.command?.command === "setpiece.report");
  if (!lens) {
    byID("result").append(make("p", { className: "soft" }, "A report needs a scene that is played: scene \"The bridge\" { … fight }. Odds work for every script."));
    return;
  }
  const text = await editor.service.call("workspace/executeCommand", { command: lens.command.command, arguments: lens.command.arguments });
  byID("result").append(make("pre", { className: "told", tabIndex: 0, role: "region", "aria-label": "Report" }, text));
});

function stop() {
  worker.stop();
  if (editor.service) { // a report runs there
    editor.service.stop();
    editor.service = null;
    editor.listen();
  }
}

async function share() {
  const link = location.href.replace(/#.*/, "") + await linkOf(editor.text);
  history.replaceState(null, "", link);
  try {
    await navigator.clipboard.writeText(link);
    say(`The link is copied: ${link.length} letters.`);
  } catch {
    say(`The address of this page is the link now: ${link.length} letters.`);
  }
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

const examples = typeof setpieceExamples === "undefined" ? [] : setpieceExamples;
byID("examples").append(...examples.map((x, n) => make("option", { value: n }, x.title)));
byID("examples").addEventListener("change", e => {
  const x = examples[e.target.value];
  if (x) editor.set(x.text);
});
for (const [id, work] of Object.entries({ odds: showOdds, run, play, report, stop, share, accept: accepted, format: () => editor.format(), explain: () => editor.explain(editor.area.selectionStart) })) {
  byID(id).addEventListener("click", work);
}
window.addEventListener("hashchange", arrive);

const began = performance.now();
engine().then(() => say(`Ready after ${((performance.now() - began) / 1000).toFixed(1)} s`), err => {
  say("");
  const file = location.protocol === "file:";
  fail(file ? new Error("A browser opens no engine from a folder of files. Serve the folder with any web server, or make the page one file: setpiece playground -o page.html") : err);
});
arrive().then(() => {
  if (strange || editor.text || examples.length === 0) return;
  byID("examples").value = "0";
  editor.set(examples[0].text);
});
