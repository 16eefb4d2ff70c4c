package worker

import (
	"slices"
	"strings"
)

// Signal is how a worker says that its turn ended.
type Signal string

// The signals. None: it said nothing, and has to go on.
const (
	None        Signal = ""
	Complete    Signal = "COMPLETE"
	AlreadyDone Signal = "ALREADY_DONE" // earlier work did it
	AbsorbedBy  Signal = "ABSORBED_BY"  // the work of another phase did it
	Blocked     Signal = "BLOCKED"      // it can't go on
)

// Verdict is what a reviewer says of work, or who decides on it.
type Verdict string

// The verdicts: of a review, of a phase that would fail, of the work as a whole.
const (
	Pass Verdict = "PASS"
	Fail Verdict = "FAIL"

	Retry Verdict = "RETRY"
	Skip  Verdict = "SKIP"

	OnTrack   Verdict = "ON_TRACK"
	Concerns  Verdict = "CONCERNS"
	Remediate Verdict = "REMEDIATE" // the stories that it names are to be added
)

var verdicts = []Verdict{Fail, Pass, Skip, Retry, OnTrack, Concerns, Remediate}

// precedence is which of several signals counts: the first one here.
var precedence = []Signal{Complete, AlreadyDone, AbsorbedBy, Blocked}

// Said is what a worker said beside its work.
type Said struct {
	Signal Signal
	// Verdict is a reviewer's; "": there is none.
	Verdict Verdict
	// Absorber is the id of the phase that AbsorbedBy names.
	Absorber string
	// Learnings are for everybody who works on the task, Backlog is work beyond it.
	Learnings, Backlog []string
	// Stories are work that is missing, a title in the first line, and criteria below it.
	Stories []string
}

const (
	maxNotes = 20   // learnings, and items of the backlog, that count
	maxNote  = 2000 // bytes of one
)

// ReadSaid reads the signals in what a model wrote. A signal counts where a line ends with
// it; one inside of code, as where a worker repeats what it was told, does not. A tag that
// does not end is none, nor is a fence, such as the end of one whose beginning was cut off. What
// a signal says is proved; what a verdict says is not, so that is the last line, and what a
// reviewer quotes, or takes back, is none.
func ReadSaid(text string) Said {
	said := Said{Verdict: verdictAtEnd(text)}
	outside, open := withoutCode(text)
	if v := verdictAtEnd(outside); v != said.Verdict {
		said.Verdict = ""
	}
	text = outside + open
	found := map[Signal]string{}
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "<promise>"+string(Fail)+"</promise>") && (said.Verdict == "" || said.Verdict == Pass) {
			said.Verdict = Fail // a PASS beside it is not clear
		}
		line, ends := strings.CutSuffix(strings.TrimSpace(line), "</promise>")
		at := strings.LastIndex(line, "<promise>")
		if !ends || at < 0 {
			continue
		}
		name, of, _ := strings.Cut(strings.TrimSpace(line[at+len("<promise>"):]), ":")
		if signal := Signal(name); slices.Contains(precedence, signal) && (of != "") == (signal == AbsorbedBy) {
			found[signal] = strings.TrimSpace(of)
		}
	}
	for _, signal := range precedence {
		if of, ok := found[signal]; ok {
			said.Signal, said.Absorber = signal, of
			break
		}
	}
	said.Learnings, said.Backlog, said.Stories = notes(text, "learning"), notes(text, "backlog"), notes(text, "story")
	return said
}

// verdictAtEnd is the verdict that the last line of a text is, from its first byte on, but for
// empty ones and notes; "" for another line.
func verdictAtEnd(text string) Verdict {
	text = strings.TrimRight(WithoutNotes(text), " \t\r\n")
	name, begins := strings.CutPrefix(text[strings.LastIndexByte(text, '\n')+1:], "<promise>")
	name, ends := strings.CutSuffix(name, "</promise>")
	if v := Verdict(name); begins && ends && slices.Contains(verdicts, v) {
		return v
	}
	return ""
}

func notes(text, tag string) []string {
	var all []string
	for len(all) < maxNotes {
		_, rest, begins := strings.Cut(text, "<"+tag+">")
		note, after, ends := strings.Cut(rest, "</"+tag+">")
		if !begins || !ends {
			break
		}
		if note = strings.TrimSpace(note); note != "" && len(note) <= maxNote && !slices.Contains(all, note) {
			all = append(all, note)
		}
		text = after
	}
	return all
}

// WithoutNotes is a text without its notes: learnings, items of the backlog and stories.
func WithoutNotes(text string) string {
	for _, tag := range []string{"learning", "backlog", "story"} {
		var rest strings.Builder
		for {
			before, after, begins := strings.Cut(text, "<"+tag+">")
			_, behind, ends := strings.Cut(after, "</"+tag+">")
			if !begins || !ends {
				break
			}
			rest.WriteString(before)
			text = behind
		}
		text = rest.String() + text
	}
	return text
}

// WithoutTags is a text without its notes and its signals.
func WithoutTags(text string) string {
	var rest strings.Builder
	for line := range strings.Lines(WithoutNotes(text)) {
		before, after, begins := strings.Cut(line, "<promise>")
		if _, behind, ends := strings.Cut(after, "</promise>"); begins && ends {
			if line = before + behind; strings.TrimSpace(line) == "" {
				continue
			}
		}
		rest.WriteString(line)
	}
	return strings.TrimSpace(rest.String())
}

// withoutCode is a text without what stands in fences or between backticks, and apart from that what
// stands behind a fence that does not end.
func withoutCode(text string) (outside, open string) {
	var out, within strings.Builder
	fence := ""
	for line := range strings.Lines(text) {
		bare := strings.TrimLeft(line, " ")
		marks := bare[:len(bare)-len(strings.TrimLeft(bare, "`"))]
		switch {
		case fence != "" && len(marks) >= len(fence) && strings.TrimSpace(bare[len(marks):]) == "":
			fence = ""
			within.Reset()
		case fence == "" && len(marks) >= 3 && !strings.Contains(bare[len(marks):], "`"):
			fence = marks
		case fence == "":
			out.WriteString(withoutSpans(line))
		default:
			within.WriteString(withoutSpans(line))
		}
	}
	return out.String(), within.String()
}

// withoutSpans is a line without its pairs of backticks and what is between.
func withoutSpans(line string) string {
	parts := strings.Split(line, "`")
	var out strings.Builder
	for i, part := range parts {
		if i%2 == 0 || i == len(parts)-1 {
			out.WriteString(part)
		}
	}
	return out.String()
}
