// node grammar.mjs GRAMMAR < texts: reads texts with their tokens as lang.Tokens has them, one JSON
// object a line, and prints where the TextMate grammar calls a token something else.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';

const require = createRequire(process.env.SETPIECE_BROWSER + '/');
const { loadWASM, OnigScanner, OnigString } = require('vscode-oniguruma');
const { Registry, INITIAL, parseRawGrammar } = require('vscode-textmate');

await loadWASM(readFileSync(require.resolve('vscode-oniguruma/release/onig.wasm')));
const registry = new Registry({
  onigLib: Promise.resolve({ createOnigScanner: (p) => new OnigScanner(p), createOnigString: (s) => new OnigString(s) }),
  loadGrammar: async () => parseRawGrammar(readFileSync(process.argv[2], 'utf8'), 'a.json'),
});
const grammar = await registry.loadGrammar('source.setpiece');

// What the last scope of a token may begin with.
const fits = {
  word: ['keyword.control', 'variable.other', 'entity.other'], trait: ['constant.other.trait'], name: ['entity.name.type'],
  text: ['string'], number: ['constant.numeric.setpiece'], dice: ['constant.numeric.dice', 'entity.other'], comment: ['comment'],
  sign: ['keyword.operator', 'source', 'entity.other'],
};

for await (const line of createInterface({ input: process.stdin })) {
  const { file, text, tokens } = JSON.parse(line);
  let stack = INITIAL;
  const scopes = text.split('\n').map((l) => {
    const r = grammar.tokenizeLine(l, stack);
    stack = r.ruleStack;
    return r.tokens;
  });
  for (const { kind, line: n, column, word } of tokens) {
    const at = scopes[n].find((t) => t.startIndex <= column && column < t.endIndex);
    const scope = at?.scopes.at(-1) ?? 'nothing';
    if (!fits[kind].some((f) => scope.startsWith(f))) console.log(`${file}:${n + 1}:${column + 1}: ${word} is a ${kind}, and the grammar says ${scope}`);
  }
}
