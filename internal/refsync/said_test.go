package refsync

import (
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/invisible"
)

// Of all that git prints, the line that tells why.
func TestSaid(t *testing.T) {
	for _, row := range []struct{ messages, want string }{
		{"", ""},
		{
			"fatal: '/gone' does not appear to be a git repository\nfatal: Could not read from remote repository.\n\n" +
				"Please make sure you have the correct access rights\nand the repository exists.\n",
			"'/gone' does not appear to be a git repository",
		},
		{
			"Warning: Permanently added 'h' (ED25519) to the list of known hosts.\ngit@h: Permission denied (publickey).\n" +
				"fatal: Could not read from remote repository.\n",
			"git@h: Permission denied (publickey).",
		},
		{
			"ssh: Could not resolve hostname h: Name or service not known\nfatal: Could not read from remote repository.\n",
			"ssh: Could not resolve hostname h: Name or service not known",
		},
		{
			"fatal: unable to access 'https://ada:s3cret@h/x@y/': The requested URL returned error: 403\n",
			"unable to access 'https://h/x@y/': The requested URL returned error: 403",
		},
		{
			"Enumerating objects: 5, done.\nremote: Resolving deltas: 100% (1/1)        \rremote: \n" +
				"remote: - \x1b[1mGH013\x1b[0m: rule\u202e violations        \nTo h\nerror: failed to push some refs to 'h'\n",
			"GH013: rule violations",
		},
		{
			"remote: error: cannot lock ref 'refs/x': is at a but expected b        \nerror: failed to push some refs to 'h'\n",
			"cannot lock ref 'refs/x': is at a but expected b",
		},
		{
			"send-pack: unexpected disconnect while reading sideband packet\nfatal: the remote end hung up unexpectedly\n",
			"the remote end hung up unexpectedly",
		},
		{
			"fatal: remote error: access denied or repository not exported: /x\n",
			"access denied or repository not exported: /x",
		},
		{"fatal: remote error:\n  You can't push to git://h/x\n  Use https://h/x\n", "You can't push to git://h/x"},
		{"remote: Resolving deltas: 100% (1/1)\rremote: Updating references:  50% (1/2)\n" +
			"error: failed to push some refs to 'h'\n", ""},
		{"remote: " + strings.Repeat("long ", 100), strings.TrimSpace(strings.Repeat("long ", 40)) + "…"},
	} {
		if got := said(row.messages); got != row.want {
			t.Errorf("said(%.40q…) = %q, not %q", row.messages, got, row.want)
		}
	}
}

// A git command that failed always has a reason, if only the last line that it wrote.
func TestFailure_alwaysSaysSomething(t *testing.T) {
	for _, messages := range []string{"hint: try again\n", "warning: redirecting to x\nTo h\n"} {
		if got := (Remote{}).failure(messages).Said; got == "" {
			t.Errorf("%q says nothing", messages)
		}
	}
}

// Whatever a remote prints, what a person is shown is one short line that does
// nothing to a terminal.
func TestSaid_isFitToBePrinted(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		part := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{
			"\x1b[", "\x1b]0;", "\n", "\r", "remote: ", "://", "@",
			"\x9b", "\u202e", "\xff",
		}))
		text := strings.Join(rapid.SliceOf(part).Draw(t, "parts"), "")
		got := said(text)
		if n := utf8.RuneCountInString(got); n > maxSaid+1 {
			t.Fatalf("%d runes", n)
		}
		if !utf8.ValidString(got) || strings.ContainsFunc(got, func(r rune) bool { return invisible.Hides(r) }) {
			t.Fatalf("%q", got)
		}
	})
}

// What failed as a whole was refused, could not be reached, or is ours to mend.
func TestFailure(t *testing.T) {
	for _, row := range []struct {
		messages   string
		want       error
		ours, gone bool
	}{
		{"fatal: unable to access 'https://h/': The requested URL returned error: 403", ErrRefused, false, true},
		{"fatal: unable to access 'https://h/': The requested URL returned error: 502", ErrUnreachable, false, true},
		{
			"fatal: unable to connect to localhost:\nlocalhost[0: 127.0.0.1]: errno=Connection refused", ErrUnreachable, false,
			true,
		},
		{"fatal: remote error: too many refs", ErrRefused, false, false},
		{"fatal: could not read Username for 'https://h': terminal prompts disabled", ErrRefused, false, false},
		{"fatal: the remote end hung up unexpectedly", ErrUnreachable, false, false},
		{"fatal: bad object refs/x/y\nerror: /hub did not send all necessary objects", ErrUnreachable, true, false},
		{"error: unable to write file .git/objects/x: No space left on device", ErrUnreachable, true, false},
		{"remote: fatal: unable to write: No space left on device\nerror: remote unpack failed", ErrRefused, false, false},
	} {
		if got := (Remote{}).failure(row.messages).Kind; !errors.Is(got, row.want) {
			t.Errorf("%s: %v", row.messages, got)
		}
		if oursToMend(row.messages) != row.ours || gone(row.messages) != row.gone {
			t.Errorf("%s: ours %t, gone %t", row.messages, oursToMend(row.messages), gone(row.messages))
		}
	}
}

// What git prints of a push, ref by ref.
func TestReplies(t *testing.T) {
	out := "To h\n" +
		"*\trefs/x/new:refs/x/new\t[new reference]\n" +
		" \trefs/x/on:refs/x/on\t1..2\n" +
		"+\trefs/x/back:refs/x/back\t1...2 (forced update)\n" +
		"-\t:refs/x/deleted\t[deleted]\n" +
		"=\trefs/x/same:refs/x/same\t[up to date]\n" +
		"!\trefs/x/stale:refs/x/stale\t[rejected] (stale info)\n" +
		"!\trefs/x/far:refs/x/far\t[rejected] (non-fast-forward)\n" +
		"!\t(delete):refs/x/gone\t[rejected] (stale info)\n" +
		"!\trefs/x/race:refs/x/race\t[remote rejected] (failed to update ref)\n" +
		"!\trefs/x/lock:refs/x/lock\t[remote rejected] (cannot lock ref 'refs/x/lock': is at 1 but expected 2)\n" +
		"!\trefs/x/hook:refs/x/hook\t[remote rejected] (\x1b[1mpre-receive hook declined)\n" +
		"!\trefs/x/ff:refs/x/ff\t[remote rejected] (non-fast-forward)\n" +
		"!\trefs/x/cut:refs/x/cut\t[remote failure] (remote failed to report status)\n" +
		"nonsense\n!\t\n?\tno colon\tx\nDone\n"
	want := map[gitstore.RefName]reply{
		"refs/x/new": {Pushed, ""}, "refs/x/on": {Pushed, ""}, "refs/x/back": {Pushed, ""}, "refs/x/deleted": {Pushed, ""},
		"refs/x/same": {UpToDate, ""}, "refs/x/stale": {Moved, "stale info"}, "refs/x/gone": {Moved, "stale info"},
		"refs/x/far": {Moved, nonForward}, "refs/x/race": {Moved, "failed to update ref"},
		"refs/x/lock": {Moved, "cannot lock ref 'refs/x/lock': is at 1 but expected 2"},
		"refs/x/hook": {Refused, "pre-receive hook declined"}, "refs/x/ff": {Refused, nonForward},
		"refs/x/cut": {Unknown, "remote failed to report status"},
	}
	got := replies(out)
	if len(got) != len(want) {
		t.Errorf("%d replies: %v", len(got), got)
	}
	for ref, reply := range want {
		if got[ref] != reply {
			t.Errorf("%s: %+v, not %+v", ref, got[ref], reply)
		}
	}
}
