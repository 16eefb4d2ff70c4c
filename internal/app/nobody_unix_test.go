//go:build unix

package app_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/git-brew/git-brew/internal/gitstore/gitstoretest"
)

// nobody is the user, and the group, that owns nothing.
const nobody = 65534

// asNobody runs the test that calls it once more, as a user who owns nothing,
// where root runs it: root may write everywhere. True: that was done, and there
// is nothing left to do. It is for a test that no other one has around it.
func asNobody(t *testing.T) bool {
	t.Helper()
	if os.Getuid() != 0 {
		return false
	}
	dir := t.TempDir()
	program := filepath.Join(dir, "test") // what go test built is in a directory of root's
	err := errors.Join(os.Chmod(filepath.Dir(dir), 0o755), os.Chmod(dir, 0o777))
	if err != nil {
		t.Fatal(err)
	}
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if os.Link(path, program) != nil { // not on another file system
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		gitstoretest.WriteProgram(t, program, string(data))
	}
	cmd := exec.Command(program, "-test.v", "-test.run=^"+t.Name()+"$")
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "TMPDIR="+dir, "HOME="+dir)
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	out, err := cmd.CombinedOutput()
	if errors.Is(err, syscall.EPERM) || errors.Is(err, syscall.EINVAL) {
		t.Skipf("root may write everywhere, and can be nobody else here: %v", err)
	}
	if err != nil || !strings.Contains(string(out), "--- PASS: "+t.Name()) {
		t.Errorf("as nobody: %v\n%s", err, out)
	}
	return true
}
