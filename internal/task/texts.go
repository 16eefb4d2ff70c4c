package task

import "github.com/git-brew/git-brew/internal/operation"

// TextsOf are the blobs that an operation names: the text that it brings, and
// the one that this was made from. Whoever folds it needs both.
func TextsOf(op operation.Operation) []string {
	var all []string
	switch op.Kind {
	case OpDocSet:
		p, _ := Payload[DocSetPayload](op)
		all = []string{p.Base, p.OID}
	case OpReport:
		p, _ := Payload[ReportPayload](op)
		all = []string{p.Base, p.OID}
	case OpDocResolve:
		p, _ := Payload[DocResolvePayload](op)
		all = []string{p.OID}
	}
	return all
}
