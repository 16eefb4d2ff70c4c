#!/usr/bin/env bash
# Runs the main job in a scratch repository and shows each command: a task from
# create to finish, worked on by an agent whose hook calls are replayed from
# recorded payloads. The repository stays, to be looked at.
#
#   make try            or: scripts/try.sh [directory]
set -euo pipefail
cd "$(dirname "$0")/.."
top=$PWD
payloads=$top/internal/hooks/testdata/payloads
CGO_ENABLED=0 go build -o bin/git-brew ./cmd/git-brew

scratch=${1:-$(mktemp -d "${TMPDIR:-/tmp}/git-brew-try.XXXXXX")}
mkdir -p "$scratch/home" "$scratch/shop"
scratch=$(cd "$scratch" && pwd -P)
repo=$scratch/shop
session=7f3a9c01-0000-4000-8000-000000000001

# Nothing of this machine: no settings, no identity, no agent around us, and no
# CI, in which hooks step aside.
unset "${!GIT_@}" "${!CLAUDE_@}" CLAUDECODE CI NO_COLOR 2>/dev/null || true
export HOME=$scratch/home GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL=$scratch/home/.gitconfig
export PATH=$top/bin:$PATH GIT_PAGER=cat
git config --global user.name "Mara"
git config --global user.email "mara@example.org"
git config --global init.defaultBranch main
git config --global advice.detachedHead false

say() { printf '\n\033[1m# %s\033[m\n' "$*"; }

# run shows a command and runs it; a person's, or with agent in front the
# agent's: its client tells the shell which session it is.
run() {
    local word
    printf '\n$'
    for word in "$@"; do
        case $word in
        '' | *[!A-Za-z0-9_@%+=:,./-]*) printf " '%s'" "${word//\'/\'\\\'\'}" ;;
        *) printf ' %s' "$word" ;;
        esac
    done
    printf '\n'
    "$@"
}
agent() { CLAUDE_CODE_SESSION_ID=$session CLAUDE_PROJECT_DIR=$repo run "$@"; }

# refused shows a command that must end with an exit code other than 0.
refused() {
    local code=0
    run "$@" || code=$?
    echo "exit $code"
    [ "$code" -ne 0 ]
}

# hook NAME [SED...] replays a recorded hook call of this repository and session.
hook() {
    local name=$1 args=() expression answer
    shift
    for expression in "$@"; do args+=(-e "$expression"); done
    printf '\n$ git-brew hook <%s.json\n' "$name"
    answer=$(sed -e "s|\"session_id\": \"[^\"]*\"|\"session_id\": \"$session\"|" \
        -e "s|\"/repo|\"$repo|g" ${args[@]+"${args[@]}"} "$payloads/$name.json" |
        CLAUDE_PROJECT_DIR=$repo git-brew hook)
    echo "${answer:-(no answer: it goes on)}"
}
prompt() { printf 's|"prompt": ".*"|"prompt": "%s"|' "$1"; }

say "A repository like any other"
cd "$repo"
run git init -q
printf 'package shop\n' >shop.go
git add shop.go
run git commit -q -m "Open the shop"

say "git brew joins: the agent's hooks, nothing in the work tree"
run git brew init
run git status --short

say "A task, and the agent that will work on it"
run git brew create "Add JWT auth" --phase "Token model" --phase "Login endpoint"
run git brew status
hook SessionStart.startup

say "First they talk: writing is refused, the plan is kept with the task"
hook UserPromptSubmit "$(prompt 'Shops need a login. How would you build it?')"
hook PreToolUse.Write
printf '# Plan\n\n1. Token model: signed, short-lived.\n2. Login endpoint.\n' >"$scratch/plan.md"
agent git brew doc set plan "$scratch/plan.md"
refused env CLAUDE_CODE_SESSION_ID=$session git brew mode implementation

say "The user agrees"
hook UserPromptSubmit "$(prompt 'Good, make it so.')"
hook PreToolUse.Write

say "Phase 1"
agent git brew start
agent git brew phase start 1
hook PreToolUse.Agent 's|general-purpose|developer|'
printf 'package shop\n\n// Token is who somebody is, signed.\ntype Token string\n' >token.go
git add token.go
run git commit -q -m "Add the token model"
hook PostToolUse.Agent 's|general-purpose|developer|'
agent git brew learn -t avoid "Token ids are strings, never ints"
agent git brew phase done 1
say "The agent would stop, and is told what is left"
hook Stop

printf '# Report\n\nToken is a signed string. Tested by hand.\n' >"$scratch/report.md"
agent git brew report 1 --agent developer "$scratch/report.md"

say "The user's review asks for a change: a fix phase comes first"
refused env CLAUDE_CODE_SESSION_ID=$session git brew phase approve 1
run git brew phase reject 1 -m "Expiry is in milliseconds"
agent git brew phase revise 1
printf '\n// Expiry is in seconds.\nconst Expiry = 900\n' >>token.go
run git commit -q -a -m "Count expiry in seconds"
agent git brew phase done 1.1
agent git brew report 1.1 --agent developer "$scratch/report.md"
run git brew phase approve 1.1
hook UserPromptSubmit "$(prompt 'Looks good.')"
run git brew status

say "The agent's memory is compacted in the middle of phase 2"
agent git brew phase start 2
hook PreCompact
run git brew status
hook SessionStart.compact
printf 'package shop\n\n// Login hands out a token.\nfunc Login() Token { return "signed" }\n' >login.go
git add login.go
run git commit -q -m "Add the login endpoint"
agent git brew phase done 2
agent git brew report 2 --agent developer "$scratch/report.md"
hook UserPromptSubmit "$(prompt 'Approved, thanks.')"

say "Done"
agent git brew finish
hook Stop
hook SessionEnd
run git brew list --all

say "What git shows of it"
ref=$(git for-each-ref --format='%(refname)' refs/brew/tasks)
run git log --format='%h %s' "$ref"
run git log --format='%(trailers:key=Brew-Phase,valueonly,separator=%x20) %s' -5 "$ref"
run git show "$ref:plan.md"
run git show "$ref:final.md"
run git log --notes=brew --format='%h %s%n%N'
run git commit -q --amend -m "Add the login endpoint, signed"
run git log --notes=brew -1
run git brew diff --phase 1
run git brew events
run git status --short
run git fsck --strict

printf '\nThe repository is in %s. Look around:\n  cd %s\n  PATH=%s:$PATH\n  git brew\n' "$repo" "$repo" "$top/bin"
