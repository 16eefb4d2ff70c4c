package main

import "flag"

// update makes tests write what they compare with: `go test ./cmd/git-brew
// -update`, `make man`.
var update = flag.Bool("update", false, "write the expected files instead of comparing")
