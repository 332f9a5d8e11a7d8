// Looks for words in the names and texts of all pages, which search-list.js holds.
const input = document.getElementById("search");
const results = document.getElementById("results");
const found = document.getElementById("found");
const count = document.getElementById("count");
const up = document.body.dataset.up;

// rank tells how well a page fits the words: its name first, then how its name begins,
// then what it says; 0 if a word is nowhere.
function rank([name, text], words) {
  const n = name.toLowerCase(), t = text.toLowerCase();
  let sum = 0;
  for (const w of words) {
    if (n === w) sum += 100;
    else if (n.startsWith(w)) sum += 40;
    else if (n.includes(w)) sum += 20;
    else if (t.includes(w)) sum += 5;
    else return 0;
  }
  return sum - Math.min(n.length, 60) / 100;
}

function search() {
  const words = input.value.toLowerCase().trim().split(/\s+/).filter(Boolean);
  results.hidden = words.length === 0;
  found.replaceChildren();
  if (results.hidden) return;
  const list = pages.map(p => [rank(p, words), p]).filter(([r]) => r > 0);
  list.sort((a, b) => b[0] - a[0]);
  count.textContent = list.length === 0 ? "Nothing found."
    : list.length > 40 ? `${list.length} pages, the first 40:` : `${list.length} ${list.length === 1 ? "page" : "pages"}:`;
  for (const [, [name, text, file]] of list.slice(0, 40)) {
    const item = document.createElement("li"), link = document.createElement("a"), small = document.createElement("small");
    link.href = up + file;
    link.textContent = name;
    small.textContent = text.length > 140 ? text.slice(0, 140) + "…" : text;
    item.append(link, small);
    found.append(item);
  }
}

input.addEventListener("input", search);
input.form.addEventListener("submit", e => {
  e.preventDefault();
  found.querySelector("a")?.click();
});
if (input.value) search();
