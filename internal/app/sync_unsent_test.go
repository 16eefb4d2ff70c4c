package app_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-brew/git-brew/internal/app"
	"github.com/git-brew/git-brew/internal/app/exchange"
	"github.com/git-brew/git-brew/internal/app/texts"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/refsync"
	"github.com/git-brew/git-brew/internal/task"
)

// S-24: a record of ours that nobody else would take stays here, is named, and
// keeps no other one. Mended, it goes with the next sync.
func TestSync_S24_whatNobodyTakesIsNotSent(t *testing.T) {
	for name, spoil := range map[string]func(p patient, ref string){
		"broken law": func(p patient, ref string) {
			p.Git("update-ref", ref, p.Git("commit-tree", "-m", "again", "-p", ref, ref+"^{tree}"))
		},
		"too large": func(p patient, ref string) {
			p.Write("words", strings.Repeat("many words ", 10_000))
			p.Git("update-ref", ref, p.Git("commit-tree", "-F", "words", "-p", ref, ref+"^{tree}"))
		},
		"damaged": func(p patient, ref string) { p.garble(ref + ":plan.md") },
		"damaged below": func(p patient, ref string) {
			p.garble(ref + ":plan.md")
			s := p.service()
			_, err := s.Documents.SetDocument(p.T.Context(), task.ID(strings.TrimPrefix(ref, string(ledger.TaskRef("")))),
				texts.SetDocumentRequest{Name: "plan", Text: []byte("# Another\n")})
			if err != nil {
				p.T.Fatal(err)
			}
		},
		"gone": func(p patient, ref string) { p.lose(ref + ":plan.md") },
	} {
		t.Run(name, func(t *testing.T) {
			p, id, ref := sharing(t)
			shared := p.Git("rev-parse", ref)
			if _, err := p.service().Documents.SetDocument(t.Context(), id,
				texts.SetDocumentRequest{Name: "plan", Text: []byte("# Plan\n")}); err != nil {
				t.Fatal(err)
			}
			sound := p.Git("rev-parse", ref)
			spoil(p, ref)
			ours := p.Git("rev-parse", ref)
			other, err := p.service().Tasks.Create(t.Context(), app.CreateRequest{Title: "Another", NoSwitch: true})
			if err != nil {
				t.Fatal(err)
			}
			hub := p.In(filepath.Join(p.Root, "hub"))
			for _, dry := range []bool{true, false} {
				report, err := p.service().Exchange.Sync(t.Context(), exchange.SyncRequest{DryRun: dry})
				if err != nil {
					t.Fatal(err)
				}
				failed := report.Failed()
				if len(failed) != 1 || string(failed[0].Ref) != ref || failed[0].Outcome != refsync.SetAside ||
					!strings.Contains(failed[0].Err.Error(), "not sent") ||
					!strings.Contains(failed[0].Err.Error(), "'git brew doctor'") {
					t.Fatalf("dry %t: %+v", dry, failed)
				}
			}
			if got := hub.Git("rev-parse", ref); got != shared {
				t.Errorf("the hub has %s", got)
			}
			if got := p.Git("rev-parse", ref); got != ours {
				t.Errorf("here it moved to %s", got)
			}
			if _, err := hub.TryGit("rev-parse", "--verify", "-q", string(ledger.TaskRef(string(other.Task.ID)))); err != nil {
				t.Error("the other one did not go")
			}
			if last, ok := p.service().Clone.LastSync(); !ok || last.OK || !strings.Contains(last.Said, ref) {
				t.Errorf("LastSync() = %+v, %t", last, ok)
			}
			if name == "broken law" || name == "too large" {
				p.Git("update-ref", ref, sound)
				p.sync()
				if got := hub.Git("rev-parse", ref); got != sound {
					t.Errorf("mended, the hub has %s", got)
				}
			}
		})
	}
}

// garble overwrites an object with something that is none.
func (p patient) garble(object string) {
	p.T.Helper()
	if err := os.WriteFile(p.objectFile(object), []byte("garbled"), 0o666); err != nil {
		p.T.Fatal(err)
	}
}

// lose removes an object.
func (p patient) lose(object string) {
	p.T.Helper()
	if err := os.Remove(p.objectFile(object)); err != nil {
		p.T.Fatal(err)
	}
}

func (p patient) objectFile(object string) string {
	p.T.Helper()
	p.Unchecked()
	name := p.Git("rev-parse", object)
	file := filepath.Join(p.Dir, ".git", "objects", name[:2], name[2:])
	if err := os.Chmod(file, 0o666); err != nil {
		p.T.Fatal(err)
	}
	return file
}
