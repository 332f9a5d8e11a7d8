// The editor: a text area with coloured text beneath it. What it knows comes from the language service.
"use strict";

const token = /#[^\n]*|"(?:[^"\\\n]|\\.)*"|\d*d\d+\b|\b\d+(?:\.\d+)?\b|[A-Za-z_]\w*/g;
const fileName = "file:///script.scene";

function classOf(word) {
  if (word[0] === "#") return "c";
  if (word[0] === '"') return "s";
  if (/^\d*d\d/.test(word) || /^\d/.test(word)) return "n";
  if (/^[A-Z][A-Z0-9_]+$/.test(word)) return "t";
  return /^[A-Z]/.test(word) ? "w" : "k";
}

class Editor {
  constructor(changed) {
    this.area = byID("text");
    this.paint = byID("paint");
    this.list = byID("offers");
    this.tip = byID("tip");
    this.changed = changed;
    this.problems = [];
    this.lenses = [];
    this.version = 1;
    this.service = null;
    this.area.addEventListener("input", () => this.input(true));
    this.area.addEventListener("keydown", e => this.key(e));
    this.area.addEventListener("scroll", () => this.scrolled());
    this.area.addEventListener("blur", () => setTimeout(() => {
      this.close();
      if (document.activeElement !== this.tip && !this.tip.matches(":hover")) this.hideTip();
    }, 150));
    this.area.addEventListener("click", () => this.close());
    this.area.addEventListener("mousemove", e => this.hovered(e));
    this.area.addEventListener("mouseleave", e => { if (!this.tip.contains(e.relatedTarget)) this.hideTip(); });
    this.tip.addEventListener("mouseleave", () => this.hideTip());
    this.tip.addEventListener("keydown", e => {
      if (e.key !== "Escape") return;
      this.hideTip();
      this.area.focus();
    });
    this.list.addEventListener("mousedown", e => e.preventDefault());
    this.draw();
  }

  get text() { return this.area.value; }

  // set puts another text there. Quietly: the language service does not hear of it.
  set(text, quietly) {
    this.area.value = text;
    this.area.setSelectionRange(0, 0);
    this.area.scrollTop = 0;
    this.problems = [];
    this.lenses = [];
    this.draw();
    this.notes();
    if (!quietly) this.input(false);
  }

  // listen begins the language service, which then knows the text.
  listen() {
    if (this.service) return;
    this.service = new Talk("lsp");
    this.service.heard["textDocument/publishDiagnostics"] = p => this.diagnosed(p);
    byID("notes").replaceChildren(make("li", { className: "soft" }, "The rules are read …"));
    this.service.call("initialize", { capabilities: {} }).catch(() => {});
    this.service.tell("initialized", {});
    this.service.tell("textDocument/didOpen", { textDocument: { uri: fileName, languageId: "setpiece", version: this.version, text: this.text } });
  }

  ask(method, params) {
    this.listen();
    return this.service.call(method, { textDocument: { uri: fileName }, ...params });
  }

  input(typed) {
    this.version++;
    this.problems = [];
    this.lenses = [];
    this.hideTip();
    this.draw();
    this.changed();
    if (this.service) {
      this.service.tell("textDocument/didChange", { textDocument: { uri: fileName, version: this.version }, contentChanges: [{ text: this.text }] });
    } else {
      this.listen();
    }
    clearTimeout(this.soon);
    if (typed) this.soon = setTimeout(() => this.suggest(false), 120);
  }

  async diagnosed(p) {
    if (p.version !== this.version) return;
    this.problems = p.diagnostics;
    this.draw();
    const actions = this.problems.length === 0 ? [] : await this.ask("textDocument/codeAction", { range: { start: this.position(0), end: this.position(this.text.length) }, context: { diagnostics: [] } }).catch(() => []);
    if (p.version !== this.version) return;
    for (const d of this.problems) d.cures = actions.filter(a => a.edit && a.diagnostics?.some(x => x.message === d.message && same(x.range, d.range)));
    this.notes();
    if (this.problems.some(d => d.severity === 1)) return;
    const { version } = this;
    const lenses = await this.ask("textDocument/codeLens").catch(() => []);
    for (const lens of lenses.filter(l => l.data)) {
      const known = await this.service.call("codeLens/resolve", lens).catch(() => null);
      if (version !== this.version) return;
      if (known?.command?.title && known.command.title !== "no odds") {
        this.lenses.push({ line: lens.range.start.line, title: known.command.title });
        this.draw();
        this.notes();
      }
    }
  }

  // draw paints the text: words by what they look like, mistakes underlined, odds behind their lines.
  draw() {
    const lines = this.text.split("\n");
    this.paint.replaceChildren(...lines.map((line, n) => {
      const cuts = [];
      for (const m of line.matchAll(token)) cuts.push({ from: m.index, to: m.index + m[0].length, kind: classOf(m[0]) });
      const wrong = this.problems.filter(d => d.range.start.line <= n && n <= d.range.end.line).map(d => ({
        from: d.range.start.line < n ? 0 : d.range.start.character,
        to: Math.max(d.range.end.line > n ? line.length : d.range.end.character, (d.range.start.line < n ? 0 : d.range.start.character) + 1),
        kind: d.severity === 1 ? "wrong" : "doubt",
      }));
      const edges = [...new Set([0, line.length, ...cuts.concat(wrong).flatMap(c => [c.from, c.to])])].filter(x => x <= line.length).sort((a, b) => a - b);
      const code = make("span", { className: "code" });
      for (let i = 0; i + 1 < edges.length; i++) {
        const of = cuts.concat(wrong).filter(c => c.from <= edges[i] && c.to >= edges[i + 1]).map(c => c.kind);
        code.append(make("span", { className: of.join(" ") }, line.slice(edges[i], edges[i + 1])));
      }
      const odds = this.lenses.filter(l => l.line === n).map(l => make("span", { className: "beside" }, l.title));
      return make("div", {}, code, line ? "" : "\u200b", ...odds);
    }));
    this.follow();
  }

  follow() {
    this.paint.scrollTop = this.area.scrollTop;
    this.paint.scrollLeft = this.area.scrollLeft;
  }

  scrolled() {
    this.follow();
    this.close();
    this.hideTip();
  }

  // notes lists mistakes and odds below the text, for those who do not see them in it.
  notes() {
    const rows = [];
    for (const d of this.problems.slice(0, 20)) {
      const [first, ...help] = d.message.split("\n");
      const row = make("li", { className: d.severity === 1 ? "wrong" : "doubt" },
        make("button", { type: "button", onclick: () => this.go(d.range) }, `line ${d.range.start.line + 1}`), " ", first, ...help.map(h => make("span", { className: "help" }, h)));
      for (const a of d.cures ?? []) row.append(" ", make("button", { type: "button", onclick: () => this.apply(a.edit.changes[fileName]) }, a.title));
      rows.push(row);
    }
    for (const l of this.lenses) {
      const at = { line: l.line, character: 0 };
      rows.push(make("li", {}, make("button", { type: "button", onclick: () => this.go({ start: at, end: at }) }, `line ${l.line + 1}`), " ", l.title));
    }
    byID("notes").replaceChildren(...rows);
  }

  go(range) {
    this.area.focus();
    this.area.setSelectionRange(this.offset(range.start), this.offset(range.end));
    this.area.scrollTop = Math.max(0, (range.start.line - 3) * this.lineHeight());
  }

  offset(place) { return offsetIn(this.text, place); }

  position(offset) {
    const lines = this.text.slice(0, offset).split("\n");
    return { line: lines.length - 1, character: lines.at(-1).length };
  }

  // apply makes edits, so that the browser can undo them.
  apply(edits) {
    const text = edited(this.text, edits);
    if (text === this.text) return;
    const caret = this.area.selectionStart;
    this.replace(0, this.text.length, text);
    this.area.setSelectionRange(Math.min(caret, text.length), Math.min(caret, text.length));
  }

  replace(from, to, text) {
    this.area.focus();
    this.area.setSelectionRange(from, to);
    if (!document.execCommand("insertText", false, text)) {
      this.area.setRangeText(text, from, to, "end");
      this.input(false);
    }
  }

  async format() {
    this.apply(await this.ask("textDocument/formatting", { options: {} }).catch(() => []));
  }

  // Suggestions.

  async suggest(asked) {
    const at = this.area.selectionStart;
    const before = this.text.slice(0, at);
    if (!asked && !/[\w."]$/.test(before)) return this.close();
    const { version } = this;
    const answer = await this.ask("textDocument/completion", { position: this.position(at) }).catch(() => null);
    if (version !== this.version || at !== this.area.selectionStart || document.activeElement !== this.area) return;
    const items = answer?.items ?? [];
    const from = items.length ? this.offset(items[0].textEdit.range.start) : at;
    const begun = this.text.slice(from, at).toLowerCase();
    this.items = items.filter(i => i.label.toLowerCase().startsWith(begun) && (asked || i.label.toLowerCase() !== begun)).slice(0, 50);
    if (this.items.length === 0 || (!asked && !begun && !/[."]$/.test(before))) return this.close();
    this.list.replaceChildren(...this.items.map((i, n) => make("li", { role: "option", id: `offer${n}`, onclick: () => this.take(n) },
      make("span", { className: "label" }, i.label), make("span", { className: "detail" }, i.detail ?? ""))));
    this.place(this.list, from);
    this.list.hidden = false;
    this.chosen = -1;
    this.choose(0);
    this.deliberate = asked;
  }

  choose(n) {
    this.list.children[this.chosen]?.setAttribute("aria-selected", "false");
    this.chosen = (n + this.items.length) % this.items.length;
    const row = this.list.children[this.chosen];
    row.setAttribute("aria-selected", "true");
    row.scrollIntoView({ block: "nearest" });
    this.area.setAttribute("aria-activedescendant", row.id);
  }

  take(n) {
    const { range, newText } = this.items[n].textEdit;
    this.close();
    this.replace(this.offset(range.start), this.area.selectionStart, newText);
    clearTimeout(this.soon);
  }

  close() {
    this.list.hidden = true;
    this.area.removeAttribute("aria-activedescendant");
  }

  key(e) {
    if (e.key === "F1") {
      e.preventDefault();
      return this.tip.hidden ? this.explain(this.area.selectionStart) : this.tip.focus();
    }
    if (e.key === " " && e.ctrlKey) {
      e.preventDefault();
      return this.suggest(true);
    }
    if (e.key === "Escape") return this.list.hidden && this.tip.hidden ? byID("format").focus() : (this.close(), this.hideTip());
    if (!this.list.hidden) {
      if (e.key === "ArrowDown" || e.key === "ArrowUp") {
        e.preventDefault();
        this.deliberate = true;
        this.choose(this.chosen + (e.key === "ArrowDown" ? 1 : -1));
      } else if (e.key === "Tab" || e.key === "Enter" && this.deliberate) {
        e.preventDefault();
        this.take(this.chosen);
      }
    } else if (e.key === "Tab" && !e.shiftKey) {
      e.preventDefault();
      this.replace(this.area.selectionStart, this.area.selectionEnd, "  ");
    }
  }

  // Places on the screen.

  lineHeight() { return this.paint.firstElementChild.getBoundingClientRect().height || 20; }

  // place puts a box below a place of the text, within the editor.
  place(box, offset) {
    const { line, character } = this.position(offset);
    const row = this.paint.children[line];
    const frame = this.paint.getBoundingClientRect();
    let { left, bottom } = row.getBoundingClientRect();
    let rest = character;
    for (const span of row.firstElementChild.children) {
      const r = span.getBoundingClientRect(), n = span.textContent.length;
      left = r.left + r.width * Math.min(1, rest / n);
      rest -= n;
      if (rest <= 0) break;
    }
    box.style.top = `${bottom - frame.top}px`;
    box.scrollTop = 0;
    box.style.left = `${Math.max(0, Math.min(left - frame.left, frame.width - 260))}px`;
  }

  hovered(e) {
    clearTimeout(this.resting);
    this.resting = setTimeout(() => {
      const n = [...this.paint.children].findIndex(row => {
        const r = row.getBoundingClientRect();
        return r.top <= e.clientY && e.clientY < r.bottom;
      });
      if (n < 0) return;
      let at = 0;
      for (const span of this.paint.children[n].firstElementChild.children) {
        const r = span.getBoundingClientRect(), { length } = span.textContent;
        if (r.left <= e.clientX && e.clientX < r.right) return this.explain(this.offset({ line: n, character: at + Math.floor(length * (e.clientX - r.left) / r.width) }));
        at += length;
      }
    }, 400);
  }

  async explain(offset) {
    const answer = await this.ask("textDocument/hover", { position: this.position(offset) }).catch(() => null);
    const wrong = this.problems.filter(d => this.offset(d.range.start) <= offset && offset <= this.offset(d.range.end)).map(d => d.message);
    if (!answer && wrong.length === 0) return this.hideTip();
    this.tip.replaceChildren(...wrong.map(m => make("p", { className: "wrong" }, m)), ...plain(answer?.contents.value ?? ""));
    this.place(this.tip, offset);
    this.tip.hidden = false;
    byID("heard").textContent = [...this.tip.children].map(e => e.textContent).join(". ");
  }

  hideTip() {
    clearTimeout(this.resting);
    this.tip.hidden = true;
  }
}

const same = (a, b) => a.start.line === b.start.line && a.start.character === b.start.character && a.end.line === b.end.line && a.end.character === b.end.character;

// plain shows Markdown as paragraphs, lists and blocks of code.
function plain(markdown) {
  return markdown.split(/^```.*$/m).flatMap((part, n) => {
    if (n % 2) return [make("pre", {}, part.trim())];
    return part.split(/\n{2,}|\n(?=- )/).filter(p => p.trim()).map(p => make("p", { className: p.startsWith("- ") ? "item" : "" }, p.trim().replace(/^- /, "").replace(/[*`]+/g, "")));
  });
}
