#!/bin/sh
# Writes internal/redact/gitleaks.tsv anew, of gitleaks' rules:
#
#	scripts/redaction-rules.sh [<version>]
#
# The module comes from the Go module proxy, and go checks its sum. What changed
# is to be read, and `go test ./internal/redact` to be run, before it is committed.
set -eu
version=${1:-v8.30.1}
cd "$(dirname "$0")/.."
away=$(mktemp -d)
trap 'rm -rf "$away"' EXIT
dir=$(cd "$away" && go mod init away >/dev/null 2>&1 && go mod download -json "github.com/zricethezav/gitleaks/v8@$version" | sed -n 's/^\t"Dir": "\(.*\)",$/\1/p')
cp "$dir/LICENSE" internal/redact/gitleaks.LICENSE
chmod u+w internal/redact/gitleaks.LICENSE
go test ./internal/redact -count=1 -run TestRules_asGitleaksHasThem -gitleaks "$dir" -gitleaks-version "$version"
