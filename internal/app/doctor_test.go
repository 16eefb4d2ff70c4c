package app_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/git-brew/git-brew/internal/app"
	"github.com/git-brew/git-brew/internal/app/archive"
	"github.com/git-brew/git-brew/internal/app/doctor"
	"github.com/git-brew/git-brew/internal/app/exchange"
	"github.com/git-brew/git-brew/internal/app/phase"
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/gitstore/gitstoretest"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/task"
	"github.com/git-brew/git-brew/internal/task/lease"
)

// examine is what the doctor finds.
func examine(ctx context.Context, s *app.App, fix bool) ([]doctor.Finding, error) {
	report, err := s.Doctor.Doctor(ctx, doctor.DoctorRequest{Fix: fix})
	return report, err
}

// patient is a repository to be examined.
type patient struct {
	*gitstoretest.Fixture
	now *time.Time
}

// service is one more process, a minute later; of an agent where it is named.
func (p patient) service(session ...string) *app.App {
	*p.now = p.now.Add(time.Minute)
	return at(p.Fixture, p.now, strings.Join(session, ""))
}

// finds fails unless the doctor finds just these: "problem what: a part of the
// message", each; "fixed" stands for what was mended.
func (p patient) finds(when string, fix bool, want ...string) []doctor.Finding {
	p.T.Helper()
	found, err := p.service().Doctor.Doctor(context.Background(), doctor.DoctorRequest{Fix: fix})
	if err != nil {
		p.T.Fatalf("%s: %v", when, err)
	}
	var got []string
	for _, f := range found {
		severity := string(f.Severity)
		if f.Fixed {
			severity = "fixed"
		}
		got = append(got, severity+" "+f.What+": "+f.Message)
	}
	matches := len(got) == len(want)
	for i := 0; matches && i < len(want); i++ {
		head, part, _ := strings.Cut(want[i], ": ")
		matches = strings.HasPrefix(got[i], head) && strings.Contains(got[i], part)
	}
	if !matches {
		p.T.Errorf("%s: found\n\t%s\nwant\n\t%s", when, strings.Join(got, "\n\t"), strings.Join(want, "\n\t"))
	}
	return found
}

func newPatient(t *testing.T) (patient, task.ID) {
	t.Helper()
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	p := patient{gitstoretest.New(t), &now}
	made, err := p.service().Tasks.Create(context.Background(), app.CreateRequest{Title: "Fix login", NoSwitch: true})
	if err != nil {
		t.Fatal(err)
	}
	return p, made.Task.ID
}

func TestDoctor_snapshotThatLies(t *testing.T) {
	p, id := newPatient(t)
	if _, err := p.service().Claims.AcquireLock(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	p.finds("sound", false)
	ref := ledger.LockRef(string(id))
	repo := p.Open()
	l := ledger.New(repo, time.Now, nil)
	tip, err := l.Tip(t.Context(), ref)
	if err != nil {
		t.Fatal(err)
	}
	l.Cache.Store(ref, tip, lease.Lock{Task: id, Held: true, User: "mallory"})
	p.finds("lying", false, "problem "+string(ref)+": its snapshot says something else than its objects")
	p.finds("mended", true, "fixed "+string(ref))
	p.finds("after that", false)
	if v, err := p.service().Claims.LockOf(t.Context(), id); err != nil || v.Lock.User != "mara" {
		t.Errorf("the lock is %+v, %v", v.Lock, err)
	}
}

func TestDoctor_strangeRefs(t *testing.T) {
	p, _ := newPatient(t)
	tip := p.Git("rev-parse", "HEAD")
	for _, ref := range []string{"refs/brew/tasks/UPPER", "refs/brew/tasks/a/b", "refs/brew/tomorrow"} {
		p.Git("update-ref", ref, tip)
	}
	report := p.finds("strange", false,
		"remark refs/brew/tasks/UPPER: this is no task's name",
		"remark refs/brew/tasks/a/b: this is no record",
		"remark refs/brew/tomorrow: this is no record")
	for _, f := range report {
		if strings.Contains(f.Hint, "--fix") {
			t.Errorf("what is not ours is not mended: %+v", f)
		}
	}
}

func TestDoctor_refspecs(t *testing.T) {
	p, _ := newPatient(t)
	p.Git("config", "remote.hub.url", p.Dir)
	p.Git("config", "--add", "remote.hub.fetch", "+refs/heads/*:refs/remotes/hub/*")
	p.finds("none arranged", false)
	specs := ledger.FetchRefspecs("hub", ledger.Prefix)
	for _, spec := range append(specs[1:], "+refs/brew/archive*:refs/brew/remotes/hub/archive*") {
		p.Git("config", "--add", "remote.hub.fetch", spec)
	}
	p.finds("one is missing", true, "fixed remote hub: the fetch refspec "+specs[0]+" is missing")
	p.finds("after that", false)
	// Moved to another prefix, the old ones would fetch to the same places.
	p.Git("config", "brew.sync.namespace", "refs/heads/brew")
	report, err := p.service().Doctor.Doctor(t.Context(), doctor.DoctorRequest{Fix: true})
	if err != nil || len(report) != 2*len(specs)+1 {
		t.Errorf("moved: %+v, %v", report, err)
	}
	p.finds("moved", false)
	if got := p.Git("config", "--get-all", "remote.hub.fetch"); strings.Contains(got, "+refs/brew/") ||
		!strings.Contains(got, "+refs/heads/brew/tasks/*:refs/brew/remotes/hub/tasks/*") ||
		!strings.Contains(got, "refs/remotes/hub/*") {
		t.Errorf("refspecs are\n%s", got)
	}
}

// The remote that state is shared with: named, agreed to, there, and taking it.
func TestDoctor_S33_sharing(t *testing.T) {
	p, _ := newPatient(t)
	hub := filepath.Join(p.Root, "hub")
	p.Git("init", "-q", "--bare", hub)
	p.Git("config", "brew.remote", "hub")
	p.finds("no such remote", false, `problem brew.remote: it is "hub", and there is no such remote`)
	p.Git("config", "remote.hub.url", hub)
	p.finds("not agreed", false, `remark brew.remote: it is "hub", and nobody agreed`)
	if _, err := p.service().Exchange.Sync(t.Context(), exchange.SyncRequest{}); err != nil {
		t.Fatal(err)
	}
	p.finds("shared", false)
	if err := os.Rename(hub, hub+".away"); err != nil {
		t.Fatal(err)
	}
	p.finds("away", false, "remark remote hub: could not be reached")
	if _, err := p.service().Exchange.Sync(t.Context(), exchange.SyncRequest{}); err == nil {
		t.Fatal("a remote that is away was synced with")
	}
	p.finds("a sync failed", false, "remark sync: the last one, with hub at 2026",
		"remark remote hub: could not be reached")
	if err := os.Rename(hub+".away", hub); err != nil {
		t.Fatal(err)
	}
	p.finds("back", false, "remark sync: the last one")
	if _, err := p.service().Exchange.Sync(t.Context(), exchange.SyncRequest{}); err != nil {
		t.Fatal(err)
	}
	p.finds("and synced", false)
	refuses := filepath.Join(p.Root, "refuses")
	if err := os.WriteFile(refuses, []byte("#!/bin/sh\necho 'remote: Permission to hub denied to mara.' >&2\nexit 1\n"),
		0o777); err != nil {
		t.Fatal(err)
	}
	p.Git("config", "remote.hub.receivepack", refuses)
	p.finds("refused", false, "problem remote hub: refused: Permission to hub denied to mara.")
	p.Git("config", "--unset", "brew.remote")
	p.Git("config", "--remove-section", "remote.hub")
	for _, ref := range strings.Fields(p.Git("for-each-ref", "--format=%(refname)", "refs/brew/remotes")) {
		p.Git("update-ref", "-d", ref)
	}
	p.finds("gone", false)
}

// S-24: a damaged archived task is named, and no other task is.
func TestDoctor_S24_archive(t *testing.T) {
	p, id := newPatient(t)
	if _, err := p.service().Work.Start(t.Context(), id, false, false); err != nil {
		t.Fatal(err)
	}
	if _, err := p.service().Work.Finish(t.Context(), id, app.FinishRequest{}); err != nil {
		t.Fatal(err)
	}
	if _, err := p.service().Archive.Archive(t.Context(), archive.ArchiveRequest{Tasks: []task.ID{id}}); err != nil {
		t.Fatal(err)
	}
	p.finds("sound", false)
	blob, err := gitstore.ParseOID(p.Git("rev-parse", string(ledger.ArchiveRef)+":"+string(id)+"/task.json"))
	if err != nil {
		t.Fatal(err)
	}
	p.Unchecked()
	path := filepath.Join(p.Dir, ".git", "objects", blob.String()[:2], blob.String()[2:])
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	p.finds("damaged", false, "problem "+string(ledger.ArchiveRef)+": "+string(id))
}

// What is trusted under a name that is not its own is told of.
func TestDoctor_trust(t *testing.T) {
	p, id := newPatient(t)
	if _, err := p.service("7f3a").Phases.AddPhase(t.Context(), id,
		phase.PhaseAddRequest{Title: "Find it", Verify: []string{"make"}}); err != nil {
		t.Fatal(err)
	}
	p.finds("waits", false, "remark trust: 1 setting or command of others waits for your trust")
	items, err := p.service().Trust.TrustList(t.Context())
	if err != nil || len(items) != 1 {
		t.Fatal(items, err)
	}
	if _, err := p.service().Trust.Trust(t.Context(), []string{items[0].Hash}); err != nil {
		t.Fatal(err)
	}
	p.finds("trusted", false)
}
