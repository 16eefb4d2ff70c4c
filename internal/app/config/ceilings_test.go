package config

import (
	"maps"
	"testing"
	"time"
)

// BR-9: what each value of run.budget and run.limit allows to whom; nil: it is none.
func TestCeilings_BR9(t *testing.T) {
	type ceilings = map[string]Ceiling
	for _, c := range []struct {
		key   Key
		value string
		want  ceilings
	}{
		{KeyRunBudget, "20", ceilings{"": {USD: 20}}},
		{KeyRunBudget, "0.5 phase 3 junior 5", ceilings{"": {USD: 0.5}, OfPhase: {USD: 3}, "junior": {USD: 5}}},
		{KeyRunBudget, "executive 1e2", ceilings{"executive": {USD: 100}}},
		{KeyRunLimit, "30d 12turns", ceilings{"": {Time: 720 * time.Hour, Turns: 12}}},
		{KeyRunLimit, "phase 9turns 90m senior 1h", ceilings{
			OfPhase: {Time: 90 * time.Minute, Turns: 9}, "senior": {Time: time.Hour},
		}},
		{KeyRunLimit, "never", ceilings{}},
		{KeyRunBudget, "NaN", nil},
		{KeyRunBudget, "Inf", nil},
		{KeyRunBudget, "-1", nil},
		{KeyRunBudget, "20 phase", nil},
		{KeyRunBudget, "phase phase 3", nil},
		{KeyRunBudget, "20h", nil},
		{KeyRunBudget, " ", nil},
		{KeyRunLimit, "turns", nil},
		{KeyRunLimit, "-3turns", nil},
		{KeyRunLimit, "31d", nil},
		{KeyRunLimit, "phase never", nil},
	} {
		row, err := LookupSetting(string(c.key))
		if err != nil {
			t.Fatal(err)
		}
		if err := row.Validate(c.value); (err == nil) != (c.want != nil) {
			t.Errorf("%s %q: %v", c.key, c.value, err)
			continue
		}
		all := Settings{values: map[Key][]string{c.key: {c.value}}}
		if got := all.Ceilings(); c.want != nil && !maps.Equal(got, c.want) {
			t.Errorf("%s %q is %v, not %v", c.key, c.value, got, c.want)
		}
	}
}
