// A report: how dangerous an encounter is, as package report makes it.
"use strict";

// reportOf shows a report; again runs the script with the dice of a seed.
function reportOf(page, again) {
  return page.Parts.flatMap(part => [
    ...part.Lead.flatMap(l => [
      make("p", { className: "lead" }, l.Words, " ", make("strong", {}, l.Figure)),
      l.P >= 0 ? bar(l.P) : "", make("p", { className: "soft" }, l.Note)]),
    make("div", { id: "numbers" }),
    ...part.Sections.filter(s => !s.ID.endsWith("script")).map(s => sectionOf(s, again)),
    make("p", { className: "soft" }, page.Foot)]);
}

function sectionOf(s, again) {
  const body = [s.Intro ? make("p", { className: "soft" }, s.Intro) : "", ...s.Blocks.flatMap(b => blockOf(b, again))];
  if (s.Blocks.some(b => b.Small)) return make("details", {}, make("summary", {}, s.Title), ...body);
  return make("section", { "aria-label": s.Title }, make("h3", {}, s.Title), ...body);
}

function blockOf(b, again) {
  const seed = /--seed (\d+)/.exec(b.Command)?.[1];
  return [
    b.Caption ? make("h4", {}, b.Caption) : "",
    b.Rows?.length ? make("div", { className: "scroll", tabIndex: 0, role: "region", "aria-label": b.Caption || b.Head.filter(h => h).join(", ") || "Table" }, rowsOf(b)) : "",
    ...(b.Words ?? []).map(w => make("p", { className: "soft" }, w)),
    seed ? make("button", { type: "button", onclick: () => again(seed) }, `Run it with seed ${seed}`) : ""];
}

// rowsOf shows the rows of a block. A bar belongs to their last cells.
function rowsOf(b) {
  const drawn = b.Tornado || b.Rows[0].Bar >= 0;
  const figures = b.Head.map((_, i) => b.Rows.every(r => /^[-−+±\d.,% ]*$/.test(r.Cells[i] ?? "")) ? "n" : "");
  const ends = b.Rows.flatMap(r => [r.From, r.Bar, b.Middle]), low = Math.min(...ends), wide = Math.max(...ends) - low || 1;
  const last = (r, n) => drawn && n === r.Cells.length - 1;
  const cell = (r, c, i) => {
    if (!last(r, i)) return make("td", { className: figures[i] }, c);
    return make("td", { className: "chart" }, b.Tornado ? span((r.From - low) / wide, (r.Bar - low) / wide) : bar(r.Bar));
  };
  return make("table", {},
    make("thead", {}, make("tr", {}, ...b.Head.map((h, i) => h ? make("th", { scope: "col", className: figures[i] }, h) : make("td")))),
    make("tbody", {}, ...b.Rows.map(r => make("tr", { className: r.Strong ? "best" : "" }, ...r.Cells.map((c, i) => cell(r, c, i))))));
}
