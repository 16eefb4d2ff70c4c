package ledger

import (
	"flag"
	"fmt"
	"os"
	"testing"

	"github.com/git-brew/git-brew/internal/gitstore/gitstoretest"
)

// racedChecks is how many histories a property is tried on under the race
// detector: they are made of real repositories, and make torture tries it on
// thousands.
const racedChecks = "30"

func TestMain(m *testing.M) {
	gitstoretest.InMemory()
	if raced { // before the command line is read, which goes over it
		if err := flag.Set("rapid.checks", racedChecks); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
	os.Exit(m.Run())
}
