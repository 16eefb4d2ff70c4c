package config

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// Ceiling is what something may take of money, time and turns, each 0 where nothing bounds it.
type Ceiling struct {
	USD   float64
	Time  time.Duration
	Turns int
}

// OfPhase is whose each phase's ceiling is.
const OfPhase = "phase"

// ceilingOf are the words after which ceilings are not the run's own.
func ceilingOf() []string { return []string{OfPhase, "junior", "senior", "executive"} }

// Ceilings are those of a run, by whose they are: "" for its own, OfPhase, or a tier.
func (o *Settings) Ceilings() map[string]Ceiling {
	all := map[string]Ceiling{}
	for _, row := range AllSettings() {
		if row.Kind == budgetValue || row.Kind == limitValue {
			_ = row.readCeilings(o.Text(row.Key), all)
		}
	}
	return all
}

// readCeilings adds the ceilings that a value sets: first those of the run, then, after a word,
// those of each phase or of a tier. It reports whether that is all that the value says.
func (r Setting) readCeilings(value string, all map[string]Ceiling) bool {
	of, whole := "", false
	for word := range strings.FieldsSeq(value) {
		if slices.Contains(ceilingOf(), word) {
			if of != "" && !whole {
				return false
			}
			of, whole = word, false
			continue
		}
		c := all[of]
		if whole = r.readCeiling(word, &c); !whole {
			return false
		}
		all[of] = c
	}
	return whole
}

const maxTurns = 100_000

// readCeiling reads dollars, or a time, or turns. It reports whether they are within their bounds.
func (r Setting) readCeiling(word string, c *Ceiling) bool {
	if r.Kind == budgetValue {
		n, err := strconv.ParseFloat(word, 64)
		c.USD = n
		return err == nil && n >= amount(r.Least) && n <= amount(r.Most)
	}
	if text, turns := strings.CutSuffix(word, "turns"); turns {
		n, err := strconv.Atoi(text)
		c.Turns = n
		return err == nil && n > 0 && n <= maxTurns
	}
	d, err := ParsePeriod(word)
	c.Time = d
	return err == nil && d >= mustPeriod(r.Least) && d <= mustPeriod(r.Most)
}
