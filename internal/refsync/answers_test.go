package refsync

import (
	"errors"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// recorded is what a server was recorded to answer; see testdata/answers.
type recorded struct {
	server, command, want, said string
	stdout, stderr              string
}

func readAnswer(t *testing.T, path string) recorded {
	t.Helper()
	archive, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var r recorded
	for line := range strings.Lines(string(archive.Comment)) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), ":")
		value = strings.TrimSpace(value)
		switch key {
		case "server":
			r.server = value
		case "command":
			r.command = value
		case "want":
			r.want = value
		case "said":
			r.said = value
		}
	}
	for _, file := range archive.Files {
		switch file.Name {
		case "stdout":
			r.stdout = string(file.Data)
		case "stderr":
			r.stderr = string(file.Data)
		}
	}
	if r.server == "" || r.want == "" {
		t.Fatalf("%s says neither which server it was nor what is wanted", path)
	}
	return r
}

// meant is what is made of an answer, in the words of the files, and the line that is
// told of it. A refusal of a ref may be one of its name, or of what it hides: that is
// told by what else the remote takes, not by its words.
func (r recorded) meant() (meant, told string) {
	remote := Remote{Name: "origin"}
	all := replies(r.stdout)
	refused := slices.ContainsFunc(slices.Collect(maps.Values(all)), func(one reply) bool { return one.answer == Refused })
	for to, reply := range all {
		if refused && reply.answer != Refused {
			continue // the others went
		}
		deletes := strings.Contains(r.stdout, "\t:"+string(to)) || strings.Contains(r.stdout, "\t(delete):"+string(to))
		switch reply.answer {
		case Pushed:
			return "pushed", ""
		case UpToDate:
			return "up-to-date", ""
		case Moved:
			if occupied(r.stderr, to) != "" {
				return "refused", remote.refused(reply.reason, r.stderr).Said
			}
			return "moved", remote.refused(reply.reason, r.stderr).Said
		case Refused:
			failure := remote.refused(reply.reason, r.stderr)
			switch {
			case deletes:
				return "deletion", failure.Said
			case failure.Why == WhyUnknown:
				return "refused", failure.Said
			}
			return string(failure.Why), failure.Said
		case Unknown:
		}
	}
	if r.stderr == "" {
		return "", ""
	}
	failure := remote.failure(r.stderr)
	switch {
	case errors.Is(failure, ErrRefused) && failure.Why == WhyUnknown:
		return "refused", failure.Said
	case errors.Is(failure, ErrRefused):
		return string(failure.Why), failure.Said
	case gone(r.stderr):
		return "gone", failure.Said
	}
	return "broken", failure.Said
}

// S-33: what the servers that people have were recorded to answer is taken for what it
// means, and the line that a person is told says why.
func TestAnswers_S33_recorded(t *testing.T) {
	files, err := filepath.Glob("testdata/answers/*.txtar")
	if err != nil || len(files) < 80 {
		t.Fatalf("%d answers, %v", len(files), err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			r := readAnswer(t, file)
			if r.command == "fetch" || r.command == "ls-remote" {
				if r.stderr == "" {
					return // shows nothing, and says nothing: see TestRun_S33_hiddenFromFetches
				}
			}
			want := r.want
			if want == "name" || want == "hidden" {
				want = "refused"
			}
			meant, told := r.meant()
			if meant != want {
				t.Errorf("%s: taken for %q, not %q: %s", r.server, meant, want, told)
			}
			if plain := printable(r.said); meant != "pushed" && !strings.Contains(told, strings.TrimPrefix(plain, "FATAL: ")) {
				t.Errorf("%s: told %q, not %q", r.server, told, plain)
			}
		})
	}
}
