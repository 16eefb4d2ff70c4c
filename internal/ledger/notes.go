package ledger

import (
	"context"
	"errors"
	"fmt"
	"maps"
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
	tip, err := tx.Tip(ctx, NotesRef)
	if err != nil {
		return err
	}
	changed := map[string][]byte{} // by path
	for _, n := range lines {
		path, text, err := tx.note(ctx, tip, n.On)
		if err != nil {
			return fmt.Errorf("read the note on %s: %w", n.On.Short(), err)
		}
		if more, ok := changed[path]; ok {
			text = more
		}
		if slices.Contains(noteLines(text), n.Line) {
			continue
		}
		text = slices.Clone(text)
		if len(text) > 0 && text[len(text)-1] != '\n' {
			text = append(text, '\n')
		}
		changed[path] = append(text, n.Line+"\n"...)
	}
	if len(changed) == 0 {
		return nil
	}
	files := tx.blobs(changed)
	if err := tx.fanOut(ctx, tip, files); err != nil {
		return err
	}
	tree, err := tx.edit(ctx, tip, files)
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

// Unnote stages that lines go from the notes of the user's commits. A remote that
// has them, and went on, brings them back with the next sync: notes are a view.
func (tx *Tx) Unnote(ctx context.Context, lines ...NoteLine) error {
	tip, err := tx.Tip(ctx, NotesRef)
	if err != nil || tip.IsZero() || len(lines) == 0 {
		return err
	}
	left := map[string][]string{} // by path
	for _, n := range lines {
		path, text, err := tx.note(ctx, tip, n.On)
		if err != nil {
			return fmt.Errorf("read the note on %s: %w", n.On.Short(), err)
		}
		have, known := left[path]
		if !known {
			have = noteLines(text)
		}
		if slices.Contains(have, n.Line) {
			left[path] = slices.DeleteFunc(slices.Clone(have), func(line string) bool { return line == n.Line })
		}
	}
	if len(left) == 0 {
		return nil
	}
	files := map[string]gitstore.OID{}
	for path, have := range left {
		if files[path] = (gitstore.OID{}); len(have) > 0 {
			files[path] = tx.Blob([]byte(strings.Join(have, "\n") + "\n"))
		}
	}
	tree, err := tx.edit(ctx, tip, files)
	if err != nil {
		return err
	}
	next, err := tx.stage(ctx, tree, "Notes removed by 'git brew'\n", tip)
	if err != nil {
		return err
	}
	return tx.Move(ctx, NotesRef, next)
}

// note reads the note on a commit, and finds where git keeps it: notes lie
// under the commit's name, which git cuts into directories of two digits as
// they get many.
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
		if i < 0 {
			return dir + rest, nil, nil
		}
		at, dir, rest = entries[i].OID, dir+rest[:2]+"/", rest[2:]
	}
}

// fanOut adds to the changes of notes what moves where they get many.
func (tx *Tx) fanOut(ctx context.Context, tip gitstore.OID, changes map[string]gitstore.OID) error {
	levels := map[string]bool{}
	for path := range changes {
		levels[path[:strings.LastIndexByte(path, '/')+1]] = true
	}
	for level := range levels {
		at := tip
		var entries []gitstore.Entry
		for dir := range strings.SplitAfterSeq(level, "/") {
			var err error
			if entries, err = tx.tree(ctx, at); err != nil {
				return err
			}
			if i := slices.IndexFunc(entries, func(e gitstore.Entry) bool { return e.Name+"/" == dir }); i >= 0 {
				at = entries[i].OID
			}
		}
		files := map[string]gitstore.OID{}
		var dirs []string
		for _, e := range entries {
			if e.Mode == gitstore.ModeDir {
				dirs = append(dirs, e.Name)
			} else if _, isNote := notedAt(level + e.Name); isNote {
				files[e.Name] = e.OID
			}
		}
		for path, blob := range changes {
			if name, below := strings.CutPrefix(path, level); below && !strings.Contains(name, "/") {
				files[name] = blob
			}
		}
		if !fansOut(slices.Collect(maps.Keys(files)), func(name string) string { return name }, dirs) {
			continue
		}
		for name, blob := range files {
			changes[level+name] = gitstore.OID{}
			changes[level+name[:2]+"/"+name[2:]] = blob
		}
	}
	return nil
}

// blob reads a blob, staged or stored.
func (tx *Tx) blob(ctx context.Context, oid gitstore.OID) ([]byte, error) {
	if data, ok := tx.texts.staged[oid.String()]; ok {
		return data, nil
	}
	return tx.l.repo.Blob(ctx, oid)
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
	config, err := l.repo.Config(ctx)
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
	target, err := repo.SymbolicRef(NotesAlias)
	return err == nil && target == NotesRef
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
	for _, key := range NoteSettings() {
		if !slices.Contains(config.All(key), string(NotesAlias)) {
			_ = l.repo.AddConfig(ctx, key, string(NotesAlias))
		}
	}
}
