// How the page and the engine talk: JSON-RPC, an object a line. PROTOCOL.md in cmd/internal/serve
// describes one of the two that are spoken, the other is the Language Server Protocol.
"use strict";

// engine gives the compiled engine: from beside the page, or from within it where the page is one file.
let compiling = null;
function engine() {
  compiling ??= (async () => {
    const inside = document.getElementById("engine");
    const packed = inside ? new Response(Uint8Array.from(atob(inside.textContent.trim()), c => c.charCodeAt(0))) : await fetch("setpiece.wasm.gz");
    if (!packed.ok) throw new Error(`setpiece.wasm.gz: ${packed.status}`);
    return WebAssembly.compileStreaming(new Response(await unpacked(packed.body), { headers: { "Content-Type": "application/wasm" } }));
  })();
  return compiling;
}

// unpacked unpacks what comes, while it comes, unless a server has said that it is packed: then the browser has done so.
async function unpacked(stream) {
  const reader = stream.getReader(), first = await reader.read();
  const all = new ReadableStream({
    start(to) { to.enqueue(first.value); },
    async pull(to) {
      const { done, value } = await reader.read();
      if (done) to.close();
      else to.enqueue(value);
    },
  });
  return first.value[0] === 0x1f ? all.pipeThrough(new DecompressionStream("gzip")) : all;
}

function newWorker() {
  const inside = document.getElementById("worker");
  if (!inside) return new Worker("worker.js");
  return new Worker(URL.createObjectURL(new Blob([inside.textContent], { type: "text/javascript" })));
}

// Talk is one engine with whoever calls it.
class Talk {
  constructor(speak) {
    this.speak = speak;
    this.heard = {}; // what to do with notifications, by their method
    this.last = 0;
    this.start();
  }

  start() {
    this.open = new Map();
    this.rest = "";
    const worker = this.worker = newWorker();
    worker.onmessage = ({ data }) => typeof data === "string" ? this.take(data) : this.ended();
    worker.onerror = e => this.end(new Error(e.message || "the engine has failed"));
    this.ready = engine().then(module => worker.postMessage({ module, speak: this.speak }));
  }

  take(text) {
    const lines = (this.rest + text).split("\n");
    this.rest = lines.pop();
    for (const line of lines) {
      if (!line) continue;
      const m = JSON.parse(line);
      if (m.method) {
        this.heard[m.method]?.(m.params);
        continue;
      }
      const call = this.open.get(m.id);
      this.open.delete(m.id);
      if (m.error) call?.fail(Object.assign(new Error(m.error.message), { data: m.error.data, code: m.error.code }));
      else call?.done(m.result);
    }
  }

  async tell(method, params) {
    const worker = this.worker;
    await this.ready;
    worker.postMessage(JSON.stringify({ jsonrpc: "2.0", method, params }) + "\n");
  }

  call(method, params) {
    const id = ++this.last, { worker } = this;
    return new Promise((done, fail) => {
      this.open.set(id, { done, fail });
      this.ready.then(() => worker.postMessage(JSON.stringify({ jsonrpc: "2.0", id, method, params }) + "\n"), fail);
    });
  }

  // stop ends what the engine does, at once. Another one begins with nothing.
  stop() {
    this.end(new Stopped());
    this.start();
  }

  // ended: the engine has ended by itself, which it does where it needs more memory than it may have. Another
  // one begins with nothing.
  ended() {
    this.end(new Error("This needs more memory than the page gives it (1 GiB): setpiece on your computer has no such bound."));
    this.start();
  }

  end(why) {
    this.worker.terminate();
    for (const call of this.open.values()) call.fail(why);
    this.open.clear();
  }
}

class Stopped extends Error {
  constructor() { super("stopped"); }
}

// make makes an element. What is shown of a script is always text.
function make(tag, props, ...inner) {
  const e = document.createElement(tag);
  for (const [k, v] of Object.entries(props ?? {})) {
    if (k.includes("-") || k === "role" || k === "for") e.setAttribute(k, v);
    else e[k] = v;
  }
  e.append(...inner.filter(x => x !== null && x !== undefined));
  return e;
}

const byID = id => document.getElementById(id);

// A link is "#1." and the text of a script: deflated without a header, in base64url. Links of
// version 1 are read for ever.
const mostLetters = 1 << 18, mostText = 1 << 20;

async function linkOf(text) {
  const stream = new Response(text).body.pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  let letters = "";
  for (const b of bytes) letters += String.fromCharCode(b);
  return "#1." + btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

async function textOf(link) {
  const [, version, rest] = /^#(\d+)\.([\w-]*)$/.exec(link) ?? [];
  if (!version) throw new Error("this is no link of setpiece");
  if (version !== "1") throw new Error(`this link is of version ${version}, and this page reads version 1: look for a newer one`);
  if (rest.length > mostLetters) throw new Error("this link is longer than 256 KiB");
  let bytes;
  try {
    bytes = Uint8Array.from(atob(rest.replaceAll("-", "+").replaceAll("_", "/")), c => c.charCodeAt(0));
  } catch {
    throw new Error("this link is damaged");
  }
  const reader = new Response(bytes).body.pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let text = "", size = 0;
  try {
    for (let part; !(part = await reader.read()).done;) {
      size += part.value.length;
      if (size > mostText) break;
      text += decoder.decode(part.value, { stream: true });
    }
    text += decoder.decode(undefined, { stream: size > mostText });
  } catch {
    throw new Error("this link is damaged: parts of it are missing");
  }
  if (size > mostText) throw new Error("the script of this link is longer than 1 MiB");
  return text;
}
