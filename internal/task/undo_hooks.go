package task

import (
	"slices"

	"github.com/git-brew/git-brew/internal/operation"
)

// hooks settles what is waited for after steps that are taken back: they have
// not ended, so nothing follows them. The records stay, for they tell what ran.
func (k *taking) hooks() {
	list := items(k.now["step_hooks"])
	for i, h := range k.e.t.StepHooks {
		taken := slices.ContainsFunc(k.ops, func(op operation.Operation) bool {
			p, ok := payload[StepHookPayload](op)
			return ok && op.Kind == OpStepHook && p.record("").beside(h)
		})
		if record, ok := list[i].(map[string]any); ok && taken && h.open() {
			record["settled"], k.changed = HooksUndone, true
		}
	}
}
