package run

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/git-brew/git-brew/internal/task"
)

// A log has all of a short turn, and the beginning and the end of a long one, however it
// comes (BR-35).
func TestLogFile_BR35(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		w := &workers{id: "shop-abc", logs: logs(dir)}
		l := w.open(&job{phase: task.Phase{ID: "US-1"}}, "junior")
		var all strings.Builder
		for i, n := range rapid.SliceOfN(rapid.IntRange(0, logPart+logPart/2), 0, 8).Draw(t, "sizes") {
			text := strings.Repeat(string(rune('a'+i)), n)
			all.WriteString(text)
			if wrote, err := l.Write([]byte(text)); wrote != n || err != nil {
				t.Fatalf("Write: %d, %v", wrote, err)
			}
		}
		l.close()
		if all.Len() == 0 {
			if l.path != "" {
				t.Fatalf("a turn that printed nothing has the file %s", l.path)
			}
			return
		}
		data, err := os.ReadFile(l.path)
		if err != nil {
			t.Fatal(err)
		}
		defer os.Remove(l.path)
		got, said := string(data), all.String()
		if len(said) <= 3*logPart {
			if got != said {
				t.Fatalf("of %d bytes, %d are kept", len(said), len(got))
			}
			return
		}
		if len(got) > 3*logPart+100 {
			t.Fatalf("the file has %d bytes", len(got))
		}
		head, tail, found := strings.Cut(got, "\n[")
		count, tail, _ := strings.Cut(tail, " bytes left out]\n")
		if !found || len(head) != logPart || !strings.HasPrefix(said, head) || len(tail) < logPart ||
			!strings.HasSuffix(said, tail) || count != fmt.Sprint(len(said)-len(head)-len(tail)) {
			t.Fatalf("of %d bytes, kept %d and %d, %q left out", len(said), len(head), len(tail), count)
		}
	})
}

// The newest logs are kept, for nobody but their owner to read; what can't be written is no
// failure (BR-35).
func TestLogs_bounded_BR35(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "workers")
	w := &workers{id: "shop-abc", logs: logs(dir)}
	var last string
	for range maxLogs + 3 {
		l := w.open(&job{phase: task.Phase{ID: "1"}}, "senior")
		fmt.Fprint(l, "hello")
		l.close()
		last = l.path
	}
	all, err := os.ReadDir(dir)
	if err != nil || len(all) != maxLogs || all[0].Name() != "000004-shop-abc-1-senior.log" {
		t.Errorf("%d logs are kept, from %s on: %v", len(all), all[0].Name(), err)
	}
	info, err := os.Stat(last)
	if err != nil || info.Mode().Perm()&0o077 != 0 {
		t.Errorf("the mode of %s is %v: %v", last, info.Mode(), err)
	}
	if err := os.WriteFile(dir+"2", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	w.logs = logs(dir + "2")
	l := w.open(&job{}, "junior")
	if n, err := l.Write([]byte("lost")); n != 4 || err != nil || l.path != "" {
		t.Errorf("Write: %d, %v, %s", n, err, l.path)
	}
	l.close()
}
