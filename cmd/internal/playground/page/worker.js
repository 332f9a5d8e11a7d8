// The engine in a worker. The page first says {module, speak}, then lines of JSON as text; what the
// engine says comes back in pieces of text. Ending the worker ends whatever it does.
"use strict";

if (typeof Go === "undefined") importScripts("wasm_exec.js");

let waiting = [];

self.setpieceTell = text => self.postMessage(text);

self.onmessage = async ({ data }) => {
  if (typeof data === "string") {
    if (waiting) waiting.push(data);
    else self.setpieceHear(data);
    return;
  }
  const go = new Go();
  go.exit = code => self.postMessage({ ended: code });
  go.argv = ["setpiece", data.speak];
  go.env = { GOGC: "400" }; // rubbish is collected while one waits: there is one thread
  go.run(await WebAssembly.instantiate(data.module, go.importObject));
  for (const text of waiting) self.setpieceHear(text);
  waiting = null;
};
