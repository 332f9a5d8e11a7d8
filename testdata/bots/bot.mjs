#!/usr/bin/env node
// Plays a script through setpiece serve --stdio, and takes the usual answer at each question:
//
//     bot.mjs SETPIECE FILE [SEED]
//
// writes the records of the evening, one a line. Unlike bot.py it waits for the question itself, as
// a page would that has other things to do meanwhile.

import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

const [program, file, seed = "1"] = process.argv.slice(2);
const server = spawn(program, ["serve", "--stdio"], { stdio: ["pipe", "pipe", "inherit"] });
const waiting = new Map(); // by the id of a call: what to do with its result
let last = 0;

function call(method, params) {
  const id = ++last;
  server.stdin.write(JSON.stringify({ jsonrpc: "2.0", id, method, params }) + "\n");
  return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
}

function fail(error) {
  console.error(error);
  server.kill();
  process.exitCode = 1;
}

// What happens is written; a question is answered as soon as it is asked.
const heard = {
  event({ record }) {
    console.log(JSON.stringify(record));
  },
  question({ evening, question }) {
    // The call that led to the question is answered behind it.
    call("answer", { evening, question: question.id, text: "" }).then(ended, fail);
  },
};

// ended ends the server when the evening stands still and nobody is asked.
function ended(where) {
  if (!where.question) server.stdin.end();
}

createInterface({ input: server.stdout }).on("line", (line) => {
  const message = JSON.parse(line);
  if (message.method) return heard[message.method]?.(message.params);
  const { resolve, reject } = waiting.get(message.id);
  waiting.delete(message.id);
  if (message.error) reject(message.error);
  else resolve(message.result);
});

call("open", { v: 1, file, seed }).then(ended, fail);
