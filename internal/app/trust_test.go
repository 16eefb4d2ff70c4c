package app_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/git-brew/git-brew/internal/app"
	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/config"
	"github.com/git-brew/git-brew/internal/app/phase"
	"github.com/git-brew/git-brew/internal/gitstore/gitstoretest"
)

// Two contents that look alike when their parts are put together are two.
func TestContent_HashKeepsPartsApart(t *testing.T) {
	all := []clone.Content{
		{Kind: clone.TrustSetting, Key: "trigger", Text: []string{"yes"}},
		{Kind: clone.TrustSetting, Key: "trigger", Text: []string{"y", "es"}},
		{Kind: clone.TrustSetting, Key: "trigger", Text: []string{"ye", "s"}},
		{Kind: clone.TrustSetting, Key: "trigger", Text: []string{"yes", ""}},
		{Kind: clone.TrustSetting, Key: "triggery", Text: []string{"es"}},
		{Kind: clone.TrustCommand, Text: []string{"yes"}},
		{Kind: clone.TrustCommand, Text: []string{"setting", "trigger", "yes"}},
		{Kind: clone.TrustSetting, Key: "", Text: []string{"7:trigger3:yes"}},
	}
	seen := map[string]int{}
	for i, c := range all {
		if j, twice := seen[c.Hash()]; twice {
			t.Errorf("%+v and %+v have one hash", all[j], c)
		}
		seen[c.Hash()] = i
	}
}

// person is somebody at a clone: each call is another process of theirs, of an
// agent's session where one is named.
type person func(session ...string) *app.App

// two are two clones of one project, with a way to bring one's state over.
func two(t *testing.T) (jo, mara person, bring func()) {
	t.Helper()
	hub := gitstoretest.New(t)
	a, b := hub.Clone(), hub.Clone()
	of := func(f *gitstoretest.Fixture, name string) person {
		for _, role := range []string{"AUTHOR", "COMMITTER"} {
			f.Setenv("GIT_"+role+"_NAME", name)
			f.Setenv("GIT_"+role+"_EMAIL", strings.ToLower(name)+"@example.com")
		}
		return func(session ...string) *app.App {
			return open(t, f, clone.Caller{User: strings.ToLower(name), Host: "desk", Session: strings.Join(session, "")})
		}
	}
	return of(a, "Jo"), of(b, "Mara"), func() {
		a.Git("push", "-q", "origin", "refs/brew/tasks/*:refs/brew/tasks/*", "refs/brew/config:refs/brew/config")
		b.Git("fetch", "-q", "origin", "refs/brew/tasks/*:refs/brew/tasks/*", "refs/brew/config:refs/brew/config")
	}
}

// What somebody else set for everybody is in force here once the person here
// trusted that very value; who set it has it in force at once.
func TestTrust_sharedSettingWaits(t *testing.T) {
	ctx := context.Background()
	jo, mara, bring := two(t)
	times := 0
	set := func(value ...string) {
		t.Helper()
		times++
		if err := jo().Config.ConfigSet(ctx, "trigger", value, true); err != nil {
			t.Fatal(err)
		}
		if v, err := jo().Config.ConfigGet(ctx, "trigger"); err != nil || v.From != "shared" || v.Waiting != nil {
			t.Fatalf("who set it has %+v, %v", v, err)
		}
		if _, err := jo().Tasks.Create(ctx, app.CreateRequest{
			Title:    fmt.Sprint("Task ", times),
			NoSwitch: true,
		}); err != nil {
			t.Fatal(err)
		}
		bring()
	}
	want := func(when, from string, waits int) config.SettingValue {
		t.Helper()
		v, err := mara().Config.ConfigGet(ctx, "trigger")
		if err != nil || v.From != from || (v.Waiting != nil) != (waits > 0) {
			t.Errorf("%s: %+v, %v; want it from %s, %d waiting", when, v, err, from, waits)
		}
		if n, err := mara().Trust.Untrusted(ctx); err != nil || n != waits {
			t.Errorf("%s: %d wait, %v; want %d", when, n, err, waits)
		}
		return v
	}
	set("go", "los")
	fetched := want("fetched", "default", 1)
	items, err := mara().Trust.TrustList(ctx)
	if err != nil || len(items) != 1 || items[0].Trusted || items[0].Author != "Jo <jo@example.com>" ||
		items[0].Hash != fetched.Waiting.Hash ||
		!slices.Equal(items[0].Text, []string{"go", "los"}) {
		t.Fatalf("list: %+v, %v", items, err)
	}
	if _, err := mara().Trust.Trust(ctx, []string{items[0].Hash[:12]}); err != nil {
		t.Fatal(err)
	}
	if v := want("trusted", "shared", 0); !slices.Equal(v.Values, []string{"go", "los"}) {
		t.Errorf("trusted: %q", v.Values)
	}
	set("go", "los", "yes")
	want("changed", "default", 1)
	set("go", "los")
	want("changed back", "shared", 0)
	if _, err := mara().Trust.Distrust(ctx, []string{items[0].Hash}); err != nil {
		t.Fatal(err)
	}
	want("taken back", "default", 1)
	// One's own setting goes before it: nothing waits for an answer.
	if err := mara().Config.ConfigSet(ctx, "trigger", []string{"mine"}, false); err != nil {
		t.Fatal(err)
	}
	want("own", "git", 0)
}

// A command that verifies a phase is trusted where a person wrote it, not where
// an agent did, nor on another machine.
func TestTrust_commandsOfPhases(t *testing.T) {
	ctx := context.Background()
	jo, mara, bring := two(t)
	made, err := jo().Tasks.Create(ctx, app.CreateRequest{Title: "Fix login", NoSwitch: true})
	if err != nil {
		t.Fatal(err)
	}
	if err := jo().Config.ConfigSet(ctx, "stop.limit", []string{"3"}, true); err != nil {
		t.Fatal(err)
	}
	add := func(s *app.App, command string) clone.Content {
		t.Helper()
		if _, err := s.Phases.AddPhase(ctx, made.Task.ID,
			phase.PhaseAddRequest{Title: command, Verify: []string{command}}); err != nil {
			t.Fatal(err)
		}
		return clone.Content{Kind: clone.TrustCommand, Text: []string{command}}
	}
	mine := add(jo(), "make test")
	agents := add(jo("7f3a"), "make all")
	for c, want := range map[*clone.Content]bool{&mine: true, &agents: false} {
		if got, err := jo().Clone.Trusted(ctx, *c); err != nil || got != want {
			t.Errorf("%s: trusted is %v, %v", c.Text, got, err)
		}
	}
	bring()
	if n, err := mara().Trust.Untrusted(ctx); err != nil || n != 2 {
		t.Errorf("%d wait elsewhere, %v; want 2", n, err)
	}
	items, err := mara().Trust.TrustList(ctx)
	if err != nil || len(items) != 2 || items[0].Author != "Jo <jo@example.com>" ||
		!slices.Equal(items[0].Where, []string{"fix-login, phase 2"}) {
		t.Errorf("list: %+v, %v", items, err)
	}
	if _, err := mara("7f3a").Trust.Trust(ctx, []string{items[0].Hash}); !isRefused(err) {
		t.Errorf("an agent trusts: %v", err)
	}
	if _, err := mara("7f3a").Trust.Distrust(ctx, []string{items[0].Hash}); !isRefused(err) {
		t.Errorf("an agent takes trust back: %v", err)
	}
	if got, err := mara().Trust.Trust(ctx, []string{items[0].Hash}); err != nil || len(got) != 1 ||
		got[0].Hash != items[0].Hash {
		t.Errorf("one of two: %+v, %v", got, err)
	}
	if n, err := mara().Trust.Untrusted(ctx); err != nil || n != 1 {
		t.Errorf("%d wait, %v; want the other", n, err)
	}
	if _, err := mara().Trust.Trust(ctx, []string{items[1].Hash[:11]}); err == nil {
		t.Error("11 digits are enough")
	}
	if _, err := mara().Trust.Trust(ctx, []string{items[1].Hash[:12]}); err != nil {
		t.Error(err)
	}
	if got, err := mara().Clone.Trusted(ctx, mine); err != nil || !got {
		t.Errorf("trusted is %v, %v", got, err)
	}
	if n, err := mara().Trust.Untrusted(ctx); err != nil || n != 0 {
		t.Errorf("%d wait, %v; want none", n, err)
	}
}

// A list of stories that a person hands over brings its commands along.
func TestTrust_aPersonsPRD(t *testing.T) {
	ctx := context.Background()
	f := gitstoretest.New(t)
	prd := []byte(`{"featureName":"Login","tasks":[{"id":"US-1","title":"Form","verification":["npm test",{"type":"unit","cmd":"npm run unit"}]}]}`)
	for session, waiting := range map[string]int{"": 0, "7f3a": 2} {
		f := f.Clone()
		s := open(t, f, clone.Caller{User: "mara", Host: "laptop", Session: session})
		if _, err := s.Tasks.Create(ctx, app.CreateRequest{Title: "Login", PRD: prd, NoSwitch: true}); err != nil {
			t.Fatal(err)
		}
		if n, err := s.Trust.Untrusted(ctx); err != nil || n != waiting {
			t.Errorf("session %q: %d wait, %v; want %d", session, n, err, waiting)
		}
	}
}

// A copied directory is another clone: it trusts nothing, and neither does one
// whose record can't be read.
func TestTrust_isThisClonesAlone(t *testing.T) {
	ctx := context.Background()
	f := gitstoretest.New(t)
	s := open(t, f, clone.Caller{User: "mara", Host: "laptop"})
	if err := s.Config.ConfigSet(ctx, "gate", []string{"off"}, true); err != nil {
		t.Fatal(err)
	}
	copied := filepath.Join(f.Root, "copy")
	if err := os.CopyFS(copied, os.DirFS(f.Dir)); err != nil {
		t.Fatal(err)
	}
	if got, err := open(t, f.In(copied), clone.Caller{User: "mara", Host: "laptop"}).Config.ConfigGet(ctx,
		"gate"); err != nil || got.From != "default" {
		t.Errorf("a copy has %+v, %v", got, err)
	}
	f.Unchecked()
	f.Write(".git/"+cloneRef(f), strings.Repeat("1", 40)+"\n")
	if got, err := open(t, f, clone.Caller{User: "mara", Host: "laptop"}).Config.ConfigGet(ctx, "gate"); err != nil ||
		got.From != "default" {
		t.Errorf("without its record: %+v, %v", got, err)
	}
	items, err := open(t, f, clone.Caller{User: "mara", Host: "laptop"}).Trust.TrustList(ctx)
	if err != nil || len(items) != 1 || items[0].Trusted {
		t.Fatalf("without its record: %+v, %v", items, err)
	}
	if _, err := open(t, f, clone.Caller{User: "mara", Host: "laptop"}).Trust.Trust(ctx,
		[]string{items[0].Hash}); err != nil {
		t.Errorf("without its record: %v", err)
	}
	if got, err := open(t, f, clone.Caller{User: "mara", Host: "laptop"}).Config.ConfigGet(ctx, "gate"); err != nil ||
		got.From != "shared" {
		t.Errorf("trusted again: %+v, %v", got, err)
	}
}
