package report

import (
	"github.com/git-brew/git-brew/internal/operation"
	"github.com/git-brew/git-brew/internal/task"
)

func sayStepHook(_ operation.Operation, p task.StepHookPayload, _, after task.Task) string {
	return task.HooksWords(after, p.AsRecord(""))
}

func sayHookSkip(_ operation.Operation, p task.HookSkipPayload, before, _ task.Task) string {
	i := task.HookRecord(before, p.Record)
	if i < 0 {
		return "hooks: passed over: " + p.Reason
	}
	return task.HooksNamed(before, before.StepHooks[i]) + ": passed over: " + p.Reason
}
