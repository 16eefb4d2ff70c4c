package app

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/app/change"
	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/records"
	"github.com/git-brew/git-brew/internal/document"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/task"
)

// record makes the task: its creation, documents and phases, in one step, which
// is written, or tried by a dry run.
func (s *Tasks) record(ctx context.Context, step recordStep, p task.CreatePayload, r CreateRequest, in creation,
	before task.ID,
) (made task.Task, ended []string, err error) {
	err = step(ctx, func(ctx context.Context, tx *ledger.Tx) error {
		c := &change.Tx{Engine: s.Engine, Ledger: tx, ID: p.ID, Bare: true}
		if err := c.Do(ctx, change.Op(task.OpCreate, p)); err != nil {
			return err
		}
		for _, d := range r.documents() {
			if len(d.text) == 0 {
				continue
			}
			if err := c.SetDocument(ctx, d.name, d.text); err != nil {
				return err
			}
		}
		for _, title := range r.Phases {
			if err := c.Do(ctx, change.Op(task.OpPhaseAdd,
				task.PhaseAddPayload{Title: title, Kind: task.KindExecution})); err != nil {
				return err
			}
		}
		uids, err := s.addPhases(ctx, c, in.Phases)
		if err != nil {
			return err
		}
		if in.then != nil {
			if err := in.then(ctx, c, uids); err != nil {
				return err
			}
		}
		if made = c.Task; r.imported { // nobody has looked at its commands
			return nil
		}
		if !r.NoSwitch {
			note, err := s.Place.MeanHere(ctx, tx, made, before)
			if err != nil {
				return err
			}
			if ended = nil; note != "" {
				ended = []string{note}
			}
		}
		return s.Clone.TrustWhatIsSet(ctx, tx, s.trust.MadeHere(made.Phases, r.Plan))
	})
	return made, ended, err
}

// A recordStep writes what a function changes, or only tries it.
type recordStep func(context.Context, func(context.Context, *ledger.Tx) error) error

func checkTexts(r CreateRequest) error {
	for _, d := range append(r.documents(), given{"PRD", r.PRD}) {
		if d.text == nil {
			continue
		}
		if err := task.CheckText(d.text); err != nil {
			return fmt.Errorf("the %s: %w", d.name, err)
		}
	}
	return nil
}

// knownType refuses what is probably a slip: records hold any word, since other
// programs have types of their own.
func knownType(typ string) error {
	if slices.Contains(task.Types, typ) {
		return nil
	}
	return clone.Invalid("one of "+strings.Join(task.Types, ", "), "%q is no type of task", typ)
}

// readFrontMatter takes what the front matter of a specification or a plan says
// about a new task, where the request says nothing itself, and tells what it
// took. The text itself stays as it is.
func (s *Tasks) readFrontMatter(ctx context.Context, r *CreateRequest) ([]string, error) {
	for _, doc := range r.documents() {
		f, ok, err := records.ReadTaskFile(doc.text)
		if err != nil {
			return nil, fmt.Errorf("the %s: %w", doc.name, err)
		}
		if !ok {
			continue
		}
		taken, err := s.takeFrontMatter(ctx, r, f)
		if err != nil {
			return nil, fmt.Errorf("the %s: %w", doc.name, err)
		}
		var notes []string
		if len(taken) > 0 {
			notes = append(notes, "from the front matter of the "+string(doc.name)+": "+strings.Join(taken, ", "))
		}
		status, err := task.ParseStatus(f.Status)
		if f.Status != "" && !r.imported && (err != nil || status != task.Pending) {
			notes = append(notes, "its status "+f.Status+" was not taken over; 'git brew start' starts the task")
		}
		return notes, nil
	}
	return nil, nil
}

// titleFromHeading takes the title of a task that has none from the first heading
// of its specification, else of its plan, and tells that it did.
func titleFromHeading(r *CreateRequest) []string {
	for _, doc := range r.documents() {
		if r.Title != "" {
			return nil
		}
		for _, section := range document.Read(doc.text).Sections {
			if section.Level > 0 && section.Title != "" {
				r.Title = section.Title
				return []string{"its title is the first heading of the " + string(doc.name)}
			}
		}
	}
	return nil
}

// takeFrontMatter fills in a request, and names what it filled in. Modules may
// name anything, so only submodules that are here become services.
func (s *Tasks) takeFrontMatter(ctx context.Context, r *CreateRequest, f records.TaskFile) (taken []string, err error) {
	if r.Title == "" {
		r.Title, taken = f.Task, append(taken, "task "+f.Task)
	}
	if r.Branch == "" && !r.Here && f.Branch != "" {
		r.Branch, taken = f.Branch, append(taken, "branch "+f.Branch)
	}
	if len(r.Services) == 0 && !r.Here && len(f.Services)+len(f.Modules) > 0 {
		v, _, err := s.Place.Services(ctx)
		if err != nil {
			return nil, err
		}
		r.Services = append(r.Services, f.Services...)
		for _, m := range f.Modules {
			if slices.Contains(v.CheckedOut(), m) && !slices.Contains(r.Services, m) {
				r.Services = append(r.Services, m)
			}
		}
		for _, path := range r.Services {
			taken = append(taken, "service "+path)
		}
	}
	if f.Issue != "" {
		r.Issues, taken = append(r.Issues, f.Issue), append(taken, "issue "+f.Issue)
	}
	return taken, nil
}
