#!/usr/bin/env bash
# Writes the completion scripts of the shells into a directory.
set -euo pipefail
cd "$(dirname "$0")/.."
mkdir -p "$1"
for shell in bash zsh fish; do
    go run ./cmd/git-brew completion "$shell" >"$1/git-brew.$shell"
done
