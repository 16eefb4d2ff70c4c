#!/usr/bin/env bash
# Runs every fuzz target of the project for a while: scripts/fuzz.sh 30s
set -euo pipefail
cd "$(dirname "$0")/.."
time=${1:-30s}

grep -rl --include='*_test.go' '^func Fuzz' . | xargs -n1 dirname | sort -u | while read -r package; do
    grep -ho '^func Fuzz[A-Za-z0-9_]*' "$package"/*_test.go | sed 's/^func //' | while read -r target; do
        echo "== $package $target"
        go test "$package" -run '^$' -fuzz "^$target\$" -fuzztime "$time" </dev/null
    done
done
