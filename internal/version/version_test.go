package version

import (
	"strings"
	"testing"

	"github.com/Masterminds/semver/v3"
)

// The library that most programs read such ranges with says the same of all of them.
func TestParseRange(t *testing.T) {
	var versions []string
	for _, major := range []string{"0", "1", "2", "3"} {
		for _, minor := range []string{"0", "1", "2", "4"} {
			for _, patch := range []string{"0", "3", "4"} {
				versions = append(versions, major+"."+minor+"."+patch)
			}
		}
	}
	ranges := []string{
		"*", "x", "1.x.x", "1 || 2.*", ">= 1.4, < 3", ">=1.4 <3", "~2.1 || 3.x", ">= 1.4.3 != 2.1.3, !=2.2", "v1.2.3",
		"1.2.3, 2", ">1 <= 2.x",
	}
	for _, operator := range []string{"", "=", "!=", "<", "<=", ">", ">=", "~", "^"} {
		for _, of := range []string{"0", "0.0", "0.0.3", "0.2", "0.2.3", "1", "1.0", "1.4.0", "2.1", "2.x", "2.1.4"} {
			ranges = append(ranges, operator+of, operator+" "+of)
		}
	}
	for _, text := range ranges {
		of, ok := ParseRange(text)
		theirs, err := semver.NewConstraint(text)
		if !ok || err != nil {
			t.Errorf("%q: %t, %v", text, ok, err)
			continue
		}
		for _, word := range versions {
			v, ok := Parse(word)
			if want := theirs.Check(semver.MustParse(word)); !ok || of.Has(v) != want {
				t.Errorf("%s in %q: want %t", word, text, want)
			}
		}
	}
}

func TestParseRange_refuses(t *testing.T) {
	for _, text := range []string{
		"", " ", "latest", "1 ||", "|| 1", ">=", "> *", "1.2.3.4", "1.a", "01", "1..2", "<>1", "=>1", "1.2 - 1.4", "1-rc.1",
		"1.x.3", "1+b", "99999999999999999999", "+1",
	} {
		if r, ok := ParseRange(text); ok {
			t.Errorf("%q: %v", text, r)
		}
	}
}

func TestParse(t *testing.T) {
	for text, want := range map[string]string{
		"1.2.3": "1.2.3", "v1.2": "1.2.0", "2": "2.0.0", "1.2.3-rc.1": "1.2.3-rc.1", "1.2.3+b.5": "1.2.3",
		"1.0-a+b": "1.0.0-a",
	} {
		if v, ok := Parse(text); !ok || v.String() != want {
			t.Errorf("%q: %v, %t", text, v, ok)
		}
	}
	for _, text := range []string{"", "v", "x", "1.2.3.4", "01.2.3", "1.2.3-", "1.2.3-a..b", "1.2.3+", "1.2.3-ä", " 1",
		"devel"} {
		if v, ok := Parse(text); ok {
			t.Errorf("%q: %v", text, v)
		}
	}
	if rc, _ := Parse("1.1.0-rc.1"); (Range{{}}).Has(rc) {
		t.Error("what is not released is in a range")
	}
}

func TestVersion_newer(t *testing.T) {
	order := strings.Fields("0.9.9 1.0.0-rc.1 1.0.0 1.0.1 1.1.0-rc.1 1.1.0 2.0.0")
	for i, a := range order {
		for k, b := range order {
			va, _ := Parse(a)
			vb, _ := Parse(b)
			if va.Newer(vb) != (i > k) {
				t.Errorf("%s newer than %s: %t", a, b, va.Newer(vb))
			}
		}
	}
}
