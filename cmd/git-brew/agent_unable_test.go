package main

import "testing"

func TestTooOld_BW36(t *testing.T) {
	for version, want := range map[string]bool{
		"2.11.0": true, "2.29.9": true, "1.9": true,
		"2.30.0": false, "2.39.5 (Apple Git-154)": false, "2.50.1.windows.1": false, "3.0.0-rc1": false,
		"": false, "2": false, "x.y": false,
	} {
		if got := tooOld(version); got != want {
			t.Errorf("%q: %v", version, got)
		}
	}
}
