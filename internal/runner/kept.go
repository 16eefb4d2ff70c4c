package runner

import (
	"fmt"
	"io"
	"strings"
	"sync"
)

// sink takes what a program says, until it is closed.
type sink struct {
	mu     sync.Mutex
	kept   *kept
	show   io.Writer
	closed bool
}

func newSink(keep int, show io.Writer) *sink { return &sink{kept: newKept(keep), show: show} }

func (s *sink) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return 0, io.ErrClosedPipe
	}
	s.kept.add(p)
	if s.show != nil {
		_, _ = s.show.Write(p)
	}
	return len(p), nil
}

func (s *sink) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
}

func (s *sink) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.kept.String()
}

// kept is the beginning and the end of what was added to it.
type kept struct {
	half    int
	head    []byte
	tail    []byte // the last bytes, and at times as many before them
	dropped int64  // bytes between the two
}

func newKept(size int) *kept {
	if size <= 0 {
		size = DefaultKeep
	}
	return &kept{half: max(size/2, 1)}
}

func (k *kept) add(p []byte) {
	if room := k.half - len(k.head); room > 0 {
		n := min(room, len(p))
		k.head, p = append(k.head, p[:n]...), p[n:]
	}
	k.tail = append(k.tail, p...)
	if over := len(k.tail) - k.half; over > k.half {
		k.tail = append(k.tail[:0], k.tail[over:]...)
		k.dropped += int64(over)
	}
}

// String is valid UTF-8.
func (k *kept) String() string {
	tail, dropped := k.tail, k.dropped
	if over := len(tail) - k.half; over > 0 {
		tail, dropped = tail[over:], dropped+int64(over)
	}
	s := string(k.head)
	if dropped > 0 {
		s += fmt.Sprintf("\n[%d bytes left out]\n", dropped)
	}
	return strings.ToValidUTF8(s+string(tail), "?")
}
