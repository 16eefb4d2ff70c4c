//go:build unix

package torture

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/git-brew/git-brew/internal/gitstore/gitstoretest"
)

// onFullDisk moves the repository to a file system of its own where that is
// allowed, and gives what fills and frees it; else a limit on the size of files
// stands in for the disk.
func onSmallDisk(t *testing.T, r *repo) (fill, free func()) {
	t.Helper()
	disk := filepath.Join(t.TempDir(), "disk")
	if err := os.Mkdir(disk, 0o777); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", disk).CombinedOutput(); err != nil {
		t.Skipf("no file system of our own: %v %s", err, out)
	}
	t.Cleanup(func() { unmount(t, disk) })
	dir := filepath.Join(disk, "repo")
	if err := os.CopyFS(dir, os.DirFS(r.dir)); err != nil {
		t.Fatal(err)
	}
	r.dir = dir
	ballast := filepath.Join(disk, "ballast")
	fill = func() {
		f, err := os.Create(ballast)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		for size := 64 << 10; size >= 1; size /= 2 {
			for {
				if _, err := f.Write(make([]byte, size)); err != nil {
					break
				}
			}
		}
	}
	return fill, func() { _ = os.Remove(ballast) }
}

// unmount waits a while for whoever still looks at something there, be it
// nobody of ours.
func unmount(t *testing.T, at string) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); ; time.Sleep(100 * time.Millisecond) {
		out, err := exec.Command("umount", at).CombinedOutput()
		if err == nil {
			return
		}
		if time.Now().After(end) {
			t.Errorf("umount: %v %s", err, out)
			return
		}
	}
}

// harmless: while nothing can be written, commands say so in one line, hooks
// answer in time and never block, reading works, and no ref changes.
func (r *repo) harmless(task string, code int) {
	r.t.Helper()
	before := r.git("for-each-ref")
	for _, args := range [][]string{
		{"learn", "--task", task, "-t", "fact", "something that can't be kept now"},
		{"start", task},
		{"phase", "add", "--task", task, "Another"},
		{"mode", "implementation"},
	} {
		r.clear(r.brew(args...), code)
	}
	for _, event := range []string{
		"SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PreCompact", "Stop",
		"SessionEnd",
	} {
		in := r.hook(event, "s1", map[string]any{
			"tool_name": "Write", "tool_input": map[string]any{"file_path": "x"}, "prompt": "make it so", "source": "startup",
			"trigger": "auto", "reason": "other",
		})
		res := r.run(in, *program, "hook")
		if res.code != 0 && res.code != 1 || r.late(res, 2*time.Second) || strings.Count(res.err, "\n") > 1 ||
			strings.Contains(res.out, `"block"`) {
			r.t.Errorf("hook %s: exit %d in %v\n%s%s", event, res.code, res.took, res.out, res.err)
		}
	}
	for _, args := range [][]string{{"status", task}, {"list"}, {"show", task}, {"statusline"}} {
		if res := r.brew(args...); res.code != 0 {
			r.t.Errorf("%q: exit %d: %s", args, res.code, res.err)
		}
	}
	if after := r.git("for-each-ref"); after != before {
		r.t.Errorf("refs were\n%s\nand are\n%s", before, after)
	}
	r.refsWhole()
}

func TestDisk_S23_full(t *testing.T) {
	r := newRepo(t)
	task := r.create("Full", "--phase", "One")
	fill, free := onSmallDisk(t, r)
	r.must("status", task)
	fill()
	r.harmless(task, 1)
	free()
	r.must("learn", "--task", task, "-t", "fact", "there is room again for what is learned")
	r.healthy()
}

// A quota, or a limit on the size of files, strikes at any byte.
func TestDisk_S23_fileSizeLimit(t *testing.T) {
	r := newRepo(t)
	task := r.create("Limited", "--phase", "One")
	before := r.git("for-each-ref")
	for _, blocks := range []int{0, 1} {
		limited := func(input string, args ...string) result {
			script := fmt.Sprintf(`ulimit -f %d; exec "$@"`, blocks)
			return r.run(input, "sh", append([]string{"-c", script, "sh", *program}, args...)...)
		}
		text := strings.Repeat("x", 400) + " is a long thing to be learned"
		if blocks == 0 {
			r.clear(limited("", "learn", "--task", task, "-t", "fact", text), 1)
		}
		res := limited(r.hook("PostToolUse", "s1", map[string]any{"tool_name": "Read"}), "hook")
		if res.code != 0 && res.code != 1 || strings.Count(res.err, "\n") > 1 {
			t.Errorf("hook under a limit of %d blocks: exit %d\n%s", blocks, res.code, res.err)
		}
	}
	if after := r.git("for-each-ref"); after != before {
		t.Errorf("refs were\n%s\nand are\n%s", before, after)
	}
	r.must("learn", "--task", task, "-t", "fact", "there is room again for what is learned")
	r.healthy()
}

// A repository that may only be read.
func TestDisk_S23_readOnly(t *testing.T) {
	r := newRepo(t)
	task := r.create("Only read", "--phase", "One")
	unlock := readOnly(t, r)
	r.harmless(task, 1)
	unlock()
	r.must("learn", "--task", task, "-t", "fact", "it may be written again, and is")
	r.healthy()
}

// readOnly takes the right to write away: from the directories, or, since root
// may write everywhere, by running as somebody else.
func readOnly(t *testing.T, r *repo) (unlock func()) {
	t.Helper()
	git := filepath.Join(r.dir, ".git")
	if os.Getuid() == 0 {
		out, err := exec.Command("mount", "--bind", git, git).CombinedOutput()
		if err == nil {
			out, err = exec.Command("mount", "-o", "remount,bind,ro", git).CombinedOutput()
		}
		if err != nil {
			t.Skipf("root may write everywhere, and may not mount: %v %s", err, out)
		}
		mounted := true
		unlock = func() {
			if !mounted {
				return
			}
			mounted = false
			unmount(t, git)
		}
		t.Cleanup(unlock)
		return unlock
	}
	chmod := func(mode os.FileMode) {
		_ = filepath.WalkDir(git, func(path string, d os.DirEntry, err error) error {
			if err == nil && d.IsDir() {
				return os.Chmod(path, mode)
			}
			return err
		})
	}
	chmod(0o555)
	t.Cleanup(func() { chmod(0o755) })
	return func() { chmod(0o755) }
}

// One directory that may not be written, in a repository that otherwise may.
func TestDisk_S23_noPermission(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("needs another user to be")
	}
	r := newRepo(t)
	task := r.create("Not mine", "--phase", "One")
	nobody := uint32(65534)
	if out, err := exec.Command("chown", "-R", "65534:65534", filepath.Dir(r.dir)).CombinedOutput(); err != nil {
		t.Skipf("chown: %v %s", err, out)
	}
	for dir := filepath.Dir(filepath.Dir(r.dir)); len(dir) > len(os.TempDir()); dir = filepath.Dir(dir) {
		if err := os.Chmod(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	copied := filepath.Join(filepath.Dir(r.dir), "git-brew")
	data, err := os.ReadFile(*program)
	if err != nil {
		t.Fatal(err)
	}
	gitstoretest.WriteProgram(t, copied, string(data))
	as := func(input string, args ...string) result {
		cmd := r.command(copied, args...)
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
		return finish(cmd, input)
	}
	refs := filepath.Join(r.dir, ".git", "refs", "brew", "tasks")
	if err := os.Chown(refs, 0, 0); err != nil {
		t.Fatal(err)
	}
	r.clear(as("", "learn", "--task", task, "-t", "fact", "something that can't be kept now"), 1, "ermission denied")
	res := as(r.hook("PostToolUse", "s1", map[string]any{"tool_name": "Read"}), "hook")
	if res.code != 0 || res.err != "" {
		t.Errorf("a hook that needs no task's ref: exit %d %s", res.code, res.err)
	}
	if err := os.Chown(refs, int(nobody), int(nobody)); err != nil {
		t.Fatal(err)
	}
	if res := as("", "learn", "--task", task, "-t", "fact", "it may be written again, and is"); res.code != 0 {
		t.Errorf("exit %d: %s", res.code, res.err)
	}
}
