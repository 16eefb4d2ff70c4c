package ui

import "testing"

func TestBars_BW34(t *testing.T) {
	for _, c := range []struct {
		bars        Bars
		value, most float64
		want        string
	}{
		{Bars{Width: 4}, 8, 8, "████"},
		{Bars{Width: 4}, 3, 8, "█▌"},
		{Bars{Width: 4}, 9, 8, "████"},
		{Bars{Width: 4}, 0.001, 8, "▏"},
		{Bars{Width: 4}, 7.9, 8, "████"},
		{Bars{Width: 4}, 0, 8, ""},
		{Bars{Width: 4}, 1, 0, ""},
		{Bars{Width: 4, Plain: true}, 3, 8, "##"},
		{Bars{Width: 4, Plain: true}, 0.001, 8, "#"},
		{Bars{Width: -1}, 1, 1, ""},
	} {
		if got := c.bars.Bar(c.value, c.most); got != c.want {
			t.Errorf("%+v.Bar(%v, %v) = %q, want %q", c.bars, c.value, c.most, got, c.want)
		}
	}
}

func TestUnicodeWanted(t *testing.T) {
	for _, c := range []struct {
		locales []string
		want    bool
	}{
		{[]string{"", "", "de_DE.UTF-8"}, true},
		{[]string{"C", "", "de_DE.UTF-8"}, false},
		{[]string{"", "C.utf8", "C"}, true},
		{[]string{"", "", "POSIX"}, false},
		{nil, false},
	} {
		if got := UnicodeWanted(c.locales...); got != c.want {
			t.Errorf("UnicodeWanted(%q) = %v", c.locales, got)
		}
	}
}
