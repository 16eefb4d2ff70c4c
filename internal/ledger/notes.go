package ledger

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/gitstore"
)

// Note stages a line on the note of a user's commit, once. Notes are a view:
// the tasks' own refs are the truth, and the notes can be rebuilt from them.
func (tx *Tx) Note(ctx context.Context, on gitstore.OID, line string) error {
	tip, err := tx.Tip(ctx, NotesRef)
	if err != nil {
		return err
	}
	path, blob, err := tx.note(ctx, tip, on)
	if err != nil {
		return fmt.Errorf("read the note on %s: %w", on.Short(), err)
	}
	var text []byte
	if !blob.IsZero() {
		if data, ok := tx.Text(blob.String()); ok {
			text = data
		}
	}
	if slices.Contains(strings.Split(string(text), "\n"), line) {
		return nil
	}
	if len(text) > 0 && text[len(text)-1] != '\n' {
		text = append(slices.Clone(text), '\n')
	}
	tree, err := tx.edit(ctx, tip, map[string]gitstore.OID{path: tx.Blob(append(slices.Clone(text), line+"\n"...))})
	if err != nil {
		return err
	}
	next, err := tx.stage(ctx, tree, "Notes added by 'git brew'\n", tip)
	if err != nil {
		return err
	}
	if err := tx.Move(ctx, NotesRef, next); err != nil {
		return err
	}
	tx.After(func(ctx context.Context) {
		if shown, err := tx.l.NotesShown(ctx); err == nil && !shown {
			tx.l.ShowNotes(ctx)
		}
	})
	return nil
}

// note finds where git keeps the note on a commit: notes lie under the
// commit's name, which git cuts into directories of two digits as they get
// many.
func (tx *Tx) note(ctx context.Context, tip, on gitstore.OID) (path string, blob gitstore.OID, err error) {
	if tip.IsZero() {
		return on.String(), blob, nil
	}
	at, dir, rest := tip, "", on.String()
	for {
		entries, err := tx.tree(ctx, at)
		if err != nil {
			return "", blob, err
		}
		find := func(name string, mode gitstore.Mode) int {
			return slices.IndexFunc(entries, func(e gitstore.Entry) bool {
				return e.Name == name && (e.Mode == gitstore.ModeDir) == (mode == gitstore.ModeDir)
			})
		}
		if i := find(rest, gitstore.ModeFile); i >= 0 {
			return dir + rest, entries[i].OID, nil
		}
		i := -1
		if len(rest) > 2 {
			i = find(rest[:2], gitstore.ModeDir)
		}
		if i < 0 {
			return dir + rest, blob, nil
		}
		at, dir, rest = entries[i].OID, dir+rest[:2]+"/", rest[2:]
	}
}

// NoteLines returns the lines of the note on a user's commit.
func (l *Ledger) NoteLines(ctx context.Context, on gitstore.OID) ([]string, error) {
	tip, err := l.Tip(ctx, NotesRef)
	if err != nil || tip.IsZero() {
		return nil, err
	}
	tx := &Tx{l: l}
	_, blob, err := tx.note(ctx, tip, on)
	if err != nil || blob.IsZero() {
		return nil, err
	}
	data, err := l.repo.Blob(ctx, blob)
	if err != nil {
		return nil, err
	}
	return strings.Split(strings.TrimSuffix(string(data), "\n"), "\n"), nil
}

// noteSettings are the settings of git that take the ref of notes.
func noteSettings() []string { return []string{"notes.displayref", "notes.rewriteref"} }

// NotesShown reports whether git's own commands show the notes, and carry them
// through amend and rebase.
func (l *Ledger) NotesShown(ctx context.Context) (bool, error) {
	if target, err := l.repo.SymbolicRef(NotesAlias); err != nil || target != NotesRef {
		return false, nil //nolint:nilerr // absent, or somebody's own: not shown
	}
	config, err := l.repo.Config(ctx)
	if err != nil {
		return false, err
	}
	for _, key := range noteSettings() {
		if !slices.Contains(config.All(key), string(NotesAlias)) {
			return false, nil
		}
	}
	return true, nil
}

// ShowNotes arranges that. It comes with the first note, since a symbolic ref
// to nothing makes git fsck fail; a ref of somebody's own by that name stays.
func (l *Ledger) ShowNotes(ctx context.Context) {
	if _, err := l.repo.SymbolicRef(NotesAlias); errors.Is(err, gitstore.ErrNotExist) {
		if _, err := l.repo.Ref(ctx, NotesAlias); !errors.Is(err, gitstore.ErrNotExist) {
			return // somebody's own notes live there
		}
		if l.repo.WriteSymbolicRef(ctx, NotesAlias, NotesRef) != nil {
			return
		}
	}
	config, err := l.repo.Config(ctx)
	if err != nil {
		return
	}
	for _, key := range noteSettings() {
		if !slices.Contains(config.All(key), string(NotesAlias)) {
			_ = l.repo.AddConfig(ctx, key, string(NotesAlias))
		}
	}
}
