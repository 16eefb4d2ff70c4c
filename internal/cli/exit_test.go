package cli

import "testing"

func TestOutcomes_neverExit2(t *testing.T) {
	for _, row := range outcomes() {
		if row.Code == 2 || row.Code == ExitDone || row.Kind == "" {
			t.Errorf("%+v", row)
		}
	}
}
