//go:build unix

package shellgate

import (
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
)

// drawn draws a command of a row whose program is real in the sandbox: options that
// it names with values that they take or not, doubled, abbreviated, glued, unknown,
// before and behind operands.
func drawn(seed uint64) string {
	r := rand.New(rand.NewPCG(seed, 1))
	pick := func(list []string) string { return list[r.IntN(len(list))] }
	rows := slices.DeleteFunc(allRows(), func(r namedRow) bool {
		return !has(realTools, strings.Fields(r.names[0])[0])
	})
	drawn := rows[r.IntN(len(rows))]
	words := []string{pick(drawn.names)}
	options := append(rowOptions(drawn.row), strings.Fields("-o -i -w -x -c -d -n -s -e -f -a -u -T -O -I -r -D -C -K -k "+
		"--output=out --output --in-place -h --help -- - -ofile -5 +1")...)
	operands := strings.Fields("f g out d a src/x.go d/x new list.txt data.csv HEAD main . ../x -delete @list.txt p " +
		"{print} .x s/a/b/w'\x20'out a.go 10 +%s x=y list show")
	for range 1 + r.IntN(6) {
		switch o := pick(options); r.IntN(6) {
		case 0, 1:
			words = append(words, o)
		case 2:
			words = append(words, o, pick(operands))
		case 3:
			words = append(words, o+pick([]string{"f", "=f", "=out", "new", "1"}))
		default:
			words = append(words, pick(operands))
		}
	}
	return strings.Join(words, " ") + pick([]string{"", " < f", " 2>/dev/null"})
}

// FuzzRows_BW7_realProgramsChangeNothing: a command of a row that passes, however its
// options stand, changes nothing when the real program runs it.
func FuzzRows_BW7_realProgramsChangeNothing(f *testing.F) {
	if _, err := os.Stat("/bin/bash"); err != nil {
		f.Skip("no bash")
	}
	for seed := range uint64(400) {
		f.Add(seed)
	}
	run := inSandboxes(f)
	f.Fuzz(func(t *testing.T, seed uint64) { run(t, drawn(seed)) })
}
