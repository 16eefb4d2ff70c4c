package ledger

import (
	"testing"

	"github.com/Masterminds/semver/v3"
	"pgregory.net/rapid"
)

// What is a format that we read, and what is newer than ours, Masterminds/semver
// says too: it costs a start too much to be in the program.
func TestSchema_asMasterminds(t *testing.T) {
	ours, err := semver.NewConstraint(Supported)
	if err != nil {
		t.Fatal(err)
	}
	writes := semver.MustParse(format)
	check := func(t interface{ Errorf(string, ...any) }, text string) {
		v, err := semver.StrictNewVersion(text)
		if got, want := CheckSchema(text) == nil, err == nil && ours.Check(v); got != want {
			t.Errorf("%q is read: %v, Masterminds/semver says %v", text, got, want)
		}
		state := []byte(`{"schema":"` + text + `"}`)
		if got, want := newerFormat(state) != nil, err == nil && v.GreaterThan(writes); got != want {
			t.Errorf("%q is newer: %v, Masterminds/semver says %v", text, got, want)
		}
	}
	for _, text := range []string{
		"", "1", "1.2", "v1.2.0", format, "1.0.0", "1.99.0", "2.0.0", "0.9.0", "01.0.0", "1.00.0", "1.2.0-rc.1", "1.3.0-rc.1", "1.2.0-01",
		"1.2.0+build", "1.2.1+build.5", "1.2.0-a+b", "1.2.0-", "1.2.0+", "1.2.0 ", " 1.2.0", "1.2.0.0", "-1.2.0", "1.2.x", "latest", "1.2.0-é",
	} {
		check(t, text)
	}
	rapid.Check(t, func(rt *rapid.T) {
		check(rt, rapid.StringMatching(`v?[0-3]{1,2}(\.[0-9]{1,2}){0,3}(-[0-9a-c.-]{0,6})?(\+[0-9a-c.-]{0,6})?`).Draw(rt, "version"))
	})
}
