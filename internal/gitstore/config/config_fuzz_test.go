package config

import (
	"testing"

	"github.com/git-brew/git-brew/internal/gitstore/statcache"
)

func FuzzMemoLine(f *testing.F) {
	f.Add(`w1 2 3 4 5 "/etc/gitconfig"`)
	f.Add(`s"a.b" "c"`)
	f.Fuzz(func(t *testing.T, line string) {
		m := &statcache.Entry{}
		if m.ParseLine(line) && len(m.Lines)+len(m.Files) != 1 {
			t.Errorf("%q gave %v", line, m)
		}
		if c := parseEntry(m); c != nil && len(c.Settings) != len(m.Lines) {
			t.Errorf("%q gave %v", line, c)
		}
	})
}
