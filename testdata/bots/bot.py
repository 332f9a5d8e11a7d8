#!/usr/bin/env python3
"""Plays a script through setpiece serve --stdio, and takes the usual answer at each question.

    bot.py SETPIECE FILE [SEED [KILL]]

writes the records of the evening, one a line. With KILL it saves the evening at each KILL-th
question, ends the server with SIGKILL, and goes on in another one.
"""

import json
import subprocess
import sys


class Server:
    """A server, and the calls of it. Records go to where they are wanted."""

    def __init__(self, program, told):
        self.process = subprocess.Popen(
            [program, "serve", "--stdio"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
        )
        self.told, self.last = told, 0

    def call(self, method, **params):
        """Calls a method and waits for its result; what happens meanwhile is told."""
        self.last += 1
        message = {"jsonrpc": "2.0", "id": self.last, "method": method, "params": params}
        self.process.stdin.write(json.dumps(message) + "\n")
        self.process.stdin.flush()
        for line in self.process.stdout:
            said = json.loads(line)
            if said.get("id") == self.last and "method" not in said:
                if "error" in said:
                    sys.exit(f"{method}: {json.dumps(said['error'])}")
                return said["result"]
            if said["method"] == "event":
                self.told(said["params"]["record"])
        sys.exit(f"{method}: the server has ended")

    def kill(self):
        self.process.kill()
        self.process.wait()


def main(program, file, seed="1", kill="0"):
    records = []

    def told(record):
        if record["event"] == "again":
            del records[2:]  # all behind "begin" and "script" comes again
        else:
            records.append(record)

    server, answers = Server(program, told), 0
    at = server.call("open", v=1, file=file, seed=seed)
    while question := at.get("question"):
        answers += 1
        if int(kill) and answers % int(kill) == 0:
            saved = server.call("save", evening=at["evening"])["data"]
            server.kill()
            server = Server(program, told)
            at = server.call("load", v=1, data=saved)
            if at["question"] != question:
                sys.exit(f"another question: {at['question']}")
        at = server.call("answer", evening=at["evening"], question=question["id"], text="")
    server.kill()
    for record in records:
        print(json.dumps(record, ensure_ascii=False))
    print(f"{answers} answers", file=sys.stderr)


main(*sys.argv[1:])
