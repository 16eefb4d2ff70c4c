package settings

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/git-brew/git-brew/internal/gitstore/gitstoretest"
)

// shells are those that a client may start a hook's command with, as far as they
// are here, each with what stands before the command.
func shells(t *testing.T) map[string][]string {
	t.Helper()
	found := map[string][]string{}
	for name, args := range map[string][]string{
		"sh": {"-c"}, "bash": {"-c"}, "dash": {"-c"}, "zsh": {"-c"}, "ksh": {"-c"}, "busybox": {"sh", "-c"}, "fish": {"-c"},
		"pwsh": {"-NoProfile", "-NonInteractive", "-Command"}, "powershell": {"-NoProfile", "-NonInteractive", "-Command"},
	} {
		if path, err := exec.LookPath(name); err == nil {
			found[name] = append([]string{path}, args...)
		}
	}
	if len(found) == 0 {
		t.Skip("no shell is here")
	}
	return found
}

// TestSharedCommand_BW36_S42: whoever has no git-brew notices nothing, whatever
// is sent: no output, no failure, no broken pipe. Whoever has it gets its answer.
func TestSharedCommand_BW36_S42_inEveryShell(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the program that stands for git-brew is a shell script")
	}
	with := t.TempDir()
	script := "#!/bin/sh\necho \"$@\"\nexec cat\n"
	gitstoretest.WriteProgram(t, filepath.Join(with, "git-brew"), script)
	tools := t.TempDir() // no git-brew among them, wherever this machine has one
	cat, err := exec.LookPath("cat")
	if err != nil {
		t.Skip(err)
	}
	if err := os.Symlink(cat, filepath.Join(tools, "cat")); err != nil {
		t.Fatal(err)
	}
	payload := `{"prompt":"it's é $x \"` + strings.Repeat("x", 300<<10) + `"}`
	for name, argv := range shells(t) {
		for _, test := range []struct{ what, path, want string }{
			{"without git-brew", tools, ""},
			{"without anything", t.TempDir(), ""},
			{"with git-brew", with + string(filepath.ListSeparator) + tools, "hook\n" + payload},
		} {
			t.Run(name+" "+test.what, func(t *testing.T) {
				cmd := exec.Command(argv[0], append(argv[1:], sharedCommand)...)
				cmd.Dir, cmd.Env = t.TempDir(), []string{"PATH=" + test.path}
				var out, stderr bytes.Buffer
				cmd.Stdout, cmd.Stderr = &out, &stderr
				in, err := cmd.StdinPipe()
				if err != nil {
					t.Fatal(err)
				}
				if err := cmd.Start(); err != nil {
					t.Fatal(err)
				}
				_, sent := in.Write([]byte(payload))
				_ = in.Close()
				if err := cmd.Wait(); err != nil {
					t.Errorf("it failed: %v", err)
				}
				if sent != nil && test.what != "without anything" {
					t.Errorf("the client could not send the payload: %v", sent)
				}
				if out.String() != test.want || stderr.Len() > 0 {
					t.Errorf("output %.200q, errors %q", out.String(), stderr.String())
				}
				if made, _ := os.ReadDir(cmd.Dir); len(made) > 0 {
					t.Errorf("it made %v", made)
				}
			})
		}
	}
}

// Hooks that a plugin's file has from git brew, of whichever version, are known without a mark.
func TestOnlyPluginHooks(t *testing.T) {
	now := string(PluginHooks())
	for name, c := range map[string]struct {
		text string
		want bool
	}{
		"of this version":    {now, true},
		"with other times":   {strings.ReplaceAll(now, `"timeout": 10`, `"timeout": 5`), true},
		"of fewer events":    {strings.Replace(now, `"Notification"`, `"SessionEnd"`, 1), true},
		"one that is theirs": {strings.Replace(now, "exec git-brew hook plugin", "mine", 1), false},
		"something beside":   {strings.Replace(now, "{", `{"mine": 1, `, 1), false},
		"none":               {"", false},
		"no JSON":            {"Mine.\n", false},
	} {
		if got := OnlyPluginHooks([]byte(c.text)); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
