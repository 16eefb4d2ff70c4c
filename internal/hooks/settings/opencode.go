package settings

import _ "embed" // opencode.js is the text of a file

// opencodePlugin is opencode's plugin: it asks the hook at the client's events.
//
//go:embed opencode.js
var opencodePlugin string
