package task

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"
)

func TestSlugify(t *testing.T) {
	t.Parallel()
	for title, want := range map[string]string{
		"Add JWT auth":               "add-jwt-auth",
		"  Fix: the `login` page!  ": "fix-the-login-page",
		"Don't panic":                "dont-panic",
		"Größe ändern für Łódź":      "grosse-andern-fur-lodz",
		"e\u0301te\u0301":            "ete",
		"v1.2..3 release.lock":       "v1.2.3-release",
		"a.lock.lock":                "a",
		".hidden/../../x":            "hidden-x",
		"snake_case_2":               "snake_case_2",
		strings.Repeat("word ", 30):  strings.TrimSuffix(strings.Repeat("word-", 12), "-"),
		"-":                          "task-" + "4c0c8a6e",
	} {
		got, err := Slugify(title)
		if title == "-" {
			want = got // any, but valid
		}
		if err != nil || got != want || !validSlug(got) {
			t.Errorf("Slugify(%q) = %q, %v; want %q", title, got, err, want)
		}
	}
	a, _ := Slugify("日本語のタイトル")
	b, _ := Slugify("日本語の題名")
	again, _ := Slugify("日本語のタイトル")
	if a == b || a != again || !validSlug(a) {
		t.Errorf("%q and %q", a, b)
	}
	for _, bad := range []string{"", "  \t", "a\nb", "a\x1b[31mb", strings.Repeat("x", MaxTitle+1), "\xff"} {
		if got, err := Slugify(bad); err == nil {
			t.Errorf("Slugify(%q) = %q", bad, got)
		}
	}
}

func FuzzSlugify(f *testing.F) {
	for _, s := range []string{"Add JWT auth", "..", "a.lock", "日本語", "ÀÉ", "@{u}", "-x", "HEAD", "a/../b"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, title string) {
		slug, err := Slugify(title)
		if err != nil {
			return
		}
		if again, err := Slugify(slug); err != nil || again != slug {
			t.Fatalf("%q gives %q, that gives %q (%v)", title, slug, again, err)
		}
		id, err := NewID(slug, bytes.NewReader([]byte("randomness")))
		if err != nil {
			t.Fatal(err)
		}
		if parsed, err := ParseID(string(id)); err != nil || parsed != id || id.Slug() != slug {
			t.Fatalf("%q: %v", id, err)
		}
		if !validBranch("feature/"+slug) || !validBranch(slug) {
			t.Fatalf("%q is no branch", slug)
		}
	})
}

func TestParseID(t *testing.T) {
	t.Parallel()
	for _, bad := range []string{
		"", "-k3v9q2m", "add-jwt", "Add-k3v9q2m", "../x-k3v9q2m", "a..b-k3v9q2m", "a.lock-k3v9q2m", "a/b-k3v9q2m",
		"add-k3v9q2M", "add-k3v9q\x002", strings.Repeat("a", 65) + "-k3v9q2m",
	} {
		if id, err := ParseID(bad); !errors.Is(err, ErrInvalidID) {
			t.Errorf("ParseID(%q) = %q, %v", bad, id, err)
		}
	}
	if _, err := NewID("add", strings.NewReader("x")); err == nil {
		t.Error("too little randomness was enough")
	}
}

func TestMatch(t *testing.T) {
	t.Parallel()
	ids := []ID{"add-jwt-k3v9q2m", "add-jwt-auth-aaaaaaa", "fix-login-bbbbbbb", "fix-login-ccccccc", "add-bbbbbbb"}
	for arg, want := range map[string]ID{
		"add-jwt-k3v9q2m": "add-jwt-k3v9q2m", // exact
		"add-jwt":         "add-jwt-k3v9q2m", // a slug wins over a prefix
		"add-jwt-a":       "add-jwt-auth-aaaaaaa",
		"add":             "add-bbbbbbb",
		"fix-login-b":     "fix-login-bbbbbbb",
	} {
		if got, err := Match(ids, arg); err != nil || got != want {
			t.Errorf("Match(%q) = %q, %v; want %q", arg, got, err, want)
		}
	}
	_, err := Match(ids, "fix-login")
	var ambiguous *AmbiguousError
	if !errors.As(err, &ambiguous) || !errors.Is(err, ErrAmbiguous) ||
		!slices.Equal(ambiguous.Candidates, []ID{"fix-login-bbbbbbb", "fix-login-ccccccc"}) {
		t.Errorf("%v", err)
	}
	for _, arg := range []string{"", "nope", "login"} {
		if got, err := Match(ids, arg); !errors.Is(err, ErrNoTask) {
			t.Errorf("Match(%q) = %q, %v", arg, got, err)
		}
	}
}

// Collision 6, 8, 10: the words of the four systems.
func TestParseWords_collision6(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]Status{
		"in progress": InProgress, "in-progress": InProgress, "In_Progress": InProgress, "active": InProgress,
		"done": Finished, "completed": Finished, "complete": Finished, "canceled": Cancelled, "error": Failed,
		"handoff": Paused, "blocked": Paused,
	} {
		if got, err := ParseStatus(in); err != nil || got != want {
			t.Errorf("ParseStatus(%q) = %q, %v", in, got, err)
		}
	}
	if got, err := ParseStage("plan"); err != nil || got != StagePlan {
		t.Errorf("%q, %v", got, err)
	}
	if got, err := ParseTier("sous chef"); err != nil || got != TierSenior {
		t.Errorf("%q, %v", got, err)
	}
	if got, err := ParsePhaseKind("V"); err != nil || got != KindVerification {
		t.Errorf("%q, %v", got, err)
	}
	var refusal *RefusedError
	if _, err := ParseStatus("\x1b[2Jnope"); !errors.As(err, &refusal) || strings.Contains(err.Error(), "\x1b") ||
		refusal.Hint == "" {
		t.Errorf("%v", err)
	}
}

func TestValidBranch(t *testing.T) {
	t.Parallel()
	for _, ok := range []string{"main", "feature/add-jwt", "a.b", "größe", "a@b"} {
		if !validBranch(ok) {
			t.Errorf("%q refused", ok)
		}
	}
	for _, bad := range []string{
		"", "-x", "a b", "a..b", "a.lock", "x/a.lock/b", "a/", "/a", "a//b", ".a", "x/.a", "a.", "a~1", "a^", "a:b", "a?",
		"a*", "a[", "a\\b",
		"a@{b", "@", "HEAD", "a\x7fb", "a\nb", strings.Repeat("x", 300), "\xff",
	} {
		if validBranch(bad) {
			t.Errorf("%q taken", bad)
		}
	}
}
