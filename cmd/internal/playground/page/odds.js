// Odds: worked out, shown, and moved by sliders.
"use strict";

const worker = new Talk("serve"); // works out odds, runs and plays; ending it is how it is stopped

// percent rounds as the program does.
const decimals = new Intl.NumberFormat("en", { minimumFractionDigits: 2, maximumFractionDigits: 2, useGrouping: false, roundingMode: "halfEven" });
const percent = p => `${decimals.format(100 * p)} %`;

function valueText(v) {
  if (v === null || v === undefined) return "none";
  if (v === true) return "yes";
  if (v === false) return "no";
  if (Array.isArray(v)) return v.map(valueText).join(" ");
  if (typeof v !== "object") return String(v);
  if (v.map) return `{${Object.entries(v.map).map(([k, x]) => `"${k}": ${valueText(x)}`).join(", ")}}`;
  return v.text ?? v.name ?? String(v.face ?? (v.die ? `d${v.die}` : JSON.stringify(v)));
}

function drawing(...rects) {
  const ns = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(ns, "svg");
  const all = { viewBox: "0 0 100 10", preserveAspectRatio: "none", class: "chart", "aria-hidden": "true" };
  for (const [k, v] of Object.entries(all)) svg.setAttribute(k, v);
  for (const rect of [{ class: "track", width: 1 }, ...rects]) {
    const r = document.createElementNS(ns, "rect");
    const of = { height: 10, ...rect, width: 100 * rect.width, x: 100 * (rect.x ?? 0) };
    for (const [k, v] of Object.entries(of)) r.setAttribute(k, v);
    svg.append(r);
  }
  return svg;
}

function bar(p, was) {
  if (was === undefined) return drawing({ class: "fill", width: p });
  return drawing({ class: "was", width: was, y: 5.5, height: 4.5 }, { class: "fill", width: p, height: 5 });
}

// span is a bar from one place to another.
function span(from, to) {
  return drawing({ class: to < from ? "down" : "up", x: Math.min(from, to), width: Math.abs(to - from) });
}

// mostRows is how many rows of a table are shown at once.
const mostRows = 40;

// table shows a distribution, beside that of the script as it was.
function table(d, was) {
  const old = was && new Map(was.points.map(p => [valueText(p.value), p.p]));
  const pick = (p, name) => d.pick ? make("button", { type: "button", onclick: () => d.pick(p) }, name) : name;
  const row = p => {
    const name = valueText(p.value), { fraction } = p.exact ?? {};
    const before = old?.get(name) ?? (old ? 0 : undefined);
    if (d.plain) return make("tr", { className: p.best ? "best" : "" }, make("th", { scope: "row" }, pick(p, name)), make("td", { className: "n" }, p.p.toFixed(2)), make("td"), make("td"));
    return make("tr", { className: p.best ? "best" : "" }, make("th", { scope: "row" }, pick(p, name)),
      old ? make("td", { className: "n" }, percent(before)) : null,
      make("td", { className: "n" }, p.half ? `${percent(p.p)} ± ${(100 * p.half).toFixed(2)}` : percent(p.p)),
      old ? null : make("td", { className: "n" }, fraction && fraction.length < 16 ? fraction : ""),
      make("td", { className: "chart" }, bar(p.p, before)));
  };
  const points = [...d.points];
  if (old) for (const p of was.points) if (!points.some(x => valueText(x.value) === valueText(p.value))) points.push({ value: p.value, p: 0 });
  if (old && d.numbers) points.sort((a, b) => a.value - b.value);
  const body = make("tbody", {}, ...points.slice(0, mostRows).map(row));
  const head = ["", ...(old ? ["as written", "now"] : [d.plain ? "mean" : "chance", ""]), ""];
  const out = make("table", {}, make("caption", {}, d.column),
    make("thead", {}, make("tr", {}, ...head.map(h => make(h ? "th" : "td", h ? { scope: "col", className: "n" } : {}, h)))), body);
  if (points.length > mostRows) {
    const more = make("button", { type: "button", onclick: () => { body.append(...points.slice(mostRows).map(row)); more.remove(); } }, `${points.length - mostRows} more`);
    return make("div", {}, out, more);
  }
  return out;
}

// oddsOf gives the records of the odds of a text.
async function oddsOf(text, seconds) {
  const { evening } = await worker.call("open", { v: 1 });
  try {
    const { records } = await worker.call("odds", { evening, text, seconds });
    return { columns: records.filter(r => r.event === "distribution"), odds: records.find(r => r.event === "odds" || r.event === "sim") };
  } finally {
    worker.call("close", { evening }).catch(() => {});
  }
}

// tables shows the outcome, and what else the script reports on demand.
function tables(o, was) {
  const all = o.columns.map(d => [d.column, table(d, was?.columns.find(x => x.column === d.column))]);
  const first = all.filter(([name]) => name === "outcome" || name === "winner").map(x => x[1]);
  const rest = all.map(x => x[1]).filter(t => !first.includes(t));
  if (first.length === 0 || rest.length === 0) return [...first, ...rest];
  return [...first, make("details", {}, make("summary", {}, `${rest.length} more: ${all.map(x => x[0]).filter(n => n !== "outcome" && n !== "winner").join(", ")}`), ...rest)];
}

function remarks(o) {
  const list = [];
  const { trials, over, sampled, remainder, ends } = o.odds;
  if (trials) list.push(`Estimated from ${trials} trials, as there was too much for exact odds: ${over}. ± holds in 95 of 100 cases.`);
  else if (sampled) list.push(`${percent(sampled.share)} of it was estimated from ${sampled.trials} trials, as there was too much for exact odds: ${sampled.over}.`);
  else if (remainder > 5e-5) list.push(`${percent(remainder)} was not followed.`);
  for (const e of ends.filter(e => e.stops)) list.push(`${percent(e.p ?? e.count / trials)} stops: ${e.stops}`);
  return list.map(t => make("p", { className: "soft" }, t));
}

// offsetIn gives where a line and a letter of it stand in a text.
function offsetIn(text, { line, character }) {
  let at = 0;
  for (const l of text.split("\n").slice(0, line)) at += l.length + 1;
  return Math.min(at + character, text.length);
}

// edited gives a text with edits.
function edited(text, edits) {
  const list = edits.map(e => ({ from: offsetIn(text, e.range.start), to: offsetIn(text, e.range.end), text: e.newText })).sort((a, b) => b.from - a.from);
  for (const e of list) text = text.slice(0, e.from) + e.text + text.slice(e.to);
  return text;
}

// sliders let the numbers of a script be moved; the tables follow. first are the odds of the script as it is,
// null where nobody has worked them out. use takes the edits that were chosen.
function sliders(numbers, text, first, place, use) {
  if (numbers.length === 0) return "";
  const now = new Map();
  const edits = () => [...now].flatMap(([n, value]) => n.ranges.map(range => ({ range, newText: value })));
  let wanted = null, busy = false;
  const follow = async () => {
    if (busy || wanted === null) return;
    busy = true;
    const mine = wanted;
    wanted = null;
    place.setAttribute("aria-busy", "true");
    try {
      first ??= await oddsOf(text, 10);
      const o = mine === text ? first : await oddsOf(mine, 2);
      place.replaceChildren(...tables(o, mine === text ? undefined : first), ...remarks(o));
    } catch (err) {
      if (!(err instanceof Stopped)) place.replaceChildren(make("p", { className: "error" }, err.data?.problems?.[0]?.message ?? err.message));
    }
    place.removeAttribute("aria-busy");
    busy = false;
    follow();
  };
  const rows = numbers.flatMap((n, i) => {
    const at = n.values.indexOf(n.value);
    const shown = make("output", { for: `number${i}` }, n.value);
    const range = make("input", { type: "range", id: `number${i}`, min: 0, max: n.values.length - 1, value: at, "aria-valuetext": n.value });
    range.addEventListener("input", () => {
      const value = n.values[range.value];
      shown.textContent = value;
      range.setAttribute("aria-valuetext", value);
      if (value === n.value) now.delete(n);
      else now.set(n, value);
      if (button) button.disabled = now.size === 0;
      wanted = edited(text, edits());
      follow();
    });
    return [make("label", { htmlFor: `number${i}` }, n.name), range, shown];
  });
  const button = use && make("button", { type: "button", disabled: true, onclick: () => use(edits()) }, "Put it into the script");
  return make("details", { open: true }, make("summary", {}, "Move a number"), make("div", { className: "numbers" }, ...rows), button ?? "");
}
