package app

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/git-brew/git-brew/internal/app/change"
	"github.com/git-brew/git-brew/internal/app/learn"
	"github.com/git-brew/git-brew/internal/importer"
	"github.com/git-brew/git-brew/internal/knowledge"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/operation"
	"github.com/git-brew/git-brew/internal/task"
)

// Imported is what an import made, or would make.
type Imported struct {
	Made []Result
	// There are tasks that stay as they are, for they have the branch that one of the
	// import would get, and what that one says.
	There []task.ID
	// Backlog are the new items.
	Backlog []string
	Lost    []importer.Lost
}

// Import makes tasks of what was read from another system, none where one of them can't
// be made. Nothing is checked out. A task that is here already stays as it is.
func (s *Tasks) Import(ctx context.Context, system string, in importer.Result) (out Imported, err error) {
	out.Lost = slices.Clone(in.Lost)
	var make []importer.Task
	branches := map[string]bool{}
	for i, t := range in.Tasks {
		id, err := s.importedAs(ctx, &t, branches)
		switch {
		case err != nil:
			return out, fmt.Errorf("%s: %w", t.Source, err)
		case id == "":
			make = append(make, t)
		default:
			lacks, err := s.lacks(ctx, id, t)
			if err != nil {
				return out, err
			}
			if lacks == "" {
				out.There = append(out.There, id)
				continue
			}
			out.Lost = append(out.Lost, importer.Lost{
				Path: t.Source, Line: t.Line, What: notRead(in.Tasks[i], id, lacks),
			})
		}
	}
	for _, dry := range []bool{true, false} {
		if !dry && s.Clone.DryRun() {
			break
		}
		var lost []importer.Lost
		out.Made = nil
		for _, t := range make {
			made, kept, err := s.importOne(ctx, system, t, dry)
			if err != nil {
				return out, fmt.Errorf("%s: %w", t.Source, err)
			}
			out.Made, lost = append(out.Made, made), append(lost, kept...)
		}
		if !dry || s.Clone.DryRun() {
			out.Lost = append(out.Lost, lost...)
		}
	}
	out.Backlog, err = s.importBacklog(ctx, system, in.Backlog)
	if len(out.Made) > 1 {
		s.Engine.Last = change.LastChange{} // no one command takes several back
	}
	return out, err
}

// importRequest is what create is asked for an imported task.
func importRequest(t importer.Task) CreateRequest {
	r := CreateRequest{
		Title: t.Title, Branch: t.Branch, Priority: t.Priority, NoSwitch: true, imported: true, ended: t.Status.Terminal(),
	}
	if t.Branch != "" { // its front matter may name services and issues, too
		r.Spec = t.Doc(task.DocSpec)
	}
	return r
}

// importedAs is the task that has the branch which an imported one would get; "" for none.
// Of several in one import that would get one branch, the second gets one with -2.
func (s *Tasks) importedAs(ctx context.Context, t *importer.Task, branches map[string]bool) (task.ID, error) {
	r := importRequest(*t)
	typ, _, slug, err := named(&r)
	if err != nil {
		return "", err
	}
	branch := cmp.Or(r.Branch, cmp.Or(typ, task.Types[0])+"/"+slug)
	if branches[branch] {
		n := 2
		for branches[branch+"-"+strconv.Itoa(n)] {
			n++
		}
		t.Branch = branch + "-" + strconv.Itoa(n)
		branch = t.Branch
	}
	branches[branch] = true
	all, err := s.Records.Index(ctx)
	for _, have := range all {
		if id, err := task.ParseID(have.ID); err == nil && have.State.Branch == branch && !have.State.Deleted {
			return id, nil
		}
	}
	return "", err
}

// lacks is what a task has not of an imported one that would get its branch: a phase of
// such a title, or such a text; "" for nothing.
func (s *Tasks) lacks(ctx context.Context, id task.ID, in importer.Task) (string, error) {
	t, err := s.Records.Task(ctx, id)
	if err != nil {
		return "", err
	}
	for _, p := range in.Phases {
		if !slices.ContainsFunc(t.Phases, func(have task.Phase) bool { return have.Title == p.Title }) {
			return fmt.Sprintf("no phase %q", p.Title), nil
		}
	}
	for _, d := range in.Docs {
		if have, err := s.textOf(ctx, t, d.Name); err != nil || !bytes.Equal(bytes.TrimSpace(have), bytes.TrimSpace(d.Text)) {
			return "another " + string(d.Name), err
		}
	}
	return "", nil
}

// notRead says that a task of an import gives way to one that has its branch, and what to do
// where both are meant.
func notRead(in importer.Task, id task.ID, lacks string) string {
	word := "title"
	if in.Branch != "" {
		word = "branch"
	}
	return fmt.Sprintf("%s is not read: its branch is that of %s, which has %s; "+
		"if that is another task, give this one another %s",
		strings.TrimSpace(in.ID+" "+strconv.Quote(in.Title)), id, lacks, word)
}

// importOne makes a task, and says what of it the rules refused.
func (s *Tasks) importOne(ctx context.Context, system string, t importer.Task, dry bool,
) (made Result, lost []importer.Lost, err error) {
	if t.Stage == task.StageComplete {
		t.Stage = task.StageExecute
	}
	made, err = s.create(ctx, importRequest(t), creation{
		Task: t, dry: dry,
		then: func(ctx context.Context, c *change.Tx, uids map[string]task.UID) error {
			if err := s.importTexts(ctx, c, t); err != nil {
				return err
			}
			o := onward{Tx: c, in: t, uids: uids, reason: "imported from " + system}
			err := o.goOn(ctx)
			lost = o.lost
			return err
		},
	})
	return made, lost, err
}

// importTexts records documents, decisions and knowledge.
func (s *Tasks) importTexts(ctx context.Context, c *change.Tx, t importer.Task) error {
	for _, d := range t.Docs {
		if err := c.SetDocument(ctx, d.Name, d.Text); err != nil {
			return err
		}
	}
	for _, d := range t.Decisions {
		uid, err := operation.NewID(s.Clone.Random)
		if err != nil {
			return err
		}
		add := change.Op(task.OpDecisionAdd, task.DecisionAddPayload{Title: d.Title, Why: d.Why})
		add.ID = uid
		drafts := []ledger.Draft{add}
		if d.Revoked {
			drafts = append(drafts, change.Op(task.OpDecisionRevoke,
				task.DecisionRevokePayload{Decision: uid, Reason: "it held no more when it was imported"}))
		}
		if err := c.Do(ctx, drafts...); err != nil {
			return err
		}
	}
	for _, e := range t.Knowledge {
		e.Txt, e.TS = s.Journal.WithoutSecrets("text", e.Txt), cmp.Or(e.TS, s.Clone.Timestamp())
		good, err := knowledge.Validate(e)
		if err == nil {
			good.ID, err = operation.NewID(s.Clone.Random)
		}
		if err == nil {
			err = c.Do(ctx, learn.AddDraft(good))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// importBacklog notes what stands alone, once.
func (s *Tasks) importBacklog(ctx context.Context, system string, all []string) (added []string, err error) {
	p, err := s.knowledge.Project(ctx)
	if err != nil {
		return nil, err
	}
	known := map[string]bool{}
	for _, item := range p.Backlog {
		known[knowledge.Normalize(item.Txt)] = true
	}
	for _, text := range all {
		if !known[knowledge.Normalize(text)] {
			known[knowledge.Normalize(text)], added = true, append(added, text)
		}
	}
	if !s.Clone.DryRun() && len(added) > 0 {
		_, err = s.knowledge.AddItems(ctx, added, system, "")
	}
	return added, err
}
