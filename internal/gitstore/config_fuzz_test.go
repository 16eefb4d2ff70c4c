package gitstore

import (
	"testing"
)

func FuzzMemoLine(f *testing.F) {
	f.Add(`w1 2 3 4 5 "/etc/gitconfig"`)
	f.Add(`s"a.b" "c"`)
	f.Fuzz(func(t *testing.T, line string) {
		m := &memo{}
		if m.parseLine(line) && len(m.lines)+len(m.watched) != 1 {
			t.Errorf("%q gave %v", line, m)
		}
		if c := parseConfigMemo(m); c != nil && len(c.settings) != len(m.lines) {
			t.Errorf("%q gave %v", line, c)
		}
	})
}
