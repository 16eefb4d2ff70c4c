package app

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/app/exchange"
	"github.com/git-brew/git-brew/internal/gitstore/gitstoretest"
)

// Who waits for another sync of the clone is told whose it is, and who gave up as
// well; a record that is not of who holds the lock now names nobody.
func TestSync_tellsWhoIsAtIt(t *testing.T) {
	hub := gitstoretest.New(t).Clone("--bare")
	f := hub.Clone()
	var told []string
	as := func(pid int) *App {
		return New(Options{
			Repo: f.Open(), Now: time.Now, Caller: clone.Caller{User: "mara", Host: "laptop", Terminal: true, PID: pid},
			Waits: func(what string) func() { told = append(told, what); return func() {} },
		})
	}
	if _, err := as(os.Getpid()).Exchange.Sync(t.Context(), exchange.SyncRequest{}); err != nil || len(told) > 0 {
		t.Fatalf("alone: %v; told %q", err, told)
	}
	f.Git("config", "brew.sync.timeout", "1s")
	ended := exec.CommandContext(t.Context(), "git", "version")
	if err := ended.Run(); err != nil {
		t.Fatal(err)
	}
	first := as(os.Getpid())
	named := fmt.Sprintf(`another sync with "origin" (process %d, since `, os.Getpid())
	record := filepath.Join(first.Clone.Repo.CacheDir(), exchange.SyncNow)
	for _, c := range []struct{ name, record, by string }{
		{"it is alive", "", named},
		{"a record of one that died", fmt.Sprintf(`{"pid":%d,"host":"laptop","remote":"origin","since":"2026-03-01T12:00:00Z"}`, ended.Process.Pid), "another sync is"},
		{"a record of another machine", fmt.Sprintf(`{"pid":%d,"host":"desk","remote":"origin","since":"2026-03-01T12:00:00Z"}`, os.Getpid()), "another sync is"},
		{"no record", "{", "another sync is"},
	} {
		t.Run(c.name, func(t *testing.T) {
			told = nil
			err := first.Clone.Repo.Exclusive(t.Context(), clone.SyncLock, 10*time.Second, func() error {
				defer first.Exchange.HoldSync("origin")()
				if c.record != "" {
					if err := os.WriteFile(record, []byte(c.record), 0o666); err != nil {
						t.Fatal(err)
					}
				}
				_, err := as(1).Exchange.Sync(t.Context(), exchange.SyncRequest{})
				return err
			})
			var busy *exchange.SyncBusyError
			if !errors.As(err, &busy) || !strings.HasPrefix(err.Error(), "origin was not asked: "+c.by) {
				t.Errorf("it ended with %v", err)
			}
			if len(told) != 1 || !strings.HasPrefix(told[0]+" is", "waiting for "+c.by) {
				t.Errorf("it was told %q", told)
			}
		})
	}
	if _, err := os.Stat(record); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the record stays: %v", err)
	}
	if _, err := as(1).Exchange.Sync(t.Context(), exchange.SyncRequest{}); err != nil {
		t.Errorf("afterwards: %v", err)
	}
}
