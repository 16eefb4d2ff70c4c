#!/usr/bin/env bash
# Runs one trial of `git brew sync` against real git servers, each started on
# loopback in a temporary directory and stopped afterwards. By hand only: it takes
# minutes, and CI has none of them. What is not installed is skipped with a line.
#
#   scripts/servers.sh [file|daemon|ssh|gitolite|nginx|lighttpd|apache|gitea|jgit|jgit-http|dulwich|dulwich-http|all]...
#
# They need (names are Debian's):
#   all        git, curl
#   ssh        openssh-server
#   gitolite   gitolite3, openssh-server
#   nginx      nginx-light, fcgiwrap, spawn-fcgi
#   lighttpd   lighttpd
#   apache     apache2
#   jgit       libjgit-java, libjetty9-java, libslf4j-java, openjdk-17-jdk-headless
#   dulwich    python3-dulwich
#   gitea      GITEA=<binary>, and GITEA_STATIC=<its source>, for it finds its
#              templates there: 'go mod download -json code.gitea.io/gitea@v1.26.0'
#              names a folder; a copy of it is GITEA_STATIC, and in there
#              'go build -tags "sqlite sqlite_unlock_notify" -o gitea .'
#
# BREW_TRIAL_ROUNDS (10) is how often two clones race for a lock, BREW_TRIAL_TASKS
# (50) how many tasks are pushed at once, BREW_TRIAL_KEEP=1 keeps the directory.
set -euo pipefail
cd "$(dirname "$0")/.."
top=$PWD
rounds=${BREW_TRIAL_ROUNDS:-10} many=${BREW_TRIAL_TASKS:-50}

tmp=$(mktemp -d "${TMPDIR:-/tmp}/git-brew-servers.XXXXXX")
me=$(id -un)
pids=()
# stop ends what this script started, and nothing else.
stop() {
    local pid
    for pid in "${pids[@]}"; do kill -- "-$pid" 2>/dev/null || kill "$pid" 2>/dev/null || true; done
    for pid in "${pids[@]}"; do wait "$pid" 2>/dev/null || true; done
    pids=()
}
finished() {
    stop
    if [ -n "${BREW_TRIAL_KEEP:-}" ]; then echo "kept: $tmp"; else rm -rf "$tmp"; fi
}
trap finished EXIT
trap 'exit 130' INT TERM

unset "${!GIT_@}" "${!CLAUDE_@}" CLAUDECODE CI 2>/dev/null || true
CGO_ENABLED=0 go build -o "$tmp/bin/git-brew" ./cmd/git-brew
export HOME=$tmp/home GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL=$tmp/home/.gitconfig GIT_TERMINAL_PROMPT=0 LC_ALL=C
export PATH=$tmp/bin:$PATH:/usr/sbin:/sbin
mkdir -p "$HOME" "$tmp/srv"
chmod 755 "$tmp" "$tmp/srv"
for pair in user.name=Mara user.email=mara@example.org init.defaultBranch=main safe.directory='*' brew.sync.auto=false; do
    git config --global "${pair%%=*}" "${pair#*=}"
done

# run NAME COMMAND... starts a server in a process group of its own.
run() {
    local name=$1
    shift
    set -m
    "$@" >"$tmp/$name.log" 2>&1 </dev/null &
    pids+=("$!")
    set +m
}
# wait_port waits until somebody listens on a port of loopback.
wait_port() {
    local n
    for n in {1..150}; do
        if (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; then return; fi
        sleep 0.1
    done
    echo "nobody listens on port $1 after $((n / 10)) s" >&2
    return 1
}
# free_port prints one that nobody listens on.
free_port() {
    local port
    while port=$((20000 + RANDOM % 20000)) && (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; do :; done
    echo "$port"
}
# bare makes a repository that may be pushed to over http.
bare() {
    git init -q --bare "$tmp/srv/$1.git"
    git --git-dir "$tmp/srv/$1.git" config http.receivepack true
}
# have says what is missing, and fails.
have() {
    local what
    for what in "$@"; do
        if ! type -P "$what" >/dev/null && [ ! -e "$what" ]; then
            echo "$server: skipped, no $what here"
            return 1
        fi
    done
}
now() { echo $(($(date +%s%N) / 1000000)); }

. "$top/scripts/servers/trial.sh"
. "$top/scripts/servers/start.sh"

[ $# -gt 0 ] || set -- all
servers=("$@")
[ "$*" != all ] || servers=(file daemon ssh gitolite nginx lighttpd apache gitea jgit jgit-http dulwich dulwich-http)
for server in "${servers[@]}"; do
    if ! declare -F "start_$server" >/dev/null; then
        echo "$server: no such server; the first lines of $0 name them" >&2
        exit 2
    fi
    url=''
    if "start_$server" && [ -n "$url" ]; then
        trial "$server" "$url" || echo "$server: the trial itself broke off"
    fi
    stop
    unset GIT_SSH_COMMAND
done
