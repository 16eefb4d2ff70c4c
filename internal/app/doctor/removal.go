package doctor

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/app/change"
	"github.com/git-brew/git-brew/internal/app/records"
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/ledger/archive"
	"github.com/git-brew/git-brew/internal/ledger/notes"
	"github.com/git-brew/git-brew/internal/refsync"
	"github.com/git-brew/git-brew/internal/task"
)

// Everything is every ref of git brew's in this clone, and what remotes may have
// beside that.
func (s *Doctor) Everything(ctx context.Context) (refs []gitstore.RefName, left []string, err error) {
	if refs, err = s.Clone.Repo.Refs.Names(ctx, ledger.Prefix); err != nil {
		return nil, nil, err
	}
	refs = slices.DeleteFunc(refs, func(ref gitstore.RefName) bool {
		_, err := gitstore.ParseRefName(string(ref))
		return err != nil // git knows no such ref
	})
	conf, err := s.Clone.Repo.Config.Read(ctx)
	if err != nil {
		return nil, nil, err
	}
	for _, remote := range conf.Remotes() {
		n := 0
		for _, ref := range refs {
			if strings.HasPrefix(string(ref), ledger.TrackingPrefix(remote)) {
				n++
			}
		}
		if n > 0 {
			left = append(left, fmt.Sprintf("%s had %d of them when it was asked last, and keeps them: 'git ls-remote %[1]s' "+
				"shows them", remote, n))
		}
	}
	if notes.AliasHere(s.Clone.Repo) {
		refs = append(refs, ledger.NotesAlias)
	}
	return refs, left, nil
}

// Purged is what became of a task that was purged.
type Purged struct {
	Task task.ID            `json:"task"`
	Refs []gitstore.RefName `json:"refs"` // that led to it here
	// Left says where it still is, and what a person does about that.
	Left   []StillThere `json:"left"`
	DryRun bool         `json:"dry_run,omitzero"`
}

// purge takes a task out of all refs, and says which had it.
func purge(ctx context.Context, tx *ledger.Tx, id string) (gone []gitstore.RefName, err error) {
	archived, err := archive.Purge(ctx, tx, id)
	if err != nil {
		return nil, err
	}
	noted, err := notes.Purge(ctx, tx, id)
	if err != nil {
		return nil, err
	}
	if archived {
		gone = append(gone, ledger.ArchiveRef)
	}
	if noted {
		gone = append(gone, ledger.NotesRef)
	}
	refs, err := tx.Purge(ctx, id, archived)
	return append(gone, refs...), err
}

// StillThere is a place that a purge does not reach, and the command of git's that a
// person has for it, "" for none.
type StillThere struct {
	What    string `json:"what"`
	Command string `json:"command,omitzero"`
}

// Purge takes a task out of every ref of this clone, with what is cached of it, for
// the case that a secret was stored: unlike a delete it is no operation, nobody
// else learns of it, and nothing brings the task back but somebody who has it.
func (s *Doctor) Purge(ctx context.Context, id task.ID) (Purged, error) {
	out := Purged{Task: id, DryRun: s.Clone.DryRun()}
	if err := s.Clone.Caller.ForPeople("purge a task", "the user does"); err != nil {
		return out, err
	}
	err := s.Clone.Ledger.Change(ctx, func(ctx context.Context, tx *ledger.Tx) (err error) {
		if err = s.Place.ForgetHere(ctx, tx, id); err == nil {
			out.Refs, err = purge(ctx, tx, string(id))
		}
		return err
	})
	if err != nil {
		return out, err
	}
	if !s.Clone.DryRun() {
		s.uncache(id)
	}
	out.Left = []StillThere{{What: "its objects stay until git collects them, in two weeks (gc.pruneExpire)"}}
	conf, err := s.Clone.Repo.Config.Read(ctx)
	if err != nil {
		return out, err
	}
	for _, name := range conf.Remotes() {
		if remote, err := s.Config.Remote(ctx, name); err == nil {
			out.Left = append(out.Left, stillAt(remote, out.Refs))
		}
	}
	if len(out.Left) > 1 {
		out.Left = append(out.Left, StillThere{What: "another clone that has it pushes it again: purge it there, too"})
	}
	return out, nil
}

// stillAt says what a remote may have of a purged task; gone is what went here.
func stillAt(remote refsync.Remote, gone []gitstore.RefName) StillThere {
	var there []string
	for _, ref := range gone {
		if of, ok := ledger.Tracked(remote.Name, ref); ok {
			there = append(there, string(remote.There(of)))
		}
	}
	if len(there) == 0 {
		return StillThere{
			remote.Name + " was not seen to have it; this shows what it has:",
			"git ls-remote " + change.ShellWord(remote.Name),
		}
	}
	command := "git push " + change.ShellWord(remote.Name) + " --delete"
	for _, ref := range there {
		command += " " + change.ShellWord(ref)
	}
	return StillThere{remote.Name + " has it, and the next sync brings it back, unless it goes there first:", command}
}

// uncache removes what caches have of a task.
func (s *Doctor) uncache(id task.ID) {
	dir := s.Clone.Repo.CacheDir()
	edited, _ := filepath.Glob(filepath.Join(dir, "edited-"+string(id)+"-*")) // an id has nothing of a pattern
	for _, path := range append(edited, s.Journal.Transcripts(), filepath.Join(dir, "index-tasks"),
		filepath.Join(dir, "index-locks"), filepath.Join(dir, records.PlanAsked)) {
		_ = os.RemoveAll(path) // who can't write there has no cache
	}
}
