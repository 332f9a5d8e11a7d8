// What the pages share: the stream of messages, calls, and how records and questions are shown.
// Nothing here makes markup of a text: every text is a text node.

// el makes an element: el("p", {class: "soft"}, "some ", el("b", {}, "text")).
export function el(tag, attrs = {}, ...inside) {
  const e = document.createElement(tag);
  for (const [name, value] of Object.entries(attrs)) {
    if (name === "on") for (const [event, f] of Object.entries(value)) e.addEventListener(event, f);
    else if (value === true) e.setAttribute(name, "");
    else if (value !== false && value != null) e.setAttribute(name, value);
  }
  e.append(...inside.filter(x => x != null));
  return e;
}

export const $ = id => document.getElementById(id);

export function fill(parent, ...inside) { parent.replaceChildren(...inside.filter(x => x != null)); }

// refill fills what is told again and again: an element that would be the same stays, so that a press that has begun on it
// ends on it, and the keyboard stays where it is.
export function refill(parent, ...inside) {
  const fresh = inside.filter(x => x != null);
  fresh.forEach((x, i) => {
    const old = parent.children[i];
    if (!old) parent.append(x);
    else if (!old.isEqualNode(x)) old.replaceWith(x);
  });
  while (parent.children.length > fresh.length) parent.lastElementChild.remove();
}

// display is a name as people read it.
export const display = name => name.replaceAll("_", " ").replace(/^"([^"]*)"$/, "$1");

// worded is a value as a script writes it, in words: {"mental": d8} is mental d8.
const worded = value => /^[{[].*[}\]]$/s.test(value) ? value.slice(1, -1).replace(/"([^"]*)"(: )?/g, (_, text, key) => text + (key ? " " : "")).replaceAll("_", " ") : display(value);

// ---- the server -----------------------------------------------------------

// call calls a method and gives its result. What does not come through is sent again, as it is: if it
// has arrived the first time, it is over.
export async function call(token, method, params = {}) {
  for (let wait = 300; ; wait = Math.min(2 * wait, 5000)) {
    let r;
    try {
      r = await fetch("/api/" + method, {
        method: "POST", body: JSON.stringify(params),
        headers: token ? { Authorization: "Bearer " + token } : {},
      });
    } catch {
      await new Promise(done => setTimeout(done, wait));
      continue;
    }
    const answer = await r.json().catch(() => ({ error: { message: "the server said " + r.status } }));
    if (r.ok) return answer.result;
    const e = new Error(answer.error.message);
    e.status = r.status;
    e.data = answer.error.data;
    throw e;
  }
}

// listen reads the stream of messages for as long as the page is open, and comes back by the number of
// the last one. state is told "here", "lost" with the time since when, or "gone": the token is not valid.
export async function listen(token, message, state) {
  let id = "", wait = 300, lost = 0, heard = 0, stop = null;
  const late = () => { if (stop && Date.now() - heard > 12000) stop.abort(); };
  setInterval(late, 1000);
  const since = setInterval(() => { if (lost) state("lost", lost); }, 1000);
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden && Date.now() - heard > 6000) stop?.abort();
  });
  for (;;) {
    stop = new AbortController();
    heard = Date.now();
    try {
      const r = await fetch("/api/stream", {
        headers: { Authorization: "Bearer " + token, "Last-Event-ID": id }, signal: stop.signal,
      });
      if (r.status === 401) { clearInterval(since); return state("gone"); }
      if (!r.ok) throw new Error(r.statusText);
      const reader = r.body.pipeThrough(new TextDecoderStream()).getReader();
      for (let rest = ""; ;) {
        const { value, done } = await reader.read();
        if (done) break;
        heard = Date.now();
        if (lost || rest === "") { lost = 0; wait = 300; state("here"); }
        const blocks = (rest + value).split("\n\n");
        rest = blocks.pop();
        for (const b of blocks) {
          const found = b.match(/^id: (.*)\ndata: (.*)$/s);
          if (!found) continue;
          try { message(JSON.parse(found[2])); } catch (e) { console.error(e); } // a fault of the page is none of the connection
          id = found[1];
        }
      }
    } catch { /* it comes back */ }
    lost ||= Date.now();
    state("lost", lost);
    await new Promise(done => setTimeout(done, wait));
    wait = Math.min(2 * wait, 5000);
  }
}

// keep has a token stay in this tab, and takes what the link says out of the address.
export function keep(kind, value) {
  sessionStorage.setItem(kind, value);
  history.replaceState(null, "", location.pathname);
}

// connection says in words whether the page is connected.
export function connection(where) {
  return (how, since) => {
    const text = how === "here" ? "connected" : how === "gone" ? "this link is not valid any more"
      : `connection lost ${Math.round((Date.now() - since) / 1000)} s: trying again`;
    where.textContent = text;
    where.className = "push " + (how === "here" ? "soft" : "bad");
  };
}

// ---- values and records ----------------------------------------------------

// show is a value as text.
export function show(v) {
  if (v == null) return "none";
  if (v === true || v === false) return v ? "yes" : "no";
  if (Array.isArray(v)) return v.map(show).join(", ");
  if (typeof v !== "object") return display(String(v));
  if (v.die) return "d" + v.die + "+".repeat(v.pluses ?? 0);
  if (v.fraction) return v.fraction;
  if (v.map) return Object.entries(v.map).map(([k, x]) => display(k) + " " + show(x)).join(", ") || "nothing";
  return Object.values(v).map(show).join(" ");
}

const good = new Set(["success", "hit", "hits", "set", "defeated", "wins"]);
const bad = new Set(["failure", "flub", "miss", "misses", "fails", "botch"]);

// line is a record as a line of the log, null for what has none: its text, and what kind it is.
export function line(r) {
  const deep = r.depth ? "inner" : "main";
  switch (r.event) {
    case "span":
      return r.end || !r.text ? null : { kind: "span", text: /^\d+$/.test(r.text) || r.name === "round" ? `${display(r.name)} ${r.text}` : r.text };
    case "group": {
      const said = r.brief || [display(r.label) || !r.who && r.fields?.note && show(r.fields.note), r.total != null && show(r.total)].filter(Boolean).join(": ");
      let text = `${display(r.who ?? "")} ${said}`.trim();
      if (r.brief && r.total != null) text += `, ${show(r.total)}`;
      if (r.against != null) text += ` against ${show(r.against)}`;
      const outcome = r.outcome && r.outcome !== "set" && !(r.brief && r.against == null) ? display(r.outcome) : ""; // the words say it
      return { kind: deep, text, outcome, tone: good.has(r.outcome) ? "good" : bad.has(r.outcome) ? "bad" : "" };
    }
    case "change":
      return { kind: "change " + deep, text: `${display(r.who)}: ${display(r.field)} ${show(r.from)} → ${show(r.to)}` };
    case "decision":
      return { kind: "decision " + deep, text: `${r.who ? display(r.who) + ": " : ""}${r.prompt || display(r.name)} ${answered(r.prompt ?? "", r.answer)}`, by: r.by, name: r.name };
    case "command":
      if (!r.who) return { kind: "command", text: `by hand: ${r.text}` };
      return { kind: "command", text: r.text ? `${display(r.who)}: ${r.text.replace(/^("[^"]*"|[\p{L}\d_]+): /u, (said, who) => display(who) === display(r.who) ? "" : said)}` : `${display(r.who)} acts` };
    case "note": return { kind: "note " + deep, text: r.text };
    case "print": return { kind: "told", text: r.text ?? show(r.value) };
    case "report": return { kind: "report", text: `${r.name}: ${show(r.value)}` };
    case "value": return { kind: "report", text: show(r.value) };
    case "dice": return { kind: "main", text: `${r.who ? display(r.who) + ": " : ""}${r.dice.map(d => `d${d.die} ${d.face}`).join(", ")}` };
    case "warn": case "fault": return { kind: "warn", text: r.text };
    case "tactics": return { kind: "warn", text: `${display(r.who)}: tactics refused: ${r.command}: ${r.refused}` };
    case "expect": return { kind: "warn", text: "not as expected: " + r.text };
  }
  return null;
}

// where is what is going on: the titles of the spans that are open, the outermost first.
export const where = log => spans(log).map(line).filter(Boolean).map(x => x.text);
export function spans(log) {
  const open = [];
  for (const r of log) {
    if (r.event !== "span") continue;
    if (!r.end) open.push(r);
    else {
      const at = open.findLastIndex(x => x.name === r.name);
      if (at >= 0) open.length = at;
    }
  }
  return open;
}

// begun is where the last scene began, -1 for nowhere.
export const begun = log => log.findLastIndex(r => r.event === "span" && r.name === "scene" && !r.end);

// order says who acts when.
export const order = o => !o ? "" : [[o.now && `now ${o.now}`, o.then && `then ${o.then.join(", ")}`].filter(Boolean).join(", "), o.left && `still to act: ${o.left.join(", ")}`, o.says].filter(Boolean).join("; ");

// Log shows records as lines, the newest first, and takes back what did not happen. What happened inside
// a roll stands beneath it: what the log tells at once, the rest when it is asked for. Of a long evening the newest
// lines are made first, the others while the page can already be used.
export class Log {
  constructor(list, make, told = ["change"]) { this.list = list; this.make = make; this.told = told; this.records = []; this.lines = []; this.unmade = 0; }
  apply(m) {
    if (m.cut != null) {
      this.records.length = m.cut;
      for (const e of this.lines.splice(m.cut)) e?.remove();
      this.unmade = Math.min(this.unmade, m.cut);
    }
    const had = this.records.length;
    this.records.push(...m.add ?? []);
    const from = had ? had : this.chunk(this.records.length);
    this.list.prepend(this.made(from, this.records.length));
    if (!had) this.older(from);
  }
  // chunk is where a part of the lines begins that ends at a record.
  chunk(end) { return this.begin(Math.max(0, end - 100)); }
  made(from, to) {
    const fresh = document.createDocumentFragment();
    for (let i = from; i < to; i++) {
      const r = this.records[i], e = this.lines[i] = this.make(r);
      if (!e) continue;
      if (r.depth && !this.told.includes(r.event)) e.hidden = true;
      if (!r.depth && r.event === "group") this.unfold(e, i);
      if (r.event === "moved") this.instead(r, i);
      fresh.prepend(e);
    }
    return fresh;
  }
  older(end) {
    this.unmade = end;
    if (end) setTimeout(() => {
      const to = this.unmade, from = this.chunk(to);
      this.list.append(this.made(from, to));
      this.older(from);
    });
  }
  unfold(e, at) {
    const hidden = () => this.lines.slice(this.begin(at), at).filter(x => x?.hidden);
    if (hidden().length === 0) return;
    let shown = [];
    const open = () => {
      const list = shown.length ? shown : hidden();
      for (const x of list) x.hidden = shown.length > 0;
      shown = shown.length ? [] : list;
      button.setAttribute("aria-expanded", String(shown.length > 0));
    };
    const button = el("button", { class: "quiet", "aria-expanded": "false", on: { click: open } }, "how");
    e.append(" ", button);
  }
  // instead hides the changes, also in the roll that made them, of which is told how somebody stands after them.
  instead(moved, at) {
    for (let x, roll; (x = this.records[--at]) && (roll ? x.depth : ["change", "moved", "group"].includes(x.event));) {
      if (x.event === "group") roll = x;
      if (x.event === "change" && x.who === moved.who && this.lines[at]) this.lines[at].hidden = true;
    }
  }
  begin(at) {
    while (at > 0 && this.records[at - 1].depth) at--;
    return at;
  }
  // last is the last roll, with the records inside it, and those before it that only set something side by side with it,
  // as in a chase, or one against which it alone was set; null for none. waits: the scene that has begun waits, so what was
  // before stays in sight.
  last(waits = false) {
    const list = [];
    for (let at = this.records.length - 1; at >= (waits ? 0 : Math.max(0, begun(this.records))); at--) {
      const r = this.records[at];
      const decided = r.event === "group" && !r.depth && r.outcome !== "set";
      if (list.length && (r.event === "span" || decided && (list.length > 1 || !r.who || r.who === list[0].roll.who))) break;
      if (r.event !== "group" || r.depth || !r.who && !r.dice.length) continue;
      const moved = [], said = [];
      for (let i = this.begin(at), x; (x = this.records[i]) && (i <= at || ["change", "moved", "note"].includes(x.event)); i++) {
        if (x.event === "moved") moved.push([x, became(this.records, i)]);
        if (x.event === "note" && i > at) said.push(x.text);
      }
      list.unshift({ roll: r, inside: this.records.slice(this.begin(at), at), moved, said });
      if (r.outcome !== "set") break;
    }
    return list.length ? list : null;
  }
}

// ---- dice ------------------------------------------------------------------

const shapes = {
  4: "M24 4 45 43 3 43Z", 6: "M6 6H42V42H6Z", 8: "M24 3 42 14 42 34 24 45 6 34 6 14Z", 10: "M24 3 44 20 24 45 4 20Z",
  12: "M24 3 45 19 37 44 11 44 3 19Z", 20: "M13 4 35 4 46 24 35 44 13 44 2 24Z",
};
const svg = (tag, attrs) => {
  const e = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attrs)) e.setAttribute(name, value);
  return e;
};

// die is a die as its shape, with its size beneath.
export function die(d) {
  const says = `d${d.die} shows ${d.face}${d.kept ? ", counts" : ""}${d.name ? ", " + display(d.name) : ""}`;
  const s = svg("svg", { viewBox: "0 0 48 48", role: "img", "aria-label": says, class: "die" + (d.kept ? " kept" : "") + (d.face === 1 ? " one" : "") });
  s.append(svg("path", { d: shapes[d.die] ?? "M24 3A21 21 0 0 1 24 45A21 21 0 0 1 24 3Z" }));
  const t = svg("text", { x: 24, y: d.die === 4 ? 38 : 31 });
  t.textContent = d.face;
  s.append(t);
  const size = el("small", { "aria-hidden": "true" }, "d" + d.die);
  return el("span", { class: "d", title: d.name ? display(d.name) : null }, s, size);
}

// qr is a code as a picture, of rows of 0 and 1.
export function qr(rows) {
  let path = "";
  rows.forEach((row, y) => [...row].forEach((c, x) => { if (c === "1") path += `M${x + 2} ${y + 2}h1v1h-1z`; }));
  const n = rows.length + 4;
  const s = svg("svg", { viewBox: `0 0 ${n} ${n}`, role: "img", "aria-label": "the link as a QR code", class: "qr" });
  s.append(svg("path", { d: `M0 0h${n}v${n}h-${n}z`, class: "paper" }), svg("path", { d: path, class: "ink" }));
  return s;
}

// ending is how a scene came out, or what else the rules sum up of nobody, and what no command came to.
const isEnding = (r, at, log) => r.event === "group" && !r.who && !r.label && r.outcome && r.total == null && !r.dice.length
  && log.slice(0, at).findLast(x => x.event === "command" || x.event === "span")?.event !== "command";
export const ending = log => {
  const r = log.findLast(isEnding);
  const how = r ? display(r.outcome) : "";
  return /[^s]s$/.test(how) ? `The ${how} win` : how && how[0].toUpperCase() + how.slice(1);
};

// toned is the tone of an outcome for players: what fails a foe is good for them.
export const toned = (r, players) => {
  const tone = line(r).tone;
  return !tone || !r.who || !players || players.has(display(r.who).split(".")[0]) ? tone : tone === "good" ? "bad" : "good";
};

// roll is the last roll: who, the dice, the total and what it came to.
export function roll(last, players) {
  return last?.flatMap(x => rolled(x, players)) ?? [el("p", { class: "soft" }, "No dice have fallen yet.")];
}
// plain has the same words for what the rules call so and what they say of it: without an article and hyphens.
const plain = text => display(text).replace(/^an? /, "").replaceAll("-", " ");
// became is how somebody stands after what has happened to them, with what else has changed.
export function became(records, at) {
  const r = records[at], changed = new Map(), keys = x => Object.keys({ ...x.from?.map, ...x.to?.map }).map(display);
  const named = x => (r.facts ?? []).some(f => [display(x.field), "no " + display(x.field)].includes(display(f.name ?? "")) || !(f.name && f.value) && plain(f.value ?? f.name ?? "") === plain(show(x.to)) || keys(x).some(k => k === display(f.key ?? "") || f.name?.startsWith("no ") && f.name.endsWith(" " + k)));
  for (let x, roll; (x = records[--at]) && !(x.event === "moved" && x.who === r.who);) {
    if (x.event === "change" && x.who === r.who && !r.out && !named(x)) changed.set(x.field, { ...x, to: changed.get(x.field)?.to ?? x.to });
    if (x.depth || x.event === "change" || x.event === "moved") continue;
    if (roll || x.event !== "group") break;
    roll = x;
  }
  const list = [...changed.values()].filter(x => show(x.from) !== show(x.to)).map(x => `${display(x.field)} ${show(x.from)} → ${show(x.to)}`).reverse();
  return `${display(r.who)}: ${[...list, facts(r) || "as always"].join(" · ")}`;
}
function rolled({ roll: r, inside, moved, said: after }, players) {
  const groups = [...inside.filter(x => x.event === "group" && x.dice.length > 0), ...(r.dice.length > 0 ? [r] : [])];
  const rows = groups.map(g => el("div", { class: "line" },
    groups.length > 1 || g !== r ? el("span", { class: "who" }, `${display(g.who ?? "")} ${g.label}`) : null, ...g.dice.map(die), g !== r && g.total != null ? el("b", { class: "num sum" }, "= " + show(g.total)) : null));
  const said = line(r), tone = toned(r, players);
  if (players && r.brief && !r.margin) said.outcome = "";
  const so = [r.fields?.note, ...inside.filter(x => x.event === "note" && (players || x.depth === 1)).map(x => x.text), ...(players ? [...after, ...moved.map(([, text]) => text)] : [])].filter(Boolean);
  const end = el("div", { class: "line" },
    r.total != null ? el("span", { class: "total num" }, show(r.total)) : null,
    r.against != null ? el("span", {}, "against ", el("b", { class: "num" }, show(r.against))) : null,
    said.outcome ? el("b", { class: tone }, said.outcome + (r.margin != null && r.margin !== 0 && said.tone !== (r.margin < 0 ? "good" : "bad") ? ` by ${Math.abs(Number(r.margin)) || show(r.margin)}` : "")) : null);
  return [el("p", { class: "head" }, el("b", { class: players && r.brief ? tone : null }, `${display(r.who ?? "")} ${r.brief || display(r.label)}${fallen(r, moved)}`)), ...rows, end, ...so.map(t => el("p", {}, t))];
}

// fallen is who is out by a roll, in the words of the rules, where the words of the roll do not say so.
function fallen(r, moved) {
  const said = ` ${display(r.who ?? "")} ${r.brief ?? ""} `;
  const fell = new Map();
  for (const [x] of moved) {
    const state = x.facts?.find(f => !f.name !== !f.value && !/^no /.test(f.name)), how = display(state?.value ?? state?.name ?? "out");
    if (x.out && !r.brief?.includes(how)) fell.set(how, [...fell.get(how) ?? [], display(x.who)]);
  }
  const list = [...fell].map(([how, names]) => said.endsWith(` ${names.join(", ")} `) ? how : `${names.join(", ")} ${how}`);
  return list.length ? ": " + list.join("; ") : "";
}

// again is what is thrown once more, without what it is thrown for.
const again = title => title.replace(/ for again\b/, " again");

// answered is an answer in words: no dice, points or the like for a question of yes or no are a no.
export const answered = (prompt, answer) => /\?( |$)/.test(prompt) && !/^([^:]*: )?(how|which|what) /i.test(prompt) && show(answer) === "0" ? "no" : show(answer);

// ---- questions --------------------------------------------------------------

// Asked shows the question that is open in a section, and sends what is answered.
export class Asked {
  // send(params) answers; complete(text, at) lists what may stand there.
  constructor(section, send, complete) { this.section = section; this.sendTo = send; this.complete = complete; this.id = null; this.drafts = new Map(); }

  // box is where a command is typed. What stands in it, and was not sent, is there again when whoever acts is asked again in
  // the same moment.
  box() { return this.ask?.kind === "command" ? this.section.querySelector("form.cmd textarea") : null; }
  keep() {
    const box = this.box();
    if (box) this.drafts.set(this.ask.who, box.value);
  }
  show(ask, title, moment = this.moment) {
    const fresh = ask && ask.id !== this.id;
    if (ask && !fresh) {
      if (this.title !== title) this.section.querySelector("h2").textContent = this.title = title;
      return;
    }
    this.keep();
    if (moment !== this.moment) this.drafts.clear();
    this.moment = moment;
    const had = this.section.contains(document.activeElement);
    this.id = ask?.id ?? null;
    this.title = title;
    this.ask = ask;
    this.section.hidden = !ask;
    this.section.dataset.form = ask?.id ?? "";
    this.section.dataset.hero = ask?.hero ?? "";
    if (!ask) return fill(this.section);
    this.error = el("p", { class: "bad", role: "alert" });
    const led = ask.so ?? ask.record?.open ?? [], so = led.flatMap(r => this.led(r, led));
    fill(this.section, el("h2", {}, title), ...this.since?.() ?? [], el("p", { class: "ask" }, el("b", {}, this.question(ask))),
      so.length ? el("ul", { class: "so" }, ...so.filter((li, i) => !so.slice(i + 1).some(x => x.textContent === li.textContent))) : null, this.error, this[ask.kind](ask));
    const no = ask.refused ?? ask.record?.refused; // the last command was taken back
    if (no) {
      this.drafts.set(ask.who, ask.tried ?? ask.record.tried);
      fill(this.error, ...this.refused({ message: no.message, data: { problems: [no] } }));
    }
    const box = this.box(), draft = this.drafts.get(ask.who);
    if (box && draft) box.value = draft;
    if (fresh && (had || document.activeElement === document.body || document.activeElement == null)) this.focus();
  }
  focus() { (this.section.querySelector("[data-first]") ?? this.section).focus({ preventScroll: true }); }
  question(ask) {
    if (this.me) return this.own(ask);
    if (ask.kind === "command") return `What does ${display(ask.who)} do?`;
    return ask.kind === "dice" ? again(ask.title) + ": what do they show?" : ask.title;
  }
  // own is a question to whoever reads it.
  own(ask) {
    if (ask.kind === "command") return "What do you do?";
    if (ask.kind === "dice") return `Throw ${again(ask.title.replace(/ \([^()]*\)$/, ""))}`;
    return ask.title.replace(/^[^:]*: /, "");
  }
  // led is what has led to a question, in lines.
  led(r, all) {
    if (r.event === "change" || r.event === "command" && !this.me) return [el("li", {}, line(r).text)];
    if (r.event !== "group") return [];
    const list = [], made = r.dice?.length && r.total != null && r.against == null && r.outcome === "set";
    if (r.open && !r.dice?.length && r.label && (this.me || !all.some(x => x.event === "command" && x.who === r.who))) list.push(el("li", {}, `${display(r.who ?? "")} ${display(r.label)}`));
    if (r.fields?.note) list.push(el("li", {}, show(r.fields.note)));
    if (r.dice?.length) list.push(el("li", { class: "line" }, el("span", { class: "who" }, `${display(r.who ?? "")} ${r.label}`), ...r.dice.map(die), made ? el("b", { class: "num sum" }, "= " + show(r.total)) : null));
    if (r.total != null && !made) list.push(el("li", {}, `so far ${show(r.total)}${r.against != null ? ` against ${show(r.against)}` : ""}${r.outcome && r.outcome !== "set" ? ": " + display(r.outcome) : ""}`));
    return list;
  }
  async send(params) {
    this.busy(true);
    this.error.textContent = "";
    const box = this.box(), text = box?.value, who = this.ask.who;
    if (box) box.value = ""; // it is sent: nothing to keep
    try { await this.sendTo({ form: this.id, ...params }); } catch (e) {
      if (text) this.drafts.set(who, text);
      if (this.box()) this.box().value = text ?? "";
      if (e.status === 409) this.late?.(e.message);
      if (e.status !== 409 || !this.late) fill(this.error, ...this.refused(e));
    }
    this.busy(false);
    if (!this.error.textContent) return;
    for (const b of this.section.querySelectorAll(".more[aria-expanded=true]")) b.click();
    this.error.scrollIntoView({ block: "center" });
  }
  // refused says why an answer was none, and offers the command that is meant.
  refused(e) {
    const help = e.data?.problems?.[0]?.help, meant = e.data?.meant, which = e.data?.which;
    if (which) return [e.message, el("span", { class: "opts" }, ...which.map(text => el("button", { on: { click: () => this.send({ text }) } }, text)))];
    if (!meant) return [help ? `${e.message}: ${help}` : e.message];
    const take = el("button", { class: "main usual", on: { click: () => this.send({ text: meant }) } }, el("span", {}, meant), el("small", {}, "take it"));
    return [e.message.endsWith(meant) ? "Did you mean" : `${e.message}. Did you mean`, take];
  }
  busy(on) { for (const b of this.section.querySelectorAll("button")) b.disabled = on; }

  decision(ask) { return ask.also?.length ? this.form(ask) : this.options(ask); }
  options(ask) {
    const { options, cost } = ask, last = options.length - 1, many = last > 4 && options.every(o => /^-?\d+$/.test(o));
    const offer = last === 1 && options[0] === "no" && options[1] === "yes" || many && cost && ask.default === 0 && options[0] === "0"; // a yes has a cost
    const plus = ask.title.includes("+" + options[last]) ? "+" : "";
    const one = i => {
      const usual = i === ask.default;
      const costs = offer && i === last && cost ? `${cost}${ask.left ? `, ${ask.left} left` : ""}` : "";
      const says = !offer ? display(options[i]) : i === 0 ? "No" : i < last ? plus + options[i] : many ? `Yes, ${plus}${options[i]}` : "Yes";
      return el("button", { class: usual ? "main" : null, "data-first": usual, "data-key": many ? options[i] : i + 1, on: { click: () => this.send({ option: i }) } },
        el("span", {}, says), el("small", {}, [costs, ask.notes?.[i], usual ? "usual" : ""].filter(Boolean).join(" · ")));
    };
    const all = options.map((_, i) => i), rest = all.filter(i => many && (offer ? i !== 0 && i !== last : i > 5) && i !== ask.default);
    const list = all.filter(i => !rest.includes(i)).map(one);
    if (offer && plus) return el("div", { class: "opts" }, ...list, el("span", { hidden: true }, ...rest.map(one))); // less for the same is only typed
    return el("div", { class: "opts" }, ...list, ...rest.length ? more(rest, one) : []);
  }
  // form is several decisions of the same person; what is not changed takes the usual answer.
  form(ask) {
    const rows = [ask, ...ask.also];
    const inputs = rows.map((r, i) => {
      const name = r.title.replace(/^[^:]*: /, "");
      const yesno = r.options.length === 2 && r.options[0] === "no";
      if (yesno) return el("input", { type: "checkbox", id: "row" + i, checked: r.default === 1, "data-first": i === 0 });
      return el("select", { id: "row" + i, "aria-label": name, "data-first": i === 0 }, ...r.options.map((o, k) => el("option", { value: k, selected: k === r.default }, [display(o), r.notes?.[k]].filter(Boolean).join(": "))));
    });
    const value = i => inputs[i].type === "checkbox" ? (inputs[i].checked ? 1 : 0) : Number(inputs[i].value);
    const labels = rows.map((r, i) => el("label", { class: "row", for: "row" + i }, inputs[i],
      el("span", {}, el("b", {}, r.title.replace(/^[^:]*: /, "")), r.cost ? null : el("small", {}, ""))));
    const go = el("button", { class: "main", on: { click: () => this.send({ option: value(0), also: rows.slice(1).map((_, i) => value(i + 1)) }) } }, "Go on");
    return el("div", { class: "form" }, ...labels, el("div", { class: "opts bar" }, go));
  }
  dice(ask) {
    const inputs = ask.dice.map((size, i) => el("input", { type: "number", inputmode: "numeric", min: 1, max: size, required: true, "aria-label": ask.dice.length > 1 ? `d${size}, die ${i + 1}: ${ask.title}` : ask.title, "data-first": i === 0 }));
    const boxes = ask.dice.map((size, i) => el("label", { class: "face" }, inputs[i], el("small", {}, "d" + size)));
    const show = e => {
      e.preventDefault();
      const wrong = inputs.find(x => !/^\d+$/.test(x.value) || x.value < 1 || x.value > Number(x.max));
      if (!wrong) return this.send({ faces: inputs.map(x => Number(x.value)) });
      fill(this.error, `a d${wrong.max} shows 1 to ${wrong.max}`);
      wrong.focus();
    };
    const form = el("form", { class: "form", novalidate: true, on: { submit: show, input: () => this.changed() } },
      el("div", { class: "line" }, ...boxes), el("div", { class: "opts bar" }, el("button", { class: "main" }, "They show this")));
    return form;
  }
  command(ask) {
    const box = typed(this.me ? "What you do" : "What they do", this.me && !ask.usual ? "a plain sentence will do" : ask.usual ?? "", this.complete, text => this.send({ text }), !ask.usual);
    box.form.addEventListener("input", () => this.changed(box));
    const usual = ask.usual ? el("button", { class: "main usual", on: { click: () => this.send({ text: "" }) } }, el("span", {}, ask.usual), el("small", {}, this.me ? "usual" : "usual: Enter")) : null;
    const done = ask.record?.done?.length ? el("p", { class: "soft" }, "so far: " + ask.record.done.join(" · ")) : null;
    box.input.setAttribute("data-first", "");
    const ways = el("div", { class: "ways", role: "group", "aria-label": "What you can do", hidden: true });
    if (this.can) this.ways(ways, box);
    return el("div", { class: "form" }, done, usual, ways, box.form, el("div", { class: "opts" }, el("button", { on: { click: () => this.send({ text: "pass" }) } }, "Nothing more")));
  }
  // changed is called when somebody has altered what they type: what was wrong with it is not so any more.
  changed() { fill(this.error); }
  // ways lists whole commands: a press gives one, the dots beside it put it where it can be altered.
  async ways(where, box) {
    const { commands, likely } = await this.can().catch(() => ({ commands: [], likely: 0 })), some = Math.min(likely, 4);
    const alter = text => { box.put(text + " "); box.form.scrollIntoView({ block: "center", behavior: "smooth" }); };
    const one = text => el("div", { class: "way" }, el("button", { type: "button", on: { click: () => this.send({ text }) } }, text),
      el("button", { type: "button", "aria-label": `alter ${text}`, on: { click: () => alter(text) } }, "…"));
    where.hidden = !commands.length;
    fill(where, ...commands.slice(0, some).map(one));
    if (commands.length > some) where.append(...more(commands.slice(some), one));
    if (!box.input.value) box.put("");
  }
}

const bytes = text => new TextEncoder().encode(text).length;
const upTo = (text, n) => new TextDecoder().decode(new TextEncoder().encode(text).slice(0, n));

// kinds are the heads of suggestions.
const kinds = [["trait", "With"], ["character", "Whom"], ["verb", "What"], ["", "Words"]];
const few = 8;

// chips are suggestions by what they are, a few of each until more are wanted.
function chips(list, take) {
  list = list.filter((c, i) => list.findIndex(x => x.text === c.text) === i);
  const rest = new Set(list);
  return kinds.flatMap(([kind, head]) => {
    const some = list.filter(c => rest.has(c) && (!kind || c.kind === kind));
    some.forEach(c => rest.delete(c));
    if (!some.length) return [];
    const one = c => el("button", { type: "button", title: c.doc || c.of || null, tabindex: -1, on: { click: () => take(c) } }, c.text, c.size ? el("small", {}, " " + c.size) : null);
    const row = el("div", { class: "chips", role: "group", "aria-label": head }, el("span", { class: "soft" }, head), ...some.slice(0, few).map(one));
    if (some.length > few) row.append(...more(some.slice(few), one));
    return [row];
  });
}

// more is the rest, and a button that shows it, or hides it again.
function more(rest, one) {
  const list = el("div", { class: "rest", hidden: true }, ...rest.map(one));
  const turn = () => {
    list.hidden = !list.hidden;
    button.setAttribute("aria-expanded", String(!list.hidden));
    button.textContent = list.hidden ? "more…" : "fewer";
  };
  const button = el("button", { type: "button", class: "more", "aria-expanded": "false", on: { click: turn } }, "more…");
  return [list, button];
}

// typed is a line with suggestions beneath: a click or Tab takes one. It is as high as what stands in it.
export function typed(label, hint, complete, send, main = !hint) {
  const list = el("div", { class: "next", "aria-label": "what may come next" });
  const input = el("textarea", { rows: 1, "aria-label": label, placeholder: hint, autocomplete: "off", autocapitalize: "off", spellcheck: "false", maxlength: 2000 });
  let first = null, turn = 0;
  const fit = () => {
    input.style.height = "auto";
    input.style.height = input.scrollHeight + 2 + "px";
  };
  const put = text => {
    input.value = text;
    input.setSelectionRange(text.length, text.length);
    look();
  };
  const take = (from, c) => {
    const rest = input.value.slice(input.selectionStart);
    put(upTo(input.value, from) + c.text + " " + rest.trimStart());
    input.dispatchEvent(new Event("input", { bubbles: true }));
  };
  const look = async () => {
    fit();
    const mine = ++turn;
    await new Promise(done => setTimeout(done, 120));
    if (mine !== turn) return;
    const found = await complete(input.value, bytes(input.value.slice(0, input.selectionStart))).catch(() => null);
    if (mine !== turn || !found) return;
    first = found.list.length ? () => take(found.from, found.list[0]) : null;
    fill(list, ...chips(found.list, c => take(found.from, c)));
  };
  const form = el("form", {
    class: "cmd", on: {
      submit: e => { e.preventDefault(); turn++; send(input.value); },
      input: look, focusin: e => { if (e.target === input) look(); },
      keydown: e => {
        if (e.target !== input) return;
        if (e.key === "Enter" && !e.shiftKey && !e.isComposing) { e.preventDefault(); form.requestSubmit(); }
        if (e.key === "Tab" && !e.shiftKey && input.value && first) { e.preventDefault(); first(); }
        if (e.key === "Escape") { fill(list); input.blur(); }
      },
    },
  }, input, el("button", { class: main ? "main" : null }, "Do it"), list);
  return { form, input, put };
}

// keys has digits choose options, Enter the usual one, while nobody types.
export function keys(asked, more = {}) {
  document.addEventListener("keydown", e => {
    if (e.ctrlKey || e.metaKey || e.altKey || /INPUT|SELECT|TEXTAREA|SUMMARY/.test(e.target.tagName)) return;
    const option = asked.section.querySelector(`[data-key="${CSS.escape(e.key)}"]`);
    if (option) return option.click();
    if (e.key === "Enter" && e.target.tagName !== "BUTTON") return asked.section.querySelector("button.main")?.click();
    if (more[e.key]) { e.preventDefault(); more[e.key](); }
  });
}

// facts says how somebody stands.
export const facts = p => [p.out && p.facts?.every(f => f.name) !== false ? "out" : "", ...(p.facts ?? []).map(f => [f.name, f.key, f.value].filter(Boolean).map(display).join(" "))].filter(Boolean).join(" · ");

// pills says how somebody stands, a thing each.
export const pills = p => (p.out ? ["out"] : []).concat((p.facts ?? []).map(f => [f.name, f.key, f.value].filter(Boolean).map(display).join(" "))).map(t => el("span", {}, t));

// rated are the traits of a sheet that have a size, each with it: a rating, or else the first number that the sheet says of it.
export function rated(lines) {
  const sizes = new Map();
  for (const l of lines ?? []) {
    const size = /^[+-]?d?\d/.test(l.value);
    if (l.who.includes(".") && size && (l.field === "rating" || !l.usual && !sizes.has(l.who))) sizes.set(l.who, l);
  }
  return [...sizes.values()].map(l => el("span", {}, display(l.who.slice(l.who.lastIndexOf(".") + 1)), l.field === "rating" ? " " : ` ${display(l.field)} `, el("b", { class: "num" }, display(l.value))));
}

// sheet is a sheet as rows: what was said, its parts in a line each.
export function sheet(lines) {
  const own = [], parts = new Map();
  for (const l of lines ?? []) {
    const dot = l.who.indexOf(".");
    if (dot < 0) { if (!l.usual || l.points) own.push(l); continue; }
    const part = l.who.slice(dot + 1);
    if (!parts.has(part)) parts.set(part, []);
    if ((!l.usual || l.field === "rating") && l.value !== "none") parts.get(part).push(l);
  }
  const row = (name, value) => el("tr", {}, el("th", { scope: "row" }, display(name)), el("td", {}, value));
  const some = [...parts].map(([name, list]) => row(name.replaceAll(".", ": "), list.map(l => l.field === "rating" ? display(l.value) : `${display(l.field)} ${worded(l.value)}`).join(" · ")));
  return el("table", { class: "sheet" }, el("tbody", {}, ...own.map(l => row(l.field, worded(l.value) || "–")), ...some));
}
