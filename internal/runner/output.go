package runner

import (
	"fmt"
	"io"
	"strings"
	"sync"
)

// half is how much is kept of the beginning of what a program says, and of its end, in
// bytes.
const half = 8 << 10

// output takes what a program says, until it is closed: all of it goes to show, its
// beginning and its end are kept.
type output struct {
	mu      sync.Mutex
	show    io.Writer
	closed  bool
	head    []byte
	tail    []byte // the last bytes, and at times as many before them
	dropped int    // bytes between the two
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.closed {
		return 0, io.ErrClosedPipe
	}
	if o.show != nil {
		_, _ = o.show.Write(p)
	}
	n := min(half-len(o.head), len(p))
	o.head, o.tail = append(o.head, p[:n]...), append(o.tail, p[n:]...)
	if over := len(o.tail) - half; over > half {
		o.tail = append(o.tail[:0], o.tail[over:]...)
		o.dropped += over
	}
	return len(p), nil
}

func (o *output) close() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.closed = true
}

// String is valid UTF-8, with a line that counts what was left out.
func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	s, over := string(o.head), max(0, len(o.tail)-half)
	if dropped := o.dropped + over; dropped > 0 {
		s += fmt.Sprintf("\n[%d bytes left out]\n", dropped)
	}
	return strings.ToValidUTF8(s+string(o.tail[over:]), "?")
}
