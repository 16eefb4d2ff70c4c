package runner_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/git-brew/git-brew/internal/runner"
)

// BR-24: what holds the lock of a file is ended, with its group; who only reads the file is not.
func TestEndHolders_BR24(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "lock")
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX); err != nil {
		t.Fatal(err)
	}
	plain, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	begin := func(held *os.File) *exec.Cmd {
		cmd := exec.Command("sleep", "1000")
		cmd.ExtraFiles, cmd.SysProcAttr = []*os.File{held}, &syscall.SysProcAttr{Setsid: true}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		_ = held.Close()
		return cmd
	}
	holder, reader := begin(file), begin(plain)
	runner.EndHolders(path)
	if err := holder.Wait(); err == nil || exitSignal(holder) != syscall.SIGKILL {
		t.Errorf("the holder ended with %v", err)
	}
	if err := reader.Process.Signal(syscall.Signal(0)); err != nil {
		t.Errorf("the reader: %v", err)
	}
	_ = reader.Process.Kill()
	_ = reader.Wait() // it was killed
}

func exitSignal(cmd *exec.Cmd) syscall.Signal {
	status, _ := cmd.ProcessState.Sys().(syscall.WaitStatus)
	return status.Signal()
}
