// Package redact takes out of texts what looks like a secret, or tells where it stands.
//
// Three things know one: the rules of gitleaks (gitleaks.tsv, which a script writes), a few
// forms that those lack (own.tsv), and the name that a value has (named.go): a password,
// secret, token or key. It errs towards redacting. What was redacted stays so: doing it
// again changes nothing.
package redact
