package importer

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/redact"
	"github.com/git-brew/git-brew/internal/task"
)

// The bounds of what is read.
const (
	maxFiles = 20_000
	maxDepth = 12
	maxData  = 32 << 20  // one file of data
	maxTotal = 256 << 20 // all files
	maxTasks = 200
	maxItems = 1_000 // of the backlog
	maxLost  = 2_000
	maxPath  = 4_096
)

// reader reads the files of a system, and keeps what it found in them.
type reader struct {
	open  func(p string) (io.ReadCloser, error)
	name  string
	paths []string // of regular files, sorted
	used  map[string]bool
	// secrets takes out what looks like one; nil: texts are taken as they are.
	secrets *redact.Redactor
	total   int64
	out     Result
}

// list finds the regular files. A link is not followed.
func (r *reader) list(files fs.FS) error {
	return fs.WalkDir(files, ".", func(p string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == ".git" || d.Name() == "node_modules"):
			return fs.SkipDir
		case d.IsDir() && strings.Count(p, "/") >= maxDepth:
			r.lose(p, 0, "what is deeper than %d directories is not read", maxDepth)
			return fs.SkipDir
		case d.IsDir():
			return nil
		case !d.Type().IsRegular():
			r.lose(p, 0, "it is no regular file, and is not followed")
			return nil
		case len(r.paths) == maxFiles:
			return fmt.Errorf("there are more than %d files; name the directory of one task", maxFiles)
		}
		r.paths = append(r.paths, p)
		return nil
	})
}

// lose keeps what could not be carried.
func (r *reader) lose(p string, at int, format string, args ...any) {
	p = line(p, maxPath)
	if n := len(r.out.Lost); n < maxLost {
		r.out.Lost = append(r.out.Lost, Lost{p, at, fmt.Sprintf(format, args...)})
	} else if n == maxLost {
		r.out.Lost = append(r.out.Lost, Lost{What: fmt.Sprintf("there is more; %d losses are named", maxLost)})
	}
}

func (r *reader) has(p string) bool {
	_, ok := slices.BinarySearchFunc(r.paths, p, strings.Compare)
	return ok
}

// data reads a file of at most so many bytes; nil for none.
func (r *reader) data(p string, limit int64) ([]byte, error) {
	if !r.has(p) {
		return nil, nil
	}
	r.used[p] = true
	f, err := r.open(p)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	data, err := io.ReadAll(io.LimitReader(f, limit+1))
	r.total += int64(len(data))
	switch {
	case err != nil:
		return nil, err
	case int64(len(data)) > limit:
		return nil, fmt.Errorf("%s has more than %d bytes", p, limit)
	case r.total > maxTotal:
		return nil, errors.New("the files are too large together; name the directory of one task")
	}
	return data, nil
}

// text reads a text that a document can be. One that can't is lost, and nil.
func (r *reader) text(p string) []byte {
	if !r.has(p) {
		return nil
	}
	data, err := r.data(p, task.MaxText)
	if err == nil {
		err = task.CheckText(data)
	}
	if err != nil {
		r.lose(p, 0, "%s", line(err.Error(), task.MaxTitle))
		return nil
	}
	return r.screened(p, 0, "", data)
}

// screened is a text without what looks like a secret. Each is lost, in its line where the
// text is a file's, else with the record that says it.
func (r *reader) screened(p string, at int, of string, text []byte) []byte {
	if r.secrets == nil {
		return text
	}
	for _, found := range r.secrets.Secrets(string(text)) {
		if of == "" {
			at = found.Line
		}
		r.lose(p, at, "%sit looks like a secret (%s), and is taken out; --allow-secret leaves it", of, found.Kind)
	}
	return []byte(r.secrets.Text(string(text)))
}

// doc adds a document to a task, where there is such a file.
func (r *reader) doc(t *Task, name task.DocName, p string) []byte {
	text := r.text(p)
	if text != nil {
		t.Docs = append(t.Docs, Doc{name, text})
	}
	return text
}

func (r *reader) below(dir string) []string {
	if dir == "." {
		return r.paths
	}
	from, _ := slices.BinarySearchFunc(r.paths, dir+"/", strings.Compare)
	to, _ := slices.BinarySearchFunc(r.paths, dir+"0", strings.Compare) // 0 comes behind the slash
	return r.paths[from:max(from, to)]
}

// taskDirs are the directories that have one of some files which nothing was made of, the
// outermost of each.
func (r *reader) taskDirs(names ...string) ([]string, error) {
	var dirs []string
	for _, p := range r.paths {
		if slices.Contains(names, path.Base(p)) && !r.used[p] && !slices.Contains(dirs, path.Dir(p)) {
			dirs = append(dirs, path.Dir(p))
		}
	}
	slices.SortFunc(dirs, func(a, b string) int {
		return cmp.Or(cmp.Compare(strings.Count(a, "/"), strings.Count(b, "/")), strings.Compare(a, b))
	})
	var outer []string
	for _, dir := range dirs {
		inside := func(o string) bool { return o == "." || strings.HasPrefix(dir, o+"/") }
		if !slices.ContainsFunc(outer, inside) {
			outer = append(outer, dir)
		}
	}
	slices.Sort(outer)
	if len(outer) > maxTasks {
		return nil, fmt.Errorf("%d tasks are more than %d; name a directory of fewer", len(outer), maxTasks)
	}
	return outer, nil
}

// dirName is what a directory is called, the whole by its own name.
func dirName(of, dir string) string {
	if dir == "." {
		return of
	}
	return path.Base(dir)
}

// unread names the files that nothing was made of, a directory of such files once.
func (r *reader) unread() {
	read := map[string]bool{".": true} // the directories that have a file that was read
	for p := range r.used {
		for dir := path.Dir(p); !read[dir]; dir = path.Dir(dir) {
			read[dir] = true
		}
	}
	count := map[string]int{}
	for _, p := range r.paths {
		if r.used[p] {
			continue
		}
		at := p
		for dir := path.Dir(p); !read[dir]; dir = path.Dir(dir) {
			at = dir
		}
		count[at]++
	}
	for _, at := range slices.Sorted(maps.Keys(count)) {
		what := "not read, a task has no place for it"
		if !r.has(at) {
			what += ": " + task.Counted(count[at], "file")
		}
		r.lose(at, 0, "%s", what)
	}
}

// gather adds the texts below a directory that nothing was made of to a task's context, each
// below its name.
func (r *reader) gather(t *Task, dir string) {
	var all []byte
	for _, p := range r.below(dir) {
		if r.used[p] || !slices.Contains([]string{".md", ".yaml", ".yml", ".json", ".txt"}, path.Ext(p)) {
			continue
		}
		text := r.text(p)
		if text == nil {
			continue
		}
		more := fmt.Appendf(nil, "<!-- %s -->\n\n%s\n", line(strings.TrimPrefix(p, dir+"/"), task.MaxTitle), text)
		if len(all)+len(more) > task.MaxText {
			r.lose(p, 0, "the task's context would be too long with it")
			continue
		}
		all = append(all, more...)
	}
	if len(all) > 0 {
		t.Docs = append(t.Docs, Doc{task.DocContext, all})
	}
}

func join(dir string, names ...string) string { return path.Join(append([]string{dir}, names...)...) }
