package trust

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/git-brew/git-brew/internal/app/change"
	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/app/records"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/operation"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/question"
)

// onTrust lists what is used here on trust: shared settings, the pipeline with
// its files, the commands that verify the open phases of open tasks, and the
// constraints in their plans. Each content once.
func (s *Trust) onTrust(ctx context.Context) ([]config.TrustItem, error) {
	set, err := s.Config.Settings(ctx)
	if err != nil {
		return nil, err
	}
	items, err := s.Config.WhoSet(ctx, set.OnTrust...)
	if err != nil {
		return nil, err
	}
	around, err := s.Pipelines.PipelineOnTrust(ctx)
	if err != nil {
		return nil, err
	}
	items = append(items, around...)
	all, err := s.Records.Tasks(ctx)
	if err != nil {
		return nil, err
	}
	for _, l := range all {
		if l.Err != nil {
			continue
		}
		if items, err = s.addOfTask(ctx, items, l); err != nil {
			return nil, err
		}
	}
	return items, nil
}

// addOfTask adds what a task has on trust, with who gave it that.
func (s *Trust) addOfTask(ctx context.Context, items []config.TrustItem, l records.Listed) ([]config.TrustItem, error) {
	var steps []ledger.Step // read where somebody new is to be named
	add := func(c clone.Content, where string, gives func(operation.Operation) bool) (err error) {
		t := config.TrustItem{Content: c, Hash: c.Hash(), Where: []string{l.Task.ID.Slug() + ", " + where}}
		if i := slices.IndexFunc(items, func(o config.TrustItem) bool { return o.Hash == t.Hash }); i >= 0 {
			items[i].Where = append(items[i].Where, t.Where...)
			return nil
		}
		if steps == nil {
			if steps, err = s.Clone.Ledger.History(ctx, l.Tip); err != nil {
				return err
			}
		}
		_ = s.Config.WroteIt(ctx, &t, steps, gives) // else nobody can tell any more
		items = append(items, t)
		return nil
	}
	c, found, err := s.PlanConstraints(ctx, l.Task)
	if err == nil && found {
		err = add(c, "plan", setsPlan)
	}
	for _, p := range records.Verifying(l.Task) {
		for _, c := range records.CommandsOf(p) {
			if err == nil {
				err = add(c, "phase "+p.ID, givesCommand(p.UID, c.Text[0]))
			}
		}
	}
	return items, err
}

// setsPlan reports an operation that writes a task's plan.
func setsPlan(op operation.Operation) bool {
	var p task.DocSetPayload
	return op.Kind == task.OpDocSet && json.Unmarshal(op.Payload, &p) == nil && p.Name == task.DocPlan
}

// givesCommand reports an operation that gave a phase a command: what added the phase, or
// an edit that added the command since.
func givesCommand(phase task.UID, command string) func(op operation.Operation) bool {
	return func(op operation.Operation) bool {
		var p task.PhaseEditPayload
		return op.Kind == task.OpPhaseAdd && op.ID == phase ||
			op.Kind == task.OpPhaseEdit && json.Unmarshal(op.Payload, &p) == nil && p.Phase == phase &&
				slices.Contains(p.AddVerification, command)
	}
}

// UntrustedCommands are the commands that verify phases of a task, may be run
// yet, and wait for the person's trust: by phase, as they stand there.
func (s *Trust) UntrustedCommands(ctx context.Context, t task.Task) (map[task.UID][]string, error) {
	own, err := s.Clone.State(ctx)
	waiting := map[task.UID][]string{}
	for _, p := range records.Verifying(t) {
		for _, c := range records.CommandsOf(p) {
			if !own.Trusts(c.Hash()) {
				waiting[p.UID] = append(waiting[p.UID], c.Text[0])
			}
		}
	}
	return waiting, err
}

// Untrusted counts what waits to be trusted, in all open tasks.
func (s *Trust) Untrusted(ctx context.Context) (int, error) {
	all, err := s.Records.Index(ctx)
	if err != nil {
		return 0, err
	}
	var commands []string
	for _, row := range all {
		commands = append(commands, row.State.Verify...)
	}
	return s.CountUntrusted(ctx, commands)
}

// CountUntrusted counts those of commands that are not trusted, by short hashes, and
// the shared settings.
func (s *Trust) CountUntrusted(ctx context.Context, commands []string) (int, error) {
	set, err := s.Config.Settings(ctx)
	if err != nil {
		return 0, err
	}
	around, err := s.Pipelines.PipelineHashes(ctx)
	if err != nil {
		return 0, err
	}
	if len(commands)+len(set.OnTrust)+len(around) == 0 {
		return 0, nil
	}
	own, err := s.Clone.State(ctx)
	if err != nil {
		return 0, err
	}
	waiting := map[string]bool{}
	for _, hash := range commands {
		waiting[hash] = true
	}
	for _, hash := range around {
		waiting[clone.ShortTrust(hash)] = true
	}
	for _, c := range set.OnTrust {
		waiting[clone.ShortTrust(c.Hash())] = true
	}
	for _, hash := range own.Trusted {
		delete(waiting, clone.ShortTrust(hash))
	}
	return len(waiting), nil
}

// constraintsOf are the constraints of a plan, as a content to be trusted; false where
// it has none.
func constraintsOf(plan []byte) (clone.Content, bool) {
	lines := question.ConstraintLines(string(plan))
	return clone.Content{Kind: clone.TrustConstraints, Text: lines}, len(lines) > 0
}

// PlanConstraints are those of a task's plan as it stands.
func (s *Trust) PlanConstraints(ctx context.Context, t task.Task) (clone.Content, bool, error) {
	if t.Deleted || t.Status.Terminal() || !t.HasDoc(task.DocPlan) {
		return clone.Content{}, false, nil
	}
	plan, err := s.Records.Document(ctx, t, task.DocPlan)
	c, found := constraintsOf(plan.Text)
	return c, found, err
}

// PlanTrusted reports whether agents may be told the constraints of a plan: somebody
// wrote them in this clone, or its person has trusted them.
func (s *Trust) PlanTrusted(ctx context.Context, plan []byte) (bool, error) {
	c, found := constraintsOf(plan)
	if !found {
		return true, nil
	}
	return s.Clone.Trusted(ctx, c)
}

// PlannedHere stages that the constraints of a plan are trusted, for they are set
// here. An agent's set does not lift what waits: constraints of others stay theirs,
// whatever the agent changes.
func (s *Trust) PlannedHere(ctx context.Context, c *change.Tx, name task.DocName, had string, text []byte) error {
	content, found := constraintsOf(text)
	if name != task.DocPlan || !found {
		return nil
	}
	if s.Clone.Caller.Agent() && had != "" {
		before, err := s.Clone.Ledger.Blob(ctx, had)
		if err != nil {
			return ctx.Err() // what can't be read, nobody has trusted
		}
		if trusted, err := s.PlanTrusted(ctx, before); err != nil || !trusted {
			return err
		}
	}
	return s.Clone.TrustWhatIsSet(ctx, c.Ledger, []clone.Content{content})
}

// MadeHere is what the making of a task sets that is used on trust: by a person its
// commands, by whomever the constraints of its plan.
func (s *Trust) MadeHere(phases []task.Phase, plan []byte) []clone.Content {
	var set []clone.Content
	if !s.Clone.Caller.Agent() {
		set = records.CommandsOf(phases...)
	}
	if c, found := constraintsOf(plan); found {
		set = append(set, c)
	}
	return set
}
