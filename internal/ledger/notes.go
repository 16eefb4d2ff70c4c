package ledger

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/git-brew/git-brew/internal/gitstore"
)

// NoteLine is a line for the note of a user's commit.
type NoteLine struct {
	On   gitstore.OID
	Line string
}

// Note stages lines on the notes of the user's commits, each once. Notes are a
// view: the tasks' own refs are the truth, and the notes can be rebuilt from
// them. So where Note fails it has staged nothing, and the change may go on.
func (tx *Tx) Note(ctx context.Context, lines ...NoteLine) error {
	add := func(have []string, line string) []string {
		if slices.Contains(have, line) {
			return have
		}
		return append(slices.Clip(have), line)
	}
	noted, err := tx.editNotes(ctx, "Notes added by 'git brew'\n", add, lines)
	if err != nil || !noted {
		return err
	}
	tx.After(func(ctx context.Context) {
		if shown, err := tx.l.NotesShown(ctx); err == nil && !shown {
			tx.l.ShowNotes(ctx)
		}
	})
	return nil
}

// Unnote stages that lines go from the notes of the user's commits. A remote that
// has them, and went on, brings them back with the next sync: notes are a view.
func (tx *Tx) Unnote(ctx context.Context, lines ...NoteLine) error {
	remove := func(have []string, line string) []string {
		return slices.DeleteFunc(slices.Clone(have), func(l string) bool { return l == line })
	}
	_, err := tx.editNotes(ctx, "Notes removed by 'git brew'\n", remove, lines)
	return err
}

// editNotes stages what edit makes of the notes that lines are for; false: nothing.
func (tx *Tx) editNotes(
	ctx context.Context, message string, edit func(have []string, line string) []string, lines []NoteLine,
) (bool, error) {
	tip, err := tx.Tip(ctx, NotesRef)
	if err != nil {
		return false, err
	}
	edited := map[string][]string{} // by path
	for _, n := range lines {
		path, text, err := tx.note(ctx, tip, n.On)
		if err != nil {
			return false, fmt.Errorf("read the note on %s: %w", n.On.Short(), err)
		}
		have, known := edited[path]
		if !known {
			have = noteLines(text)
		}
		if now := edit(have, n.Line); len(now) != len(have) {
			edited[path] = now
		}
	}
	if len(edited) == 0 {
		return false, nil
	}
	files := make(map[string][]byte, len(edited))
	for path, lines := range edited {
		if files[path] = nil; len(lines) > 0 {
			files[path] = noteText(lines)
		}
	}
	_, err = tx.Put(ctx, NotesRef, files, message)
	return true, err
}

// note reads the note on a commit, and finds where it is kept: notes lie under the
// commit's name, of which git makes directories of two digits as they get many.
func (tx *Tx) note(ctx context.Context, tip, on gitstore.OID) (path string, text []byte, err error) {
	at, dir, rest := tip, "", on.String()
	for {
		entries, err := tx.tree(ctx, at)
		if err != nil {
			return "", nil, err
		}
		find := func(name string, isDir bool) int {
			return slices.IndexFunc(entries, func(e gitstore.Entry) bool {
				return e.Name == name && (e.Mode == gitstore.ModeDir) == isDir
			})
		}
		if i := find(rest, false); i >= 0 {
			text, err := tx.blob(ctx, entries[i].OID)
			return dir + rest, text, err
		}
		i := -1
		if len(rest) > 2 {
			i = find(rest[:2], true)
		}
		switch {
		case i >= 0:
			at, dir, rest = entries[i].OID, dir+rest[:2]+"/", rest[2:]
		case dir == "":
			return notePath(on), nil, nil
		default:
			return dir + rest, nil, nil
		}
	}
}

// notePath is where a new note lies. git finds notes in any number of directories.
func notePath(on gitstore.OID) string { return on.String()[:2] + "/" + on.String()[2:] }

// blob reads a blob, staged or stored.
func (tx *Tx) blob(ctx context.Context, oid gitstore.OID) ([]byte, error) {
	if data, ok := tx.texts.staged[oid.String()]; ok {
		return data, nil
	}
	return tx.l.repo.Objects.Blob(ctx, oid)
}

// NoteLines returns the lines of the note on a user's commit.
func (tx *Tx) NoteLines(ctx context.Context, on gitstore.OID) ([]string, error) {
	tip, err := tx.Tip(ctx, NotesRef)
	if err != nil {
		return nil, err
	}
	_, text, err := tx.note(ctx, tip, on)
	return noteLines(text), err
}

// NoteLines returns the lines of the note on a user's commit.
func (l *Ledger) NoteLines(ctx context.Context, on gitstore.OID) ([]string, error) {
	return newTx(ctx, l).NoteLines(ctx, on)
}

// noteLines are the lines of a note, which anybody may have written.
func noteLines(text []byte) []string {
	if len(text) == 0 {
		return nil
	}
	return strings.Split(strings.TrimSuffix(plainText(string(text)), "\n"), "\n")
}

// noteText is a note of some lines.
func noteText(lines []string) []byte { return []byte(strings.Join(lines, "\n") + "\n") }

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

// NoteSettings are the settings of git that take the ref of notes.
func NoteSettings() []string { return []string{"notes.displayref", "notes.rewriteref"} }

// NotesShown reports whether git's own commands show the notes, and carry them
// through amend and rebase.
func (l *Ledger) NotesShown(ctx context.Context) (bool, error) {
	if !NotesAliasHere(l.repo) {
		return false, nil // absent, or somebody's own
	}
	config, err := l.repo.Config.Read(ctx)
	if err != nil {
		return false, err
	}
	for _, key := range NoteSettings() {
		if !slices.Contains(config.All(key), string(NotesAlias)) {
			return false, nil
		}
	}
	return true, nil
}

// NotesAliasHere reports whether git's own commands read the notes by the name that
// ShowNotes gave them.
func NotesAliasHere(repo *gitstore.Repo) bool {
	target, err := repo.Refs.Symbolic(NotesAlias)
	return err == nil && target == NotesRef
}

// ShowNotes arranges that. It comes with the first note, since a symbolic ref
// to nothing makes git fsck fail; a ref of somebody's own by that name stays.
func (l *Ledger) ShowNotes(ctx context.Context) {
	if _, err := l.repo.Refs.Symbolic(NotesAlias); errors.Is(err, gitstore.ErrNotExist) {
		if _, err := l.repo.Refs.Get(ctx, NotesAlias); !errors.Is(err, gitstore.ErrNotExist) {
			return // somebody's own notes live there
		}
		if l.repo.Refs.SetSymbolic(ctx, NotesAlias, NotesRef) != nil {
			return
		}
	}
	config, err := l.repo.Config.Read(ctx)
	if err != nil {
		return
	}
	for _, key := range NoteSettings() {
		if !slices.Contains(config.All(key), string(NotesAlias)) {
			_ = l.repo.Config.Add(ctx, key, string(NotesAlias))
		}
	}
}
