package lease

import (
	"errors"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/git-brew/git-brew/internal/operation"
	"github.com/git-brew/git-brew/internal/task"
)

var (
	noon  = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	agent = Who{Session: "7f3a9c01-aaaa", Clone: "c1", User: "mara"}
	other = Who{Session: "11aa02c7-bbbb", Clone: "c2", User: "jo"}
)

func claimOf(w Who, nonce string) Lock {
	return Lock{
		Session: w.Session, Clone: w.Clone, User: w.User, Host: "laptop", WorkTree: "/w", PID: 7, TTLSeconds: 3600, Fence: 4,
		Nonce: nonce,
	}
}

func taken(t *testing.T, w Who) Lock {
	t.Helper()
	l, err := acquire(Lock{Task: "fix-login-k3v9q2m"}, claimOf(w, "n1"), noon)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// acquire takes a lock as its users do: they ask first whether it is held.
func acquire(l, c Lock, now time.Time) (Lock, error) {
	if l.Held && !Stale(l, now) {
		return l, Allows(l, Who{Session: c.Session, Clone: c.Clone, User: c.User}, now)
	}
	l.Held = false
	return Take(l, c, now)
}

func TestLock_BC55_BC56_bornUnboundBoundOnce(t *testing.T) {
	t.Parallel()
	person := Who{Clone: "c1", User: "mara"}
	l := taken(t, person)
	if !l.Held || l.Session != "" || l.BoundAt != "" || l.Fence != 5 || l.Event != LockAcquired {
		t.Errorf("born %+v", l)
	}
	bound, err := Bind(l, agent.Session, "", noon.Add(time.Minute))
	if err != nil || bound.Session != agent.Session || bound.BoundAt == "" || bound.Fence != l.Fence ||
		bound.Event != LockBound {
		t.Errorf("bound %+v, %v", bound, err)
	}
	var held *HeldError
	if _, err := Bind(bound, "another", "", noon); !errors.As(err, &held) {
		t.Errorf("bound twice: %v", err)
	}
	if again, err := Bind(bound, agent.Session, "", noon.Add(time.Hour)); err != nil || again != bound {
		t.Errorf("bound to the same again: %+v, %v", again, err)
	}
	free := Release(bound, noon)
	if free.Held || free.Fence != 5 || free.Session != "" {
		t.Errorf("released %+v", free)
	}
	if _, err := Bind(free, agent.Session, "", noon); err == nil {
		t.Error("a free lock was bound")
	}
	next, err := acquire(free, claimOf(other, "n2"), noon)
	if err != nil || next.Fence != 6 || next.Session != other.Session {
		t.Errorf("the next holder: %+v, %v", next, err)
	}
}

func TestLock_heldMessage(t *testing.T) {
	t.Parallel()
	l := taken(t, Who{Session: other.Session, Clone: "c2", User: "jo"})
	l.Host, l.AcquiredAt, l.RenewedAt, l.TTLSeconds = "desk", stamp(noon), stamp(noon.Add(3*time.Hour)), 24*3600
	_, err := acquire(l, claimOf(agent, "n2"), noon.Add(3*time.Hour+time.Minute))
	want := "fix-login is held by session 11aa02c7 on jo@desk, taken 3 h ago; wait, or a person takes it over with " +
		"'git brew start --steal fix-login' if the holder is gone"
	if err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	l.User, l.Host, l.Session = "jo\x1b[2J\n", "a\tb", "\x1b[31mred session"
	if _, err := acquire(l, claimOf(agent, "n2"), noon.Add(time.Hour)); err == nil ||
		strings.ContainsAny(err.Error(), "\x1b\n\t") {
		t.Errorf("%q", err)
	}
}

// BC-59: 24 hours from the last renewal; a time that can't be read is long ago.
func TestStale_BC59(t *testing.T) {
	t.Parallel()
	l := taken(t, agent)
	l.TTLSeconds = 0
	for _, tt := range []struct {
		renewed string
		after   time.Duration
		want    bool
	}{
		{stamp(noon), 24 * time.Hour, false},
		{stamp(noon), 24*time.Hour + time.Second, true},
		{stamp(noon), -time.Hour, false},
		{"", 0, true},
		{"yesterday", 0, true},
	} {
		l.RenewedAt = tt.renewed
		if got := Stale(l, noon.Add(tt.after)); got != tt.want {
			t.Errorf("renewed %q, %s later: stale %t", tt.renewed, tt.after, got)
		}
	}
	l.RenewedAt = stamp(noon)
	if got := ExpiresAt(l, noon); got != "2026-03-02T12:00:00Z" {
		t.Errorf("expires %s", got)
	}
	l.RenewedAt = stamp(noon.Add(365 * 24 * time.Hour))
	if Ahead(l, noon) != 365*24*time.Hour || ExpiresAt(l, noon) != "" || !RenewDue(l, noon) ||
		Ahead(Release(l, noon), noon) != 0 {
		t.Errorf("a clock that was a year ahead: %s, expires %q", Ahead(l, noon), ExpiresAt(l, noon))
	}
	if l.RenewedAt = stamp(noon.Add(Skew)); Ahead(l, noon) != 0 || RenewDue(l, noon) || ExpiresAt(l, noon) == "" {
		t.Error("clocks that are set are not the same everywhere")
	}
	l.RenewedAt = stamp(noon)
	if Stale(Release(l, noon), noon.Add(100*time.Hour)) || ExpiresAt(Release(l, noon), noon) != "" {
		t.Error("a free lock is stale")
	}
	// Who finds it stale takes it under a new fence; who only wants to work
	// under it is told so.
	late := noon.Add(48 * time.Hour)
	if next, err := acquire(l, claimOf(other, "n2"), late); err != nil || next.Fence != l.Fence+1 ||
		next.Session != other.Session {
		t.Errorf("%+v, %v", next, err)
	}
	var held *HeldError
	if err := Allows(l, other, late); !errors.As(err, &held) || !held.Stale ||
		!strings.Contains(err.Error(), "git brew start") {
		t.Errorf("%v", err)
	}
}

// The rules of who may change what a lock guards, one row each.
func TestAllows(t *testing.T) {
	t.Parallel()
	bound, unbound := taken(t, agent), taken(t, Who{Clone: "c1", User: "mara"})
	of := func(l Lock, client string) Lock { l.Client = client; return l }
	shell := func(client string) Who { return Who{Clone: "c1", User: "mara", Client: client} }
	session := func(client string) Who { return Who{Session: "s2", Clone: "c1", User: "mara", Client: client} }
	for _, tt := range []struct {
		name string
		lock Lock
		who  Who
		want bool
	}{
		{"free", Lock{}, other, true},
		{"its session", bound, agent, true},
		{"its session, elsewhere", bound, Who{Session: agent.Session, Clone: "c9", User: "x"}, true},
		{"another session there", bound, Who{Session: "s2", Clone: "c1", User: "mara"}, false},
		{"the person there", bound, Who{Clone: "c1", User: "mara"}, true},
		{"another person there", bound, Who{Clone: "c1", User: "jo"}, false},
		{"the same person on another clone", bound, Who{Clone: "c2", User: "mara"}, false},
		{"unbound, a session there", unbound, agent, true},
		{"unbound, a session elsewhere", unbound, other, false},
		{"unbound, the person there", unbound, Who{Clone: "c1", User: "mara"}, true},
		{"a client's, its own shell of no session", of(bound, "gemini"), shell("gemini"), true},
		{"a client's, another client's shell", of(bound, "claude-code"), shell("gemini"), false},
		{"a client's, the person there", of(bound, "gemini"), shell(""), true},
		{"nobody knows whose, a client's shell", bound, shell("gemini"), true},
		{
			"its session, typed in another client's shell", of(bound, "codex"),
			Who{Session: agent.Session, Clone: "c1", User: "mara", Client: "gemini", Typed: true},
			false,
		},
		{
			"its session, typed in its client's shell", of(bound, "gemini"),
			Who{Session: agent.Session, Clone: "c1", User: "mara", Client: "gemini", Typed: true},
			true,
		},
		{
			"its session, typed in the shell of a client that nobody knows", of(bound, "claude-code"),
			Who{Session: agent.Session, Clone: "c1", User: "mara", Client: OtherClient, Typed: true},
			true,
		},
		{"a client's, the shell of one that nobody knows", of(bound, "claude-code"), shell(OtherClient), false},
		{
			"its session, of a client within another", of(bound, "codex"),
			Who{Session: agent.Session, Clone: "c1", User: "mara", Client: "gemini"},
			true,
		},
		{"unbound of a client, its session", of(unbound, "gemini"), session("gemini"), true},
		{"unbound of a client, another's session", of(unbound, "gemini"), session("codex"), false},
		{"unbound of a client, the person there", of(unbound, "gemini"), shell(""), true},
	} {
		if err := Allows(tt.lock, tt.who, noon); (err == nil) != tt.want {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
}

// A lease is renewed in good time however short it is, for as long as the
// setting says then.
func TestRenew_inTimeAndByTheSetting(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		ttl, rested time.Duration
		want        bool
	}{
		{24 * time.Hour, 59 * time.Minute, false},
		{24 * time.Hour, time.Hour, true},
		{30 * time.Minute, 14 * time.Minute, false},
		{30 * time.Minute, 15 * time.Minute, true},
	} {
		l := Lock{Held: true, RenewedAt: stamp(at), TTLSeconds: int64(c.ttl.Seconds())}
		if got := RenewDue(l, at.Add(c.rested)); got != c.want {
			t.Errorf("a lease of %s, after %s: due %v", c.ttl, c.rested, got)
		}
		next := Renew(l, 60, at.Add(c.rested))
		if RenewDue(next, at.Add(c.rested)) || ExpiresAt(next, at.Add(c.rested)) != stamp(at.Add(c.rested+time.Minute)) {
			t.Errorf("renewed for a minute: %+v", next)
		}
	}
}

func TestLock_stealUnbindRenew(t *testing.T) {
	t.Parallel()
	l := taken(t, agent)
	stolen, err := Take(l, claimOf(other, "n2"), noon.Add(time.Minute))
	if err != nil || stolen.Session != other.Session || stolen.Fence != l.Fence+1 || stolen.Event != LockStolen ||
		stolen.Nonce != "n2" {
		t.Errorf("stolen %+v, %v", stolen, err)
	}
	if err := Allows(stolen, agent, noon); err == nil {
		t.Error("the old holder is still allowed")
	}
	loose := Unbind(l, noon.Add(time.Minute))
	if !loose.Held || loose.Session != "" || loose.Fence != l.Fence || loose.Clone != "c1" {
		t.Errorf("unbound %+v", loose)
	}
	mine, err := Bind(loose, agent.Session, "", noon.Add(2*time.Minute))
	if err != nil || mine.Session != agent.Session || mine.Fence != l.Fence || mine.Event != LockBound {
		t.Errorf("taken up %+v, %v", mine, err)
	}
	again := Renew(mine, 3600, noon.Add(3*time.Minute))
	if again.Fence != l.Fence || again.Event != LockRenewed || again.RenewedAt == mine.RenewedAt {
		t.Errorf("renewed %+v", again)
	}
}

// The fence grows with every change of holder, whatever happens in between.
func TestLock_fenceOnlyGrows(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		l := Lock{Task: "x-k3v9q2m"}
		now := noon
		for range rapid.IntRange(1, 30).Draw(t, "steps") {
			before := l
			now = now.Add(time.Duration(rapid.IntRange(0, 7200).Draw(t, "seconds")) * time.Second)
			who := []Who{agent, other, {Clone: "c1", User: "mara"}}[rapid.IntRange(0, 2).Draw(t, "who")]
			var err error
			switch rapid.IntRange(0, 5).Draw(t, "what") {
			case 0, 1:
				l, err = acquire(l, claimOf(who, "n"), now)
			case 2:
				l, err = Take(l, claimOf(who, "n"), now)
			case 3:
				l = Release(l, now)
			case 4:
				if l.Held {
					l = Unbind(l, now)
				}
			case 5:
				l, err = Bind(l, who.Session, who.Client, now)
			}
			if err != nil {
				if l != before {
					t.Fatalf("refused, and changed: %+v", l)
				}
				continue
			}
			if l.Fence < before.Fence || l.Event == LockAcquired && l.Fence == before.Fence {
				if l != before {
					t.Fatalf("%+v became %+v", before, l)
				}
			}
			if l.Held && CheckLock(l) != nil {
				t.Fatal(CheckLock(l))
			}
		}
	})
}

// A fence never restarts: where there is no higher one the lock stays as it is.
func TestLock_highestFence(t *testing.T) {
	t.Parallel()
	last := taken(t, agent)
	last.Fence = operation.MaxClock
	if err := CheckLock(last); err != nil {
		t.Fatal(err)
	}
	var refused *task.RefusedError
	if l, err := Take(last, claimOf(other, "n2"), noon); !errors.As(err, &refused) || l.Session != last.Session {
		t.Errorf("stolen: %+v, %v", l, err)
	}
	if l, err := acquire(Release(last, noon), claimOf(other, "n2"), noon); !errors.As(err, &refused) || l.Held {
		t.Errorf("acquired: %+v, %v", l, err)
	}
}

// BC-62: what is no lock is told apart.
func TestCheckLock_BC62(t *testing.T) {
	t.Parallel()
	good := taken(t, agent)
	if err := CheckLock(good); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(*Lock){
		"no event": func(l *Lock) { l.Event = "" }, "another event": func(l *Lock) { l.Event = "x" },
		"a path": func(l *Lock) { l.Task = "../../x-k3v9q2m" }, "no fence": func(l *Lock) { l.Fence = 0 },
		"a fence too high": func(l *Lock) { l.Fence = operation.MaxClock + 1 },
		"nobody":           func(l *Lock) { l.User, l.Clone, l.Session = "", "", "" },
	} {
		l := good
		change(&l)
		if err := CheckLock(l); !errors.Is(err, ErrBadLock) {
			t.Errorf("%s: %v", name, err)
		}
	}
	good.Schema = "2.0.0"
	var schema *operation.FormatError
	if err := CheckLock(good); !errors.As(err, &schema) {
		t.Errorf("a newer format: %v", err)
	}
}

// A person with two clones on one machine is told which of them has the lock.
func TestHeldError_tellsClonesOfOnePersonApart(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	mine := Who{Session: "one", Clone: "a", User: "mara"}
	claim := claimOf(mine, "n")
	claim.WorkTree = "/src/a"
	l, err := acquire(Lock{Task: "fix-login-2222222"}, claim, now)
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		who  Who
		want string
	}{
		{Who{Session: "two", Clone: "b", User: "mara"}, "held by session one on mara@laptop in /src/a; wait"},
		{Who{Clone: "b", User: "mara"}, "held by session one on mara@laptop in /src/a; wait"},
		{Who{Session: "two", Clone: "a", User: "mara"}, "held by session one on mara@laptop; wait"},
		{Who{Clone: "b", User: "jo"}, "held by session one on mara@laptop; wait"},
	} {
		if err := Allows(l, row.who, now); err == nil || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%+v is told %v; want %q", row.who, err, row.want)
		}
	}
}

// Who is one person in two clones is told by the end of a path, however long.
func TestHolderTo_longPath(t *testing.T) {
	t.Parallel()
	l := Lock{User: "mara", Host: "laptop", Clone: "a", WorkTree: "/home/" + strings.Repeat("mara/", 30) + "one\n"}
	if got := l.HolderTo(Who{User: "mara", Clone: "b"}); !strings.HasPrefix(got, "mara@laptop in …") ||
		!strings.HasSuffix(got, "/one") {
		t.Errorf("%q", got)
	}
}

// S-12: who claimed out of touch, and finds the lock free, holds it again under
// a fence that neither side had.
func TestReclaim(t *testing.T) {
	t.Parallel()
	ours := taken(t, agent)
	ours.StolenFrom = "somebody"
	for _, tt := range []struct{ theirs, ours, want uint64 }{{7, 5, 8}, {5, 5, 6}, {1, 5, 6}} {
		ours.Fence = tt.ours
		theirs := Release(taken(t, other), noon)
		theirs.Fence = tt.theirs
		got, err := Reclaim(theirs, ours, "n9", noon.Add(time.Hour))
		if err != nil || got.Fence != tt.want || got.Nonce != "n9" || got.Claim != "" || got.Event != LockAcquired {
			t.Errorf("%d over %d: %+v, %v", tt.ours, tt.theirs, got, err)
		}
		if !Holds(got, agent) || got.AcquiredAt != ours.AcquiredAt || got.RenewedAt == ours.RenewedAt ||
			CheckLock(got) != nil {
			t.Errorf("%+v, %v", got, CheckLock(got))
		}
	}
	ours.Fence = operation.MaxClock
	if _, err := Reclaim(Lock{Task: ours.Task}, ours, "n9", noon); err == nil {
		t.Error("a fence above the highest")
	}
}
