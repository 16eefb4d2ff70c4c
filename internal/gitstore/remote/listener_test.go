package remote

import (
	"strings"
	"testing"
	"time"

	"github.com/git-brew/git-brew/internal/gitstore/gitcmd"
)

// What git says of its own work is a sign of life, and no message: neither the trace
// nor the progress, nor the refs that a fetch moved, however many there are.
func TestListener_keepsMessages(t *testing.T) {
	text := "12:00:01.123456 pkt-line.c:86            packet:        fetch< version 2\n" +
		"12:00:01.123456 http.c:756              == Info: Connected to example.org\n" +
		"remote: Counting objects:  50% (1/2)        \rremote: Counting objects: 100% (2/2), done.        \n" +
		"Receiving objects:  10% (1/10)\rReceiving objects:  20% (2/10)\rfatal: early EOF\n" +
		"From https://example.org/hub\n" +
		" * [new ref]         refs/brew/tasks/a -> refs/remotes/origin/a\n" +
		" ! [rejected]        refs/brew/tasks/b -> refs/remotes/origin/b (unable to update local ref)\n" +
		"ssh: no route to host\r\n" +
		"fatal: the last word"
	want := "remote: Counting objects: 100% (2/2), done.        \nfatal: early EOF\nFrom https://example.org/hub\n" +
		" ! [rejected]        refs/brew/tasks/b -> refs/remotes/origin/b (unable to update local ref)\n" +
		"ssh: no route to host\nfatal: the last word\n"
	for size := range len(text) {
		l := newListener(Patience{}, true, nil)
		for rest := text; rest != ""; {
			n := min(size+1, len(rest))
			if _, err := l.Write([]byte(rest[:n])); err != nil {
				t.Fatal(err)
			}
			rest = rest[n:]
		}
		if got := l.String(); got != want {
			t.Fatalf("in pieces of %d bytes it keeps\n%s", size+1, got)
		}
	}
	l := newListener(Patience{}, true, nil)
	for range 1000 {
		if _, err := l.Write([]byte(strings.Repeat("progress\r", 100) + strings.Repeat("message\n", 100))); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(l.String()); n > 2*gitcmd.TailSize {
		t.Errorf("it keeps %d bytes", n)
	}
}

// A person who unlocks a key for ssh is waited for until the remote has spoken, and
// the remote from then on; a server of http that has answered is git's to watch.
func TestListener_limits(t *testing.T) {
	const packet = "12:00:01.123456 pkt-line.c:86            packet:        fetch< version 2\n"
	const header = "12:00:01.123456 http.c:703              <= Recv header: HTTP/1.1 200 OK\n"
	p := Patience{Silence: time.Hour, Login: 2 * time.Hour}
	for _, c := range []struct {
		name, text string
		own        bool // a person's limit is set: git got none of ours
		want       time.Duration
	}{
		{"nothing yet", "", false, 2 * time.Hour},
		{"ssh greets", "Welcome to example.org\n", false, 2 * time.Hour},
		{"the remote speaks", packet, false, time.Hour},
		{"http", header, false, 0},
		{"http, and then more", header + packet, false, 0},
		{"http with a limit of the person's", header, true, 2 * time.Hour},
		{"http with a limit of the person's, and then more", header + packet, true, time.Hour},
	} {
		l := newListener(p, !c.own, nil)
		_, _ = l.Write([]byte(c.text))
		if l.limit != c.want {
			t.Errorf("%s: %v, want %v", c.name, l.limit, c.want)
		}
		l.stop()
	}
}
