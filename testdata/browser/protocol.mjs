// node protocol.mjs SETPIECE: speaks to setpiece lsp as VS Code does, through the library that VS Code
// uses, with a script that has a mistake, and prints what came.
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';

const require = createRequire(process.env.SETPIECE_BROWSER + '/');
const p = require('vscode-languageserver-protocol/node');

const server = spawn(process.argv[2], ['lsp'], { stdio: ['pipe', 'pipe', 'inherit'] });
const c = p.createProtocolConnection(new p.StreamMessageReader(server.stdout), new p.StreamMessageWriter(server.stdin));
const say = (what, ...seen) => console.log(what + ': ' + seen.join(' | '));

const marks = [];
let came = () => {};
c.onNotification(p.PublishDiagnosticsNotification.type, (d) => { marks.push(d); came(); });
c.onRequest(p.RegistrationRequest.type, () => {});
c.onRequest(p.CodeLensRefreshRequest.type, () => {});
const marked = async (fits) => {
  for (;;) {
    const d = marks.find(fits);
    if (d) return d;
    await new Promise((done) => { came = done; });
  }
};
c.listen();

const uri = 'file:///table/yard.scene';
const textDocument = { uri };
const lines = ['use cah', '', 'hero Nova { star 3;   AIM 4; STRONG 2 }', 'villain Sludge { star 2; OOZE 3 }', '', '# 💥', 'Nova: atack Sludge with AIM', 'Nova: roll AIM vs DN 10', ''];
const init = await c.sendRequest(p.InitializeRequest.type, { processId: process.pid, rootUri: null, capabilities: { general: { positionEncodings: ['utf-16'] } } });
say('offered', ['completionProvider', 'hoverProvider', 'renameProvider', 'codeLensProvider'].every((k) => init.capabilities[k]));
await c.sendNotification(p.InitializedNotification.type, {});
await c.sendNotification(p.DidOpenTextDocumentNotification.type, { textDocument: { uri, languageId: 'setpiece', version: 1, text: lines.join('\n') } });
const wrong = (await marked((d) => d.diagnostics.length > 0)).diagnostics[0];
say('mistake', wrong.range.start.line + ':' + wrong.range.start.character, wrong.message.replace('\n', ' / '), wrong.severity === p.DiagnosticSeverity.Error);

const at = (line, character) => ({ textDocument, position: { line, character } });
const [fix] = await c.sendRequest(p.CodeActionRequest.type, { textDocument, range: wrong.range, context: { diagnostics: [wrong] } });
say('fix', fix.title, Object.values(fix.edit.changes)[0].map((e) => e.newText).join());
await c.sendNotification(p.DidChangeTextDocumentNotification.type, { textDocument: { uri, version: 2 }, contentChanges: [{ range: wrong.range, text: 'attack' }] });
await marked((d) => d.diagnostics.length === 0 && d.version !== 1);

const list = await c.sendRequest(p.CompletionRequest.type, at(7, 11));
say('completed', ['AIM', 'STRONG', 'OOZE'].filter((w) => (list.items ?? list).some((i) => i.label === w)).join());
say('hover', (await c.sendRequest(p.HoverRequest.type, at(7, 1))).contents.value.split('\n')[0]);
const declared = [await c.sendRequest(p.DefinitionRequest.type, at(6, 8))].flat()[0];
say('declared', declared.uri);
const rules = await c.sendRequest('workspace/textDocumentContent', { uri: declared.uri });
say('rules', rules.text.split('\n')[declared.range.start.line]);
say('places', (await c.sendRequest(p.ReferencesRequest.type, { ...at(7, 1), context: { includeDeclaration: true } })).length);
say('outline', (await c.sendRequest(p.DocumentSymbolRequest.type, { textDocument })).map((s) => s.name).join());
say('renamed', (await c.sendRequest(p.RenameRequest.type, { ...at(7, 1), newName: 'Vega' })).changes[uri].length);
say('formatted', JSON.stringify((await c.sendRequest(p.DocumentFormattingRequest.type, { textDocument, options: { tabSize: 2, insertSpaces: true } })).length > 0));
say('coloured', (await c.sendRequest(p.SemanticTokensRequest.type, { textDocument })).data.length % 5);
for (const lens of await c.sendRequest(p.CodeLensRequest.type, { textDocument })) {
  say('lens', lens.range.start.line, (lens.command ? lens : await c.sendRequest(p.CodeLensResolveRequest.type, lens)).command.title);
}
await c.sendRequest(p.RenameRequest.type, { ...at(7, 1), newName: 'Sludge' }).then(() => say('renamed', 'wrongly'), (e) => say('refused', e.message));
await c.sendRequest(p.ShutdownRequest.type);
await c.sendNotification(p.ExitNotification.type);
server.on('exit', (status) => { say('exit', status); process.exit(0); });
