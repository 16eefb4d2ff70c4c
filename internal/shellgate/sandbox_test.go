//go:build unix

package shellgate

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/git-brew/git-brew/internal/gitstore/gitstoretest"
)

// realTools are there as they are: readers, some of which can be made to write.
const realTools = "ls cat head tail wc sort uniq cut tr sed awk mawk gawk find xargs grep egrep fgrep diff cmp comm " +
	"nl od base64 md5sum sha256sum basename " +
	"dirname realpath readlink stat du df file date uname whoami id env printenv seq expr sleep timeout nice stdbuf " +
	"setsid nohup tee tar gzip zcat git jq tree " +
	"strings nm objdump readelf size sdiff openssl less more bc numfmt factor cal namei bzip2 bunzip2 xz unxz gunzip " +
	"zcat bzcat xzcat zipinfo ps " +
	"pgrep lsof ss ip free uptime lscpu lsblk top dpkg apt-cache rpm sha1sum b2sum cksum pstree md5sum split csplit " +
	"tput look rg fd tree man " +
	"column paste fold rev tac bash sh dash true false test echo printf hostname nproc getconf which xxd join shuf " +
	"tsort pr fmt dd iconv unzip xmllint"

// stub stands for a tool that changes something: that it was called is what is
// to be seen. Which version it is, each says, and code which extensions it has.
const stub = "#!/bin/sh\ncase $#$1 in 1-v|1-V|1-version|1--version|1--list-extensions|[12]list|1-l|*-I) exit ;; " +
	"esac\necho called > \"$SANDBOX/called-${0##*/}\"\n"

// sandbox is a directory with a small repository, a home, and nothing on PATH
// but real readers and stubs.
type sandbox struct {
	root, work, bin string
	before          map[string]string
}

func newSandbox(t testing.TB) *sandbox {
	t.Helper()
	root, err := os.MkdirTemp("", "shellgate") //nolint:usetesting // a fuzz worker keeps it for many inputs
	if err != nil {
		t.Fatal(err)
	}
	s := &sandbox{root: root, work: filepath.Join(root, "work"), bin: filepath.Join(root, "bin")}
	for _, dir := range []string{
		s.work, s.bin, filepath.Join(s.work, "src"), filepath.Join(s.work, "d"),
		filepath.Join(root, "home"),
	} {
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for tool := range strings.FieldsSeq(realTools) {
		if path, err := exec.LookPath(tool); err == nil {
			_ = os.Symlink(path, filepath.Join(s.bin, tool))
		}
	}
	for name := range strings.SplitSeq(strings.ReplaceAll(refusedText, "\n", ", "), ", ") {
		if name != "." && name != "" && !has(realTools, name) && !strings.ContainsAny(name, " /*:#\t") {
			gitstoretest.WriteProgram(t, filepath.Join(s.bin, name), stub)
		}
	}
	for name, text := range map[string]string{
		"f": "b 3\na 2\nc 1\n", "g": "x\n", "a": "1\n2\n", "b": "2\n3\n", "x": "func main() {}\n", "src/x.go": "package x\n",
		"d/x": "1\n",
		"-o":  "an option\n", "-i.go": "another\n", "a b.txt": "blank\n", "list.txt": "f\ng\n", "data.csv": "1,2,3\n4,5,6\n",
		"package.json": `{"version":"1"}`,
	} {
		path := filepath.Join(s.work, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		old := time.Now().Add(-time.Hour) // so that git need not look twice
		if err := os.Chtimes(path, old, old); err != nil {
			t.Fatal(err)
		}
	}
	s.git(t, "init", "-q", "--template=")
	s.git(t, "add", "f", "g", "src")
	s.git(t, "-c", "user.name=x", "-c", "user.email=x@example.org", "commit", "-q", "-m", "first")
	if os.Geteuid() == 0 { // nobody can't harm the machine
		if err := filepath.WalkDir(root, func(path string, _ fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			return os.Lchown(path, nobody, nobody)
		}); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(root, 0o755); err != nil {
		t.Fatal(err)
	}
	s.run(t, "git update-index -q --refresh") // as whoever runs the commands
	s.before = s.state(t)
	return s
}

const nobody = 65534

func (s *sandbox) env() []string {
	return []string{
		"PATH=" + s.bin, "HOME=" + filepath.Join(s.root, "home"), "SANDBOX=" + s.root, "GIT_OPTIONAL_LOCKS=0",
		"GIT_CONFIG_NOSYSTEM=1",
		"LC_ALL=C", "TMPDIR=" + filepath.Join(s.root, "home"), "GIT_PAGER=cat", "GIT_TERMINAL_PROMPT=0", "x=-oenv",
		"cmd=touch env", "y=a[$(touch env)]",
	}
}

func (s *sandbox) git(t testing.TB, args ...string) {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Env = s.work, append(s.env(), "PATH="+os.Getenv("PATH"))
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

// state is every file with its mode and content.
func (s *sandbox) state(t testing.TB) map[string]string {
	t.Helper()
	state := map[string]string{}
	err := filepath.WalkDir(s.root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || path == s.bin {
			return filepath.SkipDir
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		what := info.Mode().String()
		if info.Mode().IsRegular() {
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			sum := sha256.Sum256(data)
			what += " " + hex.EncodeToString(sum[:8])
		}
		state[strings.TrimPrefix(path, s.root)] = what
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return state
}

// run runs a command as an agent's tool would, two seconds at most.
func (s *sandbox) run(t testing.TB, command string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, "/bin/bash", "-c", "ulimit -t 2; ulimit -u 512\n"+command)
	cmd.Dir, cmd.Env = s.work, s.env()
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if os.Geteuid() == 0 {
		cmd.SysProcAttr.Credential = &syscall.Credential{Uid: nobody, Gid: nobody}
	}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = 100 * time.Millisecond
	_ = cmd.Run()
	if cmd.Process != nil {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // what it left in the background
	}
}

// changed names what differs from the beginning; empty: nothing.
func (s *sandbox) changed(t testing.TB) string {
	t.Helper()
	after := s.state(t)
	for path, was := range s.before {
		if after[path] != was {
			return path + " changed"
		}
	}
	for path := range after {
		if _, had := s.before[path]; !had {
			return path + " is new"
		}
	}
	return ""
}

// FuzzJudge_BW7_readersChangeNothing: what the gate lets through, run in earnest,
// changes no file and calls nothing that is there to change things.
func FuzzJudge_BW7_readersChangeNothing(f *testing.F) {
	if _, err := os.Stat("/bin/bash"); err != nil {
		f.Skip("no bash")
	}
	for _, file := range []string{"corpus.txt", "ordinary.txt"} {
		for _, e := range readCorpus(f, file) {
			if !slow(e.command) {
				f.Add(e.command)
			}
		}
	}
	run := inSandboxes(f)
	f.Fuzz(func(t *testing.T, command string) { run(t, command) })
}

// inSandboxes gives a function that runs a command which passes, and complains where
// that changed something; it makes a sandbox where the last one was changed.
func inSandboxes(f *testing.F) func(t *testing.T, command string) {
	f.Helper()
	var s *sandbox
	f.Cleanup(func() {
		if s != nil {
			_ = os.RemoveAll(s.root)
		}
	})
	return func(t *testing.T, command string) {
		t.Helper()
		if slow(command) || !Judge(command, Options{}).ReadOnly {
			return
		}
		if s == nil {
			s = newSandbox(t)
		}
		s.run(t, command)
		if what := s.changed(t); what != "" {
			_ = os.RemoveAll(s.root)
			s = nil
			t.Errorf("%q passes, but %s", command, what)
		}
	}
}

// slow commands wait for something that no test has.
func slow(command string) bool {
	return strings.Contains(command, "sleep")
}

// TestSandbox_noticesWriters: the sandbox would see it.
func TestSandbox_noticesWriters(t *testing.T) {
	s := newSandbox(t)
	defer func() { _ = os.RemoveAll(s.root) }()
	for _, command := range []string{
		"echo x > new", "rm f", "sort -o f g", "sed -i s/a/b/ f", "git branch new",
		"(sleep 0; touch new) & wait", "cd d; make", "chmod 000 f; curl x | ssh y",
	} {
		s.run(t, command)
		if s.changed(t) == "" {
			t.Errorf("%q goes unseen", command)
		}
		_ = os.RemoveAll(s.root)
		s = newSandbox(t)
	}
}
