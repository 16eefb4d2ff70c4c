package trust

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/app/records"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/task"
)

// onTrust lists what is used here on trust: shared settings, the pipeline with
// its files, the commands that verify the open phases of open tasks, and the
// constraints in their plans. Each content once.
func (s *Trust) onTrust(ctx context.Context) ([]config.TrustItem, error) {
	items, err := s.settingsOnTrust(ctx)
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
		if items, err = s.addConstraints(ctx, items, l); err != nil {
			return nil, err
		}
		commands := records.Verifying(l.Task)
		if len(commands) == 0 {
			continue
		}
		authors, err := s.phaseAuthors(ctx, l)
		if err != nil {
			return nil, err
		}
		for _, c := range commands {
			hash, where := c.Hash(), l.Task.ID.Slug()+", phase "+c.Phase.ID
			if i := slices.IndexFunc(items, func(t config.TrustItem) bool { return t.Hash == hash }); i >= 0 {
				items[i].Where = append(items[i].Where, where)
				continue
			}
			t := authors(c.Phase.UID, c.Text[0])
			t.Content, t.Hash, t.Where = c.Content, hash, []string{where}
			items = append(items, t)
		}
	}
	return items, nil
}

// settingsOnTrust are the shared settings that are in force only on trust.
func (s *Trust) settingsOnTrust(ctx context.Context) ([]config.TrustItem, error) {
	set, err := s.Config.Settings(ctx)
	if err != nil || len(set.OnTrust) == 0 {
		return nil, err
	}
	tip, err := s.Clone.Ledger.Tip(ctx, ledger.ConfigRef)
	if err != nil {
		return nil, err
	}
	steps, err := s.Clone.Ledger.History(ctx, tip)
	if err != nil {
		return nil, &clone.RecordError{Ref: ledger.ConfigRef, Err: err}
	}
	var items []config.TrustItem
	for _, c := range set.OnTrust {
		t, err := s.Config.WhoSet(ctx, steps, c)
		if err != nil {
			return nil, err
		}
		items = append(items, t)
	}
	return items, nil
}

// phaseAuthors tells who gave a phase of a task a command: who added the phase,
// or edited it last so.
func (s *Trust) phaseAuthors(ctx context.Context,
	l records.Listed,
) (func(phase task.UID, command string) config.TrustItem, error) {
	steps, err := s.Clone.Ledger.History(ctx, l.Tip)
	if err != nil {
		return nil, err
	}
	type gift struct {
		phase   task.UID
		command string
	}
	by := map[gift]ledger.Step{}
	note := func(g gift, step ledger.Step) {
		if have, ok := by[g]; !ok || have.Op.Clock < step.Op.Clock {
			by[g] = step
		}
	}
	for _, step := range steps {
		if step.Op == nil {
			continue
		}
		switch step.Op.Kind {
		case task.OpPhaseAdd:
			note(gift{phase: step.Op.ID}, step)
		case task.OpPhaseEdit:
			var p task.PhaseEditPayload
			if json.Unmarshal(step.Op.Payload, &p) != nil {
				continue
			}
			for _, command := range p.AddVerification {
				note(gift{p.Phase, command}, step)
			}
		}
	}
	return func(phase task.UID, command string) config.TrustItem {
		var t config.TrustItem
		step, ok := by[gift{phase, command}]
		if !ok {
			step, ok = by[gift{phase: phase}]
		}
		if ok && s.Config.WroteIt(ctx, &t, step) != nil {
			return config.TrustItem{} // who wrote it nobody can tell any more
		}
		return t
	}, nil
}

// UntrustedCommands are the commands that verify phases of a task, may be run
// yet, and wait for the person's trust: by phase, as they stand there.
func (s *Trust) UntrustedCommands(ctx context.Context, t task.Task) (map[task.UID][]string, error) {
	commands := records.Verifying(t)
	if len(commands) == 0 {
		return nil, nil
	}
	clone, err := s.Clone.State(ctx)
	if err != nil {
		return nil, err
	}
	waiting := map[task.UID][]string{}
	for _, c := range commands {
		if !clone.Trusts(c.Hash()) {
			waiting[c.Phase.UID] = append(waiting[c.Phase.UID], c.Text[0])
		}
	}
	return waiting, nil
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
