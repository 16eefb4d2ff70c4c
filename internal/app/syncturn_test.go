package app

import (
	"errors"
	"os"
	"testing"
	"time"

	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/exchange"
	"github.com/git-brew/git-brew/internal/gitstore/gitstoretest"
)

// Who waits for another sync of the clone is told so, and who gave up as well.
func TestSync_tellsThatAnotherIsAtIt(t *testing.T) {
	hub := gitstoretest.New(t).Clone("--bare")
	f := hub.Clone()
	var told []string
	s := New(Options{
		Repo: f.Open(), Now: time.Now,
		Caller: clone.Caller{User: "mara", Host: "laptop", Terminal: true, PID: os.Getpid()},
		Waits:  func(what string) func() { told = append(told, what); return func() {} },
	})
	if _, err := s.Exchange.Sync(t.Context(), exchange.SyncRequest{}); err != nil || len(told) > 0 {
		t.Fatalf("alone: %v; told %q", err, told)
	}
	f.Git("config", "brew.sync.timeout", "1s")
	err := s.Clone.Repo.Exclusive(t.Context(), clone.SyncLock, 10*time.Second, func() error {
		_, err := s.Exchange.Sync(t.Context(), exchange.SyncRequest{})
		return err
	})
	var busy *exchange.SyncBusyError
	if !errors.As(err, &busy) || err.Error() != "origin was not asked: another sync of this clone is still under way" {
		t.Errorf("it ended with %v", err)
	}
	if len(told) != 1 || told[0] != "waiting for another sync of this clone" {
		t.Errorf("it was told %q", told)
	}
	if _, err := s.Exchange.Sync(t.Context(), exchange.SyncRequest{}); err != nil {
		t.Errorf("afterwards: %v", err)
	}
}
