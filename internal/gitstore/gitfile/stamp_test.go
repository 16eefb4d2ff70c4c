package gitfile

import (
	"testing"
)

func TestStamp_Settled(t *testing.T) {
	t.Parallel()
	const second = 1_000_000_000
	for _, c := range []struct {
		stamp Stamp
		at    int64
		want  bool
	}{
		{Stamp{}, 0, true},
		{Stamp{Mtime: 1, Ctime: 5*second + 1}, 5*second + 2, false},
		{Stamp{Mtime: 1, Ctime: 5*second + 1}, 5*second + 21_000_000, true},
		{Stamp{Mtime: 5*second + 1}, 5*second + 2, false},
		{Stamp{Mtime: 1, Ctime: 5 * second}, 6 * second, false}, // kept in whole seconds
		{Stamp{Mtime: 1, Ctime: 5 * second}, 8 * second, true},
		{Stamp{Mtime: 1, Ctime: 9 * second}, 5 * second, false}, // the clock moved back
	} {
		if have := c.stamp.Settled(c.at); have != c.want {
			t.Errorf("%+v at %d: %v", c.stamp, c.at, have)
		}
	}
}
