package event

import "strings"

// Secret is something in a text that looks like a secret.
type Secret struct {
	Line int    // counted from 1
	Kind string // what it looks like: "private key", or the name of gitleaks' rule
	Text string
}

// Secrets lists what looks like a secret in a text that is refused for it, one a line
// and kind. It finds what Redact takes out.
func (r *Redactor) Secrets(s string) []Secret {
	var secrets []Secret
	for _, f := range find(s, r) {
		one := Secret{Line: 1 + strings.Count(s[:f.from], "\n"), Kind: f.kind, Text: s[f.from:f.to]}
		if n := len(secrets); n > 0 && secrets[n-1].Line == one.Line {
			continue // one a line says where to look
		}
		secrets = append(secrets, one)
	}
	return secrets
}
