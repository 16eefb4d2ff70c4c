package place

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A file means to us what it means to git.
func TestParseConfigFile_likeGit(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "config")
	for _, text := range []string{
		"", "\n\n", "\ufeff[a]\nb=c\n", "[core]\n\tbare = false\n\trepositoryformatversion = 1\n",
		"[a]\nb\n", "[a]\nb=\n", "[a] b = c\n", "[A.B]\nC = d\n", "[a \"B c\"]\nd = e\n", "[a \"B\\\"\\\\c\"]\nd = e\n",
		"[a]\nb = c # d\n", "[a]\nb = \"c # d\" ; e\n", "[a]\nb = c \\\n d\n", "[a]\nb = \"c\\td\\n\\\"e\\\\\"\n",
		"[a]\nb =   c  d   \n",
		"[a]\r\nb = c\r\n", "# x\n; y\n[a] # z\nb = c\n", "[a]\nb = c", "[a]\nb-2 = c\n", "[a]\n\tb = \"  c  \"  \n",
		"[a\n", "[a]\nb = \"c\n", "[a]\nb = \\x\n", "b = c\n", "[]\nb = c\n", "[a]\n2b = c\n", "[a]\nb c\n",
		"[a \"b]\nc = d\n", "[a \"b\"c]\nd=e\n", "[a_b]\nc=d\n",
	} {
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		out, gitErr := exec.Command("git", "config", "--file", path, "--list", "-z").Output()
		settings, err := parseConfigFile([]byte(text))
		if (err == nil) != (gitErr == nil) {
			t.Errorf("%q: have %v, git %v", text, err, gitErr)
			continue
		}
		if err != nil {
			continue
		}
		var want []Setting
		for entry := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00") {
			if key, value, assigned := strings.Cut(entry, "\n"); key != "" {
				if !assigned {
					value = "true"
				}
				want = append(want, Setting{Key: key, Value: value})
			}
		}
		if fmt.Sprint(settings) != fmt.Sprint(want) {
			t.Errorf("%q: have %q, git %q", text, settings, want)
		}
	}
}
