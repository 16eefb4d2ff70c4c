package app_test

import (
	"context"
	"testing"

	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/gitstore/gitstoretest"
)

// A machine that is called something else in another network is the one it was;
// one without an id is told by its name.
func TestClone_isOfTheMachineNotItsName(t *testing.T) {
	ctx := context.Background()
	for machine, same := range map[string]bool{"a": true, "": false} {
		f := gitstoretest.New(t)
		if _, err := open(t, f, clone.Caller{User: "mara", Host: "laptop", Machine: machine}).Sessions.SwitchMode(ctx,
			"implementation"); err != nil {
			t.Fatal(err)
		}
		m, err := open(t, f, clone.Caller{User: "mara", Host: "laptop.fritz.box", Machine: machine}).Sessions.Mode(ctx)
		if err != nil || (m.Mode == clone.ModeImplementation) != same {
			t.Errorf("machine %q: %s, %v; the same clone: want %v", machine, m.Mode, err, same)
		}
	}
}
