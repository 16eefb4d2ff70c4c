package bench

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// How large the large repositories are.
const (
	bigCommits = 210_000 // each with a tree and a blob of its own
	manyTasks  = 10_000
	manyFacts  = 10_000
	manyEvents = 100_000
	perSegment = 100
	fewTasks   = 10
)

// suite is the repositories that are measured in.
type suite struct {
	t                *testing.T
	cache, work      string
	small, big, many string // directories
}

// prepare makes the repositories: all hold the same task, held by a session
// that works on its first phase; big has many objects besides, many has many of
// everything that is git brew's.
func (s *suite) prepare() {
	s.small, s.big, s.many = filepath.Join(s.work, "small"), filepath.Join(s.work, "big"), filepath.Join(s.work, "many")
	s.git("", "init", "-q", "-b", "main", s.small)
	s.git(s.small, "commit", "-q", "--allow-empty", "-m", "Begin")
	s.populate(s.small)

	s.git("", "clone", "-q", "--local", "--no-checkout", s.bigSource(), s.big)
	s.populate(s.big)
	s.git(s.big, "-c", "pack.window=0", "repack", "-a", "-d", "-q") // git brew's objects among all others
	s.git(s.big, "prune-packed")

	s.git("", "init", "-q", "-b", "main", s.many)
	s.git(s.many, "commit", "-q", "--allow-empty", "-m", "Begin")
	s.populate(s.many)
	s.multiply(s.many)
	for _, dir := range []string{s.small, s.big, s.many} {
		s.brewIn(dir, "status") // fills what was emptied by going behind its back
	}
}

// populate gives a repository ten tasks, and goes to work on one.
func (s *suite) populate(dir string) {
	s.brewIn(dir, "create", "Add JWT auth", "--phase", "Token model", "--phase", "Login endpoint")
	for i := range fewTasks - 1 {
		s.brewIn(dir, "create", "--no-switch", fmt.Sprintf("Another task %d", i), "--phase", "Only one")
	}
	s.hookIn(dir, payload(dir, "SessionStart", holder, map[string]any{"source": "startup", "model": "m"}))
	s.brewIn(dir, "start", "--session", holder)
	s.brewIn(dir, "phase", "start", "1", "--session", holder)
	for i := range 20 {
		s.brewIn(dir, "learn", "-t", "fact", fmt.Sprintf("module %d keeps its tokens as text", i))
	}
	s.brewIn(dir, "mode", "implementation")
}

// bigSource is a repository of more than 600,000 objects in one pack.
func (s *suite) bigSource() string {
	dir := filepath.Join(s.cache, fmt.Sprintf("big-%d.git", bigCommits))
	if _, err := os.Stat(filepath.Join(dir, "made")); err == nil {
		return dir
	}
	if err := os.RemoveAll(dir); err != nil {
		s.t.Fatal(err)
	}
	s.git("", "init", "-q", "--bare", "-b", "main", dir)
	s.fastImport(dir, func(out io.Writer) {
		for i := 1; i <= bigCommits; i++ {
			text := fmt.Sprintf("state %d\n", i)
			fmt.Fprintf(out, "commit refs/heads/main\ncommitter A <a@b.c> %d +0000\ndata 2\nx\nM 100644 inline f\ndata %d\n%s\n",
				1_600_000_000+i, len(text), text)
		}
	})
	if err := os.WriteFile(filepath.Join(dir, "made"), nil, 0o666); err != nil {
		s.t.Fatal(err)
	}
	return dir
}

// multiply adds tasks, knowledge and events as copies of what is there, through
// git fast-import: git-brew would sync each of them to the disk.
func (s *suite) multiply(dir string) {
	s.brewIn(dir, "learn", "--project", "-t", "fact", "fact 00000 is known to everybody here")
	s.brewIn(dir, "create", "--no-switch", "Copied task 00000", "--phase", "Only one")
	var task string
	for _, ref := range strings.Fields(s.git(dir, "for-each-ref", "--format=%(refname)", "refs/brew/tasks")) {
		if strings.Contains(ref, "copied-task-00000") {
			task = ref
		}
	}
	chain := s.chain(dir, task)
	id := strings.TrimPrefix(task, "refs/brew/tasks/")
	clone := s.git(dir, "for-each-ref", "--format=%(refname)", "refs/brew/clones")
	entry := s.git(dir, "show", "refs/brew/knowledge:knowledge.jsonl")
	var known struct {
		ID string `json:"id"`
	}
	if err := json.Unmarshal([]byte(entry), &known); err != nil {
		s.t.Fatal(err)
	}
	s.fastImport(dir, func(out io.Writer) {
		for i := 1; i < manyTasks-fewTasks; i++ {
			number := fmt.Sprintf("%05d", i)
			copyID := "copied-task-" + number + "-" + suffix(i)
			rename := strings.NewReplacer(id, copyID, "00000", number)
			for n, c := range chain {
				// Each operation gets an id of its own, everywhere it stands.
				replace := func(text string) string {
					text = rename.Replace(text)
					for k, earlier := range chain {
						text = strings.ReplaceAll(text, earlier.op, fmt.Sprintf("%024x%04x%04x", i, k, 7))
					}
					return text
				}
				fmt.Fprintf(out, "commit refs/brew/tasks/%s\ncommitter Mara <mara@example.org> %d +0000\n", copyID, 1_700_000_000+i)
				data(out, replace(c.message))
				if n == 0 {
					fmt.Fprint(out, "deleteall\n")
				}
				for path, text := range c.files {
					fmt.Fprintf(out, "M 100644 inline %s\n", path)
					data(out, replace(text))
				}
				fmt.Fprintln(out)
			}
		}
		var facts strings.Builder
		for i := range manyFacts {
			line := strings.ReplaceAll(entry, "00000", fmt.Sprintf("%05d", i))
			facts.WriteString(strings.ReplaceAll(line, known.ID, fmt.Sprintf("%032x", i+1)) + "\n")
		}
		fmt.Fprintf(out, "commit refs/brew/knowledge\ncommitter Mara <mara@example.org> %d +0000\ndata 1\nx\n"+
			"from refs/brew/knowledge^0\nM 100644 inline knowledge.jsonl\n", time.Now().Unix())
		data(out, facts.String())
		fmt.Fprintf(out, "\ncommit %s\ncommitter Mara <mara@example.org> %d +0000\ndata 1\nx\nfrom %s^0\n", clone,
			time.Now().Unix(), clone)
		begin := time.Now().Add(-80 * 24 * time.Hour)
		for i := range manyEvents / perSegment {
			at := begin.Add(time.Duration(i) * 80 * 24 * time.Hour / (manyEvents / perSegment))
			lines := eventsAt(at, i)
			fmt.Fprintf(out, "M 100644 inline events/%s/%d.jsonl\n", at.UTC().Format(time.DateOnly), at.UnixNano())
			data(out, lines)
		}
		fmt.Fprintln(out)
	})
}

// eventsAt are the lines of a segment: an hour and more of a session, before and
// after each tool.
func eventsAt(at time.Time, segment int) string {
	var lines strings.Builder
	tools := []string{"Read", "Bash", "Edit", "Grep", "Task", "mcp__tracker__get_issue"}
	for k := range perSegment {
		hook, result := `"hook":"PreToolUse","type":"tool_start"`, ""
		if k%2 > 0 {
			hook, result = `"hook":"PostToolUse","type":"tool_complete"`,
				fmt.Sprintf(`"success":%t,"duration_ms":%d,`, k%9 > 0, k*k+segment)
		}
		fmt.Fprintf(&lines, `{"schema":"1.0.0","ts":%d,"session":"7f3a9c01-0000-4000-8000-%012d","correlation":"%08x",%s,"tool":%q,"tool_use_id":"toolu_%020d","worktree":"main",`+
			`"task":"copied-task-%05d-%s","phase":"1","mode":%q,%s"hook_us":%d}`+"\n",
			at.Add(time.Duration(k)*time.Minute).UnixNano(), segment/5, segment/20, hook, tools[k/2%len(tools)],
			segment*perSegment+k/2,
			segment/20+1, suffix(segment/20+1), []string{"discussion", "implementation"}[k/10%2], result, 900+k)
	}
	return lines.String()
}

// copied is one commit of a record: an operation, and the files after it.
type copied struct {
	op, message string
	files       map[string]string
}

func (s *suite) chain(dir, ref string) []copied {
	var chain []copied
	for _, commit := range strings.Fields(s.git(dir, "rev-list", "--reverse", ref)) {
		c := copied{message: s.git(dir, "log", "-1", "--format=%B", commit) + "\n", files: map[string]string{}}
		for _, path := range strings.Fields(s.git(dir, "ls-tree", "-r", "--name-only", commit)) {
			c.files[path] = s.raw(dir, "cat-file", "blob", commit+":"+path)
		}
		var op struct {
			ID string `json:"id"`
		}
		if err := json.Unmarshal([]byte(c.files["op.json"]), &op); err != nil {
			s.t.Fatal(err)
		}
		c.op = op.ID
		chain = append(chain, c)
	}
	return chain
}

// suffix is the end of a task's id: seven characters of base 32.
func suffix(i int) string {
	const digits = "abcdefghjkmnpqrstvwxyz23456789"
	out := []byte("aaaaaaa")
	for k := len(out) - 1; i > 0; k-- {
		out[k] = digits[i%len(digits)]
		i /= len(digits)
	}
	return string(out)
}

func data(out io.Writer, text string) { fmt.Fprintf(out, "data %d\n%s\n", len(text), text) }

func (s *suite) fastImport(dir string, feed func(io.Writer)) {
	s.t.Helper()
	cmd := s.command(dir, "git", "fast-import", "--quiet", "--force")
	cmd.Args = append(cmd.Args, "--depth=1")
	in, err := cmd.StdinPipe()
	if err != nil {
		s.t.Fatal(err)
	}
	var errs bytes.Buffer
	cmd.Stderr = &errs
	if err := cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	buffered := &writer{out: in}
	feed(buffered)
	buffered.flush()
	if err := in.Close(); err != nil {
		s.t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		s.t.Fatalf("git fast-import: %v\n%s", err, errs.String())
	}
}

// writer collects what goes into a pipe; git says itself what it could not
// read.
type writer struct {
	out io.Writer
	buf bytes.Buffer
}

func (w *writer) Write(p []byte) (int, error) {
	if w.buf.Len() > 1<<20 {
		w.flush()
	}
	return w.buf.Write(p)
}

func (w *writer) flush() {
	_, _ = w.out.Write(w.buf.Bytes())
	w.buf.Reset()
}

// environment in which git and git-brew see nothing of this machine's
// settings.
func (s *suite) environment() []string {
	return []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + s.work, "TMPDIR=" + os.TempDir(),
		"GIT_CONFIG_NOSYSTEM=1", "GIT_TERMINAL_PROMPT=0",
		"GIT_AUTHOR_NAME=Mara", "GIT_AUTHOR_EMAIL=mara@example.org",
		"GIT_COMMITTER_NAME=Mara", "GIT_COMMITTER_EMAIL=mara@example.org",
		"USER=mara", "LC_ALL=C", "TERM=dumb",
	}
}

func (s *suite) command(dir, name string, args ...string) *exec.Cmd {
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = dir, s.environment()
	return cmd
}

func (s *suite) raw(dir string, args ...string) string {
	s.t.Helper()
	return s.done(s.command(dir, "git", args...))
}

func (s *suite) git(dir string, args ...string) string {
	s.t.Helper()
	return strings.TrimSpace(s.raw(dir, args...))
}

func (s *suite) brewIn(dir string, args ...string) {
	s.t.Helper()
	s.done(s.command(dir, *program, args...))
}

func (s *suite) hookIn(dir, input string) {
	s.t.Helper()
	cmd := s.command(dir, *program, "hook")
	cmd.Stdin = strings.NewReader(input)
	s.done(cmd)
}

func (s *suite) done(cmd *exec.Cmd) string {
	s.t.Helper()
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		s.t.Fatalf("%q: %v\n%s", cmd.Args, err, errs.String())
	}
	return string(out)
}
