#!/usr/bin/env bash
# Writes the licences of what is linked into the programs into a file.
set -euo pipefail
shopt -s nullglob
cd "$(dirname "$0")/.."
modules='{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}} {{.Dir}}{{end}}{{end}}'
{
    printf '== Go and its standard library\n\n'
    cat "$(go env GOROOT)/LICENSE"
    for os in linux darwin windows; do
        GOOS=$os go list -deps -f "$modules" ./cmd/...
    done | LC_ALL=C sort -u | while read -r module version dir; do
        files=("$dir"/{LICENSE,COPYING,NOTICE}*)
        printf '\n== %s %s\n\n' "$module" "$version"
        cat "${files[@]:?$module has no licence}"
    done
} >"$1"
