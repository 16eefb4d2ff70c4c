#!/usr/bin/env python3
"""By hand: Claude Code itself, from the npm registry, follows the skills spec, plan and start
against a scripted model on loopback, from an idea to a finished task of three phases. It
does so with what init registers, as a plugin, and with both; the hooks answer each event
once in each.

  npm install --prefix DIR @anthropic-ai/claude-code
  make build && PATH=$PWD/bin:$PATH scripts/client.py DIR/node_modules/.bin/claude
"""
import collections
import http.server
import json
import os
import subprocess
import sys
import tempfile
import threading

SPEC = """# Add keys

## Goal

Tokens are signed with keys that rotate.

## Scope

| In | Out |
|---|---|
| rotation | storage |

## Original Requirements

- R1: a key is good for a day

## User Q&A

| # | Question | Answer |
|---|---|---|
| 1 | Which algorithm? | HMAC |
"""
ROADMAP = "# Roadmap\n" + "".join(
    f"\n## Phase {n}: Part {n}\n\n- **Goal:** part {n}\n- **Covers:** S1, R1\n- **Success Criteria:** a test\n"
    f"- **Depends on:** {n - 1 or 'none'}\n" for n in (1, 2, 3))
PLAN = """# Phase

## Objective

One step.

## Tasks

### Task 1: write

- **Files:** main.go
- **Action:** write
- **Verify:** look
- **Done when:** it is there

## Exit Criteria

- it is there
"""


class Model(http.server.BaseHTTPRequestHandler):
    """The Messages API, as far as the client needs it: one step of the script an answer."""

    def log_message(self, *_):
        pass

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        if len(body.get("tools", [])) < 4:  # a title, a summary: no turn of an agent
            step = "ok"
        else:
            step = self.server.script.pop(0) if self.server.script else "The script is over."
        self.server.seen.append(body)
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.end_headers()
        if isinstance(step, str):
            block, delta = {"type": "text", "text": ""}, {"type": "text_delta", "text": step}
        else:
            name, given = step
            block = {"type": "tool_use", "id": f"toolu_{len(self.server.seen)}", "name": name, "input": {}}
            delta = {"type": "input_json_delta", "partial_json": json.dumps(given)}
        usage = {"input_tokens": 1, "output_tokens": 1}
        message = {"id": f"msg_{len(self.server.seen)}", "type": "message", "role": "assistant", "content": [],
                   "model": body["model"], "stop_reason": None, "stop_sequence": None, "usage": usage}
        why = "end_turn" if isinstance(step, str) else "tool_use"
        for kind, fields in (
            ("message_start", {"message": message}),
            ("content_block_start", {"index": 0, "content_block": block}),
            ("content_block_delta", {"index": 0, "delta": delta}),
            ("content_block_stop", {"index": 0}),
            ("message_delta", {"delta": {"stop_reason": why, "stop_sequence": None}, "usage": usage}),
            ("message_stop", {}),
        ):
            self.wfile.write(f"event: {kind}\ndata: {json.dumps({'type': kind, **fields})}\n\n".encode())


def bash(command):
    return "Bash", {"command": command, "description": "as the skill says"}


def brew(command, text=""):
    return bash("git brew " + command + (f" <<'EOF'\n{text}EOF" if text else ""))


def phase(repo, name, n):
    """What an agent does about a phase, up to its review."""
    yield from [brew(f"doc set phases/{n}/plan -", PLAN)] if n > 1 else []
    yield brew(f"phase start {n}")
    yield "Agent", {"description": f"phase {n}", "prompt": f"Do phase {n}.", "subagent_type": name + "developer"}
    yield "It was done."  # says the agent
    yield "Write", {"file_path": f"{repo}/part{n}.go", "content": "package part\n"}
    yield bash(f"git add part{n}.go && git commit -q -m 'part {n}'")
    yield brew(f"report {n} --agent developer -", "# Report\n\nIt was done.\n")
    yield brew(f"phase done {n}")
    yield f"Phase {n} is in review."


def turns(repo, name):
    """What the user says, and the agent does then."""
    yield f"/{name}spec keys that rotate", [
        brew('create "Add keys"'), brew("start"), brew('question add "Which algorithm?"'), "Which algorithm?"]
    yield "HMAC, please.", [
        brew('question resolve 1 -m "HMAC"'), brew("doc set spec -", SPEC), brew("doc check spec"),
        brew('next --skip research -m "one library is here"'), "This is the spec."]
    yield f"/{name}plan", [
        brew("stage plan"), brew("doc set roadmap -", ROADMAP), brew("phase add --from roadmap"), brew("doc check"),
        brew("doc set phases/1/plan -", PLAN), brew("doc check phases/1/plan"), "Begin?"]
    yield f"/{name}start", [brew("phase start 1"), "It is refused: may I begin?"]
    yield "make it so", list(phase(repo, name, 1))
    yield "approved phase 1", list(phase(repo, name, 2))
    yield "approved phase 2", list(phase(repo, name, 3))
    yield "approved phase 3", [brew("finish"), "It is finished."]


def follow(client, form, root):
    repo = os.path.join(root, "repo")
    os.makedirs(repo)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Model)
    server.script, server.seen = [], []
    threading.Thread(target=server.serve_forever, daemon=True).start()
    env = {"PATH": os.environ["PATH"], "HOME": root, "TERM": "dumb", "IS_SANDBOX": "1",
           "ANTHROPIC_BASE_URL": f"http://127.0.0.1:{server.server_port}", "ANTHROPIC_API_KEY": "sk-none",
           "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1", "DISABLE_TELEMETRY": "1", "GIT_AUTHOR_NAME": "Mara",
           "GIT_AUTHOR_EMAIL": "m@example.org", "GIT_COMMITTER_NAME": "Mara", "GIT_COMMITTER_EMAIL": "m@example.org"}

    def run(*args):
        return subprocess.run(args, cwd=repo, env=env, check=True, capture_output=True, text=True, timeout=180).stdout

    run("git", "init", "-q")
    run("git", "commit", "-q", "--allow-empty", "-m", "first")
    more, name = [], "brew-"
    if form != "plugin":
        run("git-brew", "init")
    if form != "init":
        run("git-brew", "plugin", "export", root + "/plugin")
        run(client, "plugin", "validate", root + "/plugin")
        more, name = ["--plugin-dir", root + "/plugin"], "brew:" if form == "plugin" else name
    for said, script in turns(repo, name):
        server.script = list(script)
        run(client, "-p", said, "--permission-mode", "bypassPermissions", *more)
        more = more + ["-c"] if "-c" not in more else more
        assert not server.script, f"{form}: {said}: the client left {server.script}"
    refused = {part["tool_use_id"]: part["content"] for body in server.seen for m in body["messages"]
               if isinstance(m["content"], list) for part in m["content"]
               if part.get("type") == "tool_result" and part.get("is_error")}
    assert len(refused) == 1 and "discussion mode" in str(refused), f"{form}: {refused}"
    status = json.loads(run("git-brew", "status", "--json"))
    assert status["task"]["status"] == "finished" and status["phases"]["completed"] == 3, f"{form}: {status}"
    events = [json.loads(line) for line in run("git-brew", "events", "--json").splitlines()]
    return collections.Counter(e["type"] for e in events if e["type"] != "session_start" and e["type"] != "prompt")


def main():
    found = {}
    for form in ("init", "plugin", "both"):
        with tempfile.TemporaryDirectory(prefix="git-brew-client-", ignore_cleanup_errors=True) as root:
            found[form] = follow(os.path.abspath(sys.argv[1]), form, os.path.realpath(root))
            print(f"{form}: finished; {dict(found[form])}", flush=True)
    # with both, each event is answered once; a plugin alone sees nothing before there is a task
    assert found["both"] == found["init"], "with both, events are not those of init alone"
    assert found["plugin"]["tool_start"] in (found["init"]["tool_start"], found["init"]["tool_start"] - 1), found


main()
