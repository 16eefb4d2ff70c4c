package task

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/git-brew/git-brew/internal/invisible"
	"github.com/git-brew/git-brew/internal/operation"
)

// Check refuses what no payload and no state holds, whatever the task is like. The tag
// `is` of a field names what its text is (checkText); `len` says how many its list has at
// most, or how high its number is. What may be omitted may be empty. No number is negative.
func Check(v any) error { return checkValue(reflect.ValueOf(v), field{}, checkText) }

// CheckSeen refuses a payload with a text that holds what nobody sees, or that shows other
// texts in another order: two titles that look alike would be two. It is asked when an
// operation is made, and never in the fold; and of what somebody writes now, not of what is
// named or quoted: nobody can write that otherwise. Texts of documents are blobs, and not
// in a payload.
func CheckSeen(v any) error {
	return checkValue(reflect.ValueOf(v), field{}, func(f field, s string) error {
		r := invisible.In(s)
		if r == 0 || !slices.Contains([]string{"title", "branch", "item", "reason", "said", "remark", "seen"}, f.is) {
			return nil
		}
		return Refuse(CodeInvalid, fmt.Sprintf("%+q has a character that is not seen (U+%04X)",
			Clip(strings.Join(strings.Fields(s), " "), MaxTitle), r), "write it without")
	})
}

type field struct {
	index    int
	name, is string
	len      int64 // 0: any
	optional bool
}

// checkedFields holds the fields of each type, once somebody has asked.
var checkedFields sync.Map // reflect.Type: []field

func fieldsOf(t reflect.Type) []field {
	if known, ok := checkedFields.Load(t); ok {
		return known.([]field)
	}
	var all []field
	for i := range t.NumField() {
		of := t.Field(i)
		name, options, _ := strings.Cut(of.Tag.Get("json"), ",")
		f := field{index: i, name: name, is: of.Tag.Get("is"), optional: strings.HasPrefix(options, "omit")}
		_, _ = fmt.Sscan(of.Tag.Get("len"), &f.len)
		element := of.Type
		for element.Kind() == reflect.Slice || element.Kind() == reflect.Pointer {
			element = element.Elem()
		}
		unchecked := element.Kind() == reflect.Bool || element.Kind() == reflect.String && f.is == ""
		if name != "-" && (!unchecked || f.len > 0) {
			all = append(all, f)
		}
	}
	checkedFields.Store(t, all)
	return all
}

func checkValue(v reflect.Value, f field, text func(field, string) error) error {
	switch v.Kind() {
	case reflect.Struct:
		for _, f := range fieldsOf(v.Type()) {
			if of := v.Field(f.index); !f.optional || !of.IsZero() {
				if err := checkValue(of, f, text); err != nil {
					return err
				}
			}
		}
	case reflect.Slice:
		if f.len > 0 && int64(v.Len()) > f.len {
			return Refuse(CodeInvalid, fmt.Sprintf("%q has %d items, at most %d fit", f.name, v.Len(), f.len), "name fewer")
		}
		for i := range v.Len() {
			if err := checkValue(v.Index(i), f, text); err != nil {
				return err
			}
		}
	case reflect.Pointer:
		if !v.IsNil() {
			return checkValue(v.Elem(), f, text)
		}
	case reflect.Map:
		if commits, ok := v.Interface().(Commits); ok {
			return checkCommits(commits)
		}
	case reflect.Int, reflect.Int64:
		if n := v.Int(); n < 0 && f.is != "exit" || n < -1 || f.len > 0 && n > f.len {
			return Refuse(CodeInvalid, fmt.Sprintf("%q can't be %d", f.name, n), "")
		}
	case reflect.Uint64:
		if v.Uint() > operation.MaxClock {
			return Refuse(CodeInvalid, fmt.Sprintf("%q can't be %d", f.name, v.Uint()), "")
		}
	case reflect.String:
		return text(f, v.String())
	}
	return nil
}

func checkText(f field, s string) error {
	fits := true
	switch f.is {
	case "title":
		return CheckTitle(s)
	case "path":
		return CheckServicePath(s)
	case "issue":
		return checkIssue(s)
	case "id":
		_, err := ParseID(s)
		fits = err == nil
	case "uid":
		fits = UID(s).Valid()
	case "name":
		return CheckName(s)
	case "oid":
		fits = ValidOID(s)
	case "time":
		fits = s == "" || CleanTime(s) == s
	case "branch":
		fits = validBranch(s)
	case "base":
		fits = s == "HEAD" || validBranch(s)
	case "session":
		fits = OneLine(s, MaxTitle)
	case "own session":
		fits = safeSession(s)
	case "voter":
		fits = VoterID(s).Valid()
	case "file":
		fits = s == "" || insidePath(s)
	case "line":
		fits = OneLine(s, MaxItem)
	case "quote": // of a name that is not ours
		fits = len(s) <= MaxReason
	case "item", "reason", "said", "remark", "quoted":
		return checkParagraph(f, s)
	case "type":
		if !validType(s) {
			return unknownWord(f.is, s, Types)
		}
	default:
		return CheckWord(f.is, s)
	}
	if fits {
		return nil
	}
	return Refuse(CodeInvalid, fmt.Sprintf("%q can't be %q", f.name, Clip(s, MaxName)), "")
}

// checkParagraph refuses what is no plain text, or too much of it.
func checkParagraph(f field, s string) error {
	limit, must := MaxItem, true
	switch f.is {
	case "reason":
		limit, must = MaxReason, false
	case "said":
		limit, must = MaxSaid, false
	case "remark":
		limit = MaxRemarkText
	}
	if Paragraph(s, limit) && !(must && strings.TrimSpace(s) == "") {
		return nil
	}
	return Refuse(CodeInvalid, fmt.Sprintf("%q is a plain text of at most %d bytes", f.name, limit), "shorten it")
}

// CheckTitle says why s can't be the title of a task or a phase.
func CheckTitle(s string) error {
	switch {
	case strings.TrimSpace(s) == "":
		return Refuse(CodeInvalid, "the title is empty", "say in a few words what is to be done")
	case len(s) > MaxTitle:
		return Refuse(CodeInvalid, fmt.Sprintf("the title has %d bytes, at most %d fit", len(s), MaxTitle),
			"shorten it; the rest belongs into the spec")
	case !OneLine(s, MaxTitle):
		return Refuse(CodeInvalid, fmt.Sprintf("the title %q has control characters or is not UTF-8", s),
			"write it in one plain line")
	}
	return nil
}

// CheckWorker says why a worker can't be called that; it may have no name.
func CheckWorker(name string) error {
	if name == "" {
		return nil
	}
	return checkText(field{is: "name"}, name)
}
