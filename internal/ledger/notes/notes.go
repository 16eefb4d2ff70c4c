// Package notes keeps what the tasks say of the user's commits where git's own
// commands show it: git's format of notes, a view of the tasks.
package notes

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/ledger"
)

// Line is a line for the note of a user's commit.
type Line struct {
	On   gitstore.OID
	Text string
}

// Add stages lines on the notes of the user's commits, each once. Notes are a
// view: the tasks' own refs are the truth, and the notes can be rebuilt from
// them. So where Add fails it has staged nothing, and the change may go on.
func Add(ctx context.Context, tx *ledger.Tx, lines ...Line) error {
	add := func(have []string, line string) []string {
		if slices.Contains(have, line) {
			return have
		}
		return append(slices.Clip(have), line)
	}
	noted, err := edit(ctx, tx, "Notes added by 'git brew'\n", add, lines)
	if err != nil || !noted {
		return err
	}
	tx.After(func(ctx context.Context) {
		Show(ctx, tx.Ledger().Repo())
	})
	return nil
}

// Remove stages that lines go from the notes of the user's commits. A remote that
// has them, and went on, brings them back with the next sync: notes are a view.
func Remove(ctx context.Context, tx *ledger.Tx, lines ...Line) error {
	remove := func(have []string, line string) []string {
		return slices.DeleteFunc(slices.Clone(have), func(l string) bool { return l == line })
	}
	_, err := edit(ctx, tx, "Notes removed by 'git brew'\n", remove, lines)
	return err
}

// edit stages what edit makes of the notes that lines are for; false: nothing.
func edit(
	ctx context.Context, tx *ledger.Tx, message string, change func(have []string, line string) []string, lines []Line,
) (bool, error) {
	tip, err := tx.Tip(ctx, ledger.NotesRef)
	if err != nil {
		return false, err
	}
	edited := map[string][]string{} // by path
	for _, n := range lines {
		path, text, err := find(ctx, tx, tip, n.On)
		if err != nil {
			return false, fmt.Errorf("read the note on %s: %w", n.On.Short(), err)
		}
		have, known := edited[path]
		if !known {
			have = linesOf(text)
		}
		if now := change(have, n.Text); len(now) != len(have) {
			edited[path] = now
		}
	}
	if len(edited) == 0 {
		return false, nil
	}
	files := make(map[string][]byte, len(edited))
	for path, lines := range edited {
		if files[path] = nil; len(lines) > 0 {
			files[path] = textOf(lines)
		}
	}
	_, err = tx.Put(ctx, ledger.NotesRef, files, message)
	return true, err
}

// find reads the note on a commit, and finds where it is kept: notes lie under the
// commit's name, of which git makes directories of two digits as they get many.
func find(ctx context.Context, tx *ledger.Tx, tip, on gitstore.OID) (path string, text []byte, err error) {
	name := on.String()
	for _, path := range []string{pathOf(on), name, name[:2] + "/" + name[2:4] + "/" + name[4:]} {
		e, ok, err := tx.Entry(ctx, tip, path)
		if err != nil {
			return "", nil, err
		}
		if ok && e.Mode != gitstore.ModeDir {
			text, err := tx.ReadBlob(ctx, e.OID, gitstore.MaxObjectSize)
			return path, text, err
		}
	}
	return pathOf(on), nil, nil
}

// pathOf is where a new note lies. git finds notes in any number of directories.
func pathOf(on gitstore.OID) string { return on.String()[:2] + "/" + on.String()[2:] }

// Lines returns the lines of the note on a user's commit.
func Lines(ctx context.Context, tx *ledger.Tx, on gitstore.OID) ([]string, error) {
	tip, err := tx.Tip(ctx, ledger.NotesRef)
	if err != nil {
		return nil, err
	}
	_, text, err := find(ctx, tx, tip, on)
	return linesOf(text), err
}

// linesOf are the lines of a note, which anybody may have written.
func linesOf(text []byte) []string {
	if len(text) == 0 {
		return nil
	}
	return strings.Split(strings.TrimSuffix(plainText(string(text)), "\n"), "\n")
}

func textOf(lines []string) []byte { return []byte(strings.Join(lines, "\n") + "\n") }

// plainText leaves out what would do something to a terminal: control
// characters, but for tabs and ends of lines, and what is not UTF-8.
func plainText(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\t' && r != '\n' {
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
}

// Purge begins the notes anew without the lines of a task; false: there are none.
func Purge(ctx context.Context, tx *ledger.Tx, id string) (bool, error) {
	tip, err := tx.Tip(ctx, ledger.NotesRef)
	if err != nil || tip.IsZero() {
		return false, err
	}
	notes, err := at(ctx, tx, tip)
	if err != nil {
		return false, err
	}
	left := make(map[gitstore.OID]gitstore.OID, len(notes))
	for on, blob := range notes {
		text, err := tx.ReadBlob(ctx, blob, gitstore.MaxObjectSize)
		if err != nil {
			return false, err
		}
		lines := slices.DeleteFunc(linesOf(text), func(line string) bool { return strings.HasPrefix(line, id+": ") })
		if len(lines) > 0 {
			left[on] = tx.Blob(textOf(lines))
		}
	}
	tree, err := makeTree(tx, left)
	if err != nil {
		return false, err
	}
	next, err := tx.Stage(ctx, tree, "Notes begun anew by 'git brew'\n")
	if err != nil {
		return false, err
	}
	return true, tx.Move(ctx, ledger.NotesRef, next)
}

// Settings are the settings of git that take the ref of notes.
func Settings() []string { return []string{"notes.displayref", "notes.rewriteref"} }

// Shown reports whether git's own commands show the notes, and carry them
// through amend and rebase.
func Shown(ctx context.Context, repo *gitstore.Repo) (bool, error) {
	if !AliasHere(repo) {
		return false, nil // absent, or somebody's own
	}
	config, err := repo.Config.Read(ctx)
	if err != nil {
		return false, err
	}
	for _, key := range Settings() {
		if !slices.Contains(config.All(key), string(ledger.NotesAlias)) {
			return false, nil
		}
	}
	return true, nil
}

// AliasHere reports whether git's own commands read the notes by the name that
// Show gave them.
func AliasHere(repo *gitstore.Repo) bool {
	target, err := repo.Refs.Symbolic(ledger.NotesAlias)
	return err == nil && target == ledger.NotesRef
}

// Show arranges that. It comes with the first note, since a symbolic ref
// to nothing makes git fsck fail; a ref of somebody's own by that name stays.
func Show(ctx context.Context, repo *gitstore.Repo) {
	if _, err := repo.Refs.Symbolic(ledger.NotesAlias); errors.Is(err, gitstore.ErrNotExist) {
		if _, err := repo.Refs.Get(ctx, ledger.NotesAlias); !errors.Is(err, gitstore.ErrNotExist) {
			return // somebody's own notes live there
		}
		if repo.Refs.SetSymbolic(ctx, ledger.NotesAlias, ledger.NotesRef) != nil {
			return
		}
	}
	config, err := repo.Config.Read(ctx)
	if err != nil {
		return
	}
	for _, key := range Settings() {
		if !slices.Contains(config.All(key), string(ledger.NotesAlias)) {
			_ = repo.Config.Add(ctx, key, string(ledger.NotesAlias))
		}
	}
}
