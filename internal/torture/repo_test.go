package torture

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// repo is a repository to be tortured, and the environment of those who do.
type repo struct {
	t   *testing.T
	dir string
	env []string
}

// result is how a process ended.
type result struct {
	args     []string
	code     int
	out, err string
	took     time.Duration
}

// newRepo makes a repository with one commit, in which git and git-brew see
// nothing of this machine.
func newRepo(t *testing.T) *repo {
	t.Helper()
	top := t.TempDir()
	r := &repo{t: t, dir: filepath.Join(top, "repo"), env: hermetic(top)}
	for _, dir := range []string{r.dir, filepath.Join(top, "home")} {
		if err := os.Mkdir(dir, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	r.git("init", "-q", "-b", "main")
	r.git("commit", "-q", "--allow-empty", "-m", "Begin")
	return r
}

func hermetic(top string) []string {
	home := filepath.Join(top, "home")
	return []string{
		"PATH=" + filepath.Dir(*program) + string(os.PathListSeparator) + os.Getenv("PATH"),
		"HOME=" + home, "TMPDIR=" + os.TempDir(),
		"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + filepath.Join(home, ".gitconfig"),
		"GIT_TERMINAL_PROMPT=0", "GIT_CEILING_DIRECTORIES=" + top,
		"GIT_AUTHOR_NAME=Mara", "GIT_AUTHOR_EMAIL=mara@example.org",
		"GIT_COMMITTER_NAME=Mara", "GIT_COMMITTER_EMAIL=mara@example.org",
		"USER=mara", "LC_ALL=C", "TERM=dumb",
	}
}

// command prepares a process in the repository.
func (r *repo) command(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = r.dir, r.env
	return cmd
}

// run runs a process to its end, with input on its standard input.
func (r *repo) run(input, name string, args ...string) result {
	return finish(r.command(name, args...), input)
}

func finish(cmd *exec.Cmd, input string) result {
	var out, errs bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(input), &out, &errs
	begin := time.Now()
	err := cmd.Run()
	res := result{args: cmd.Args, out: out.String(), err: errs.String(), took: time.Since(begin)}
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		res.code = exit.ExitCode()
	case err != nil:
		res.code, res.err = -2, err.Error()
	}
	return res
}

// late tells whether a process took longer than it may: so long, and as long as
// many starts of the program take right now, for the machine may be busy with
// something else.
func (r *repo) late(res result, may time.Duration) bool {
	if res.took <= may {
		return false
	}
	return res.took > may+100*r.run("", *program, "version").took
}

// git must succeed; its output, without the last newline, is returned.
func (r *repo) git(args ...string) string {
	r.t.Helper()
	return strings.TrimSuffix(r.succeed(r.run("", "git", args...)).out, "\n")
}

// brew runs git-brew.
func (r *repo) brew(args ...string) result { return r.run("", *program, args...) }

// must runs git-brew, which has to succeed.
func (r *repo) must(args ...string) result {
	r.t.Helper()
	return r.succeed(r.brew(args...))
}

func (r *repo) succeed(res result) result {
	r.t.Helper()
	if res.code != 0 {
		r.t.Fatalf("%q: exit %d\n%s%s", res.args, res.code, res.out, res.err)
	}
	return res
}

// create makes a task without leaving the branch, and returns its id.
func (r *repo) create(args ...string) string {
	r.t.Helper()
	var made struct {
		Task struct {
			ID string `json:"id"`
		} `json:"task"`
	}
	r.decode(r.must(append([]string{"create", "--json", "--no-switch"}, args...)...), &made)
	if made.Task.ID == "" {
		r.t.Fatal("create --json names no task")
	}
	return made.Task.ID
}

func (r *repo) decode(res result, to any) {
	r.t.Helper()
	if err := json.Unmarshal([]byte(res.out), to); err != nil {
		r.t.Fatalf("%q: %v in\n%s", res.args, err, res.out)
	}
}

// texts are the texts of a task's knowledge; with task "", the project's.
func (r *repo) texts(task string) map[string]int {
	r.t.Helper()
	args := []string{"knowledge", "list", "--json", "--project"}
	if task != "" {
		args = []string{"knowledge", "list", "--json", "--task", task}
	}
	return count(lines(r, r.must(args...), "txt", "text"))
}

// lines reads a field of every JSON object in an answer, wherever it stands.
func lines(r *repo, res result, names ...string) []string {
	r.t.Helper()
	var found []string
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case []any:
			for _, item := range v {
				walk(item)
			}
		case map[string]any:
			for _, name := range names {
				if text, ok := v[name].(string); ok {
					found = append(found, text)
				}
			}
			for _, item := range v {
				walk(item)
			}
		}
	}
	dec := json.NewDecoder(strings.NewReader(res.out))
	for dec.More() {
		var doc any
		if err := dec.Decode(&doc); err != nil {
			r.t.Fatalf("%q: %v in\n%.500s", res.args, err, res.out)
		}
		walk(doc)
	}
	return found
}

func count(texts []string) map[string]int {
	n := map[string]int{}
	for _, text := range texts {
		n[text]++
	}
	return n
}

// healthy is what has to be true of a repository after anything that was done
// to it: git finds nothing wrong, git-brew finds nothing wrong, no ref is
// empty, and nothing is left that would block a writer.
func (r *repo) healthy() {
	r.t.Helper()
	r.refsWhole()
	if res := r.run("", "git", "fsck", "--strict", "--no-dangling", "--no-progress"); res.code != 0 ||
		strings.TrimSpace(res.out+res.err) != "" {
		r.t.Errorf("git fsck --strict: exit %d\n%s%s", res.code, res.out, res.err)
	}
	if res := r.brew("doctor"); res.code != 0 {
		r.t.Errorf("git brew doctor: exit %d\n%s%s", res.code, res.out, res.err)
	}
	for _, path := range r.leftovers() {
		r.t.Errorf("left behind: %s", path)
	}
	if res := r.run("", "git", "status", "--porcelain"); res.out != "" {
		r.t.Errorf("git status shows\n%s", res.out)
	}
}

// refsWhole: git can read every ref, and says nothing about any.
func (r *repo) refsWhole() {
	r.t.Helper()
	res := r.run("", "git", "for-each-ref", "--format=%(objectname) %(objecttype) %(refname)")
	if res.code != 0 || res.err != "" {
		r.t.Errorf("git for-each-ref: exit %d\n%s", res.code, res.err)
	}
}

// leftovers are the locks of refs, of packed-refs and of the configuration.
func (r *repo) leftovers() []string {
	var found []string
	for _, top := range []string{"refs", "packed-refs.lock", "config.lock", "HEAD.lock", "index.lock"} {
		_ = filepath.WalkDir(filepath.Join(r.dir, ".git", top), func(path string, d fs.DirEntry, err error) error {
			if err == nil && strings.HasSuffix(path, ".lock") {
				found = append(found, path)
			}
			return nil
		})
	}
	return found
}

// hook is the input of a hook in this repository.
func (r *repo) hook(event, session string, more map[string]any) string {
	fields := map[string]any{"hook_event_name": event, "session_id": session, "cwd": r.dir}
	for key, value := range more {
		fields[key] = value
	}
	data, err := json.Marshal(fields)
	if err != nil {
		r.t.Fatal(err)
	}
	return string(data)
}
