package task

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/knowledge"
	"github.com/git-brew/git-brew/internal/operation"
)

// Encode returns the tree of a state. Equal states have equal files.
func Encode(t Task) (Files, error) {
	data, err := encodeTask(t)
	if err != nil {
		return nil, err
	}
	files := Files{TaskFile: {Data: data}}
	if files[KnowledgeFile], err = encodeKnowledge(t); err != nil {
		return nil, err
	}
	for name, doc := range t.Docs {
		if path, ok := t.DocPath(name); ok {
			files[path] = Blob(doc)
		}
	}
	if text := DecisionsText(t); text != nil {
		files[DecisionsFile] = Blob{Data: text}
	}
	for _, r := range t.Reports {
		files[ReportPath(t, r)] = Blob{OID: r.OID, Data: r.Data}
	}
	for _, c := range t.Conflicts {
		files[conflictsDir+string(c.UID)] = Blob{OID: c.OID, Data: c.Data}
	}
	return files, nil
}

// encodeTask writes task.json: as operation.Canonical does, but with two spaces for
// each level; what newer versions put there comes back.
func encodeTask(t Task) ([]byte, error) {
	raw, err := json.Marshal(t)
	if err != nil {
		return nil, fmt.Errorf("encode task: %w", err)
	}
	var fields map[string]any
	if err := decodeNumbers(raw, &fields); err != nil {
		return nil, fmt.Errorf("encode task: %w", err)
	}
	if err := addExtra(fields, t.Extra); err != nil {
		return nil, err
	}
	phases, _ := fields["phases"].([]any)
	for i, p := range phases {
		if of, ok := p.(map[string]any); ok {
			if err := addExtra(of, t.Phases[i].Extra); err != nil {
				return nil, err
			}
		}
	}
	if phases == nil {
		fields["phases"] = []any{}
	}
	if raw, err = json.Marshal(fields); err != nil {
		return nil, fmt.Errorf("encode task: %w", err)
	}
	if raw, err = operation.Canonical(raw); err != nil {
		return nil, fmt.Errorf("encode task: %w", err)
	}
	var b bytes.Buffer
	err = json.Indent(&b, raw, "", "  ")
	return b.Bytes(), err
}

// decodeNumbers reads JSON and keeps the spelling of its numbers.
func decodeNumbers(data []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	return d.Decode(v)
}

func addExtra(fields map[string]any, extra map[string]json.RawMessage) error {
	for k, raw := range extra {
		if _, known := fields[k]; known {
			continue
		}
		var v any
		if err := decodeNumbers(raw, &v); err != nil {
			return fmt.Errorf("encode field %q: %w", Clip(k, MaxName), err)
		}
		fields[k] = v
	}
	return nil
}

// Decode reads a state from its tree: the path and id of every file, and the
// contents of task.json. The contents of knowledge.jsonl may be left out:
// then LoadKnowledge reads it when it is needed. What is not there as this
// package writes it is an error; a format that is too new is a *operation.FormatError.
func Decode(files Files) (Task, error) {
	t, err := decodeTask(files[TaskFile].Data)
	if err != nil {
		return Task{}, fmt.Errorf("%s: %w", TaskFile, err)
	}
	for path, blob := range files {
		if name, ok := t.DocAt(path); ok {
			if !validOID(blob.OID) {
				return Task{}, fmt.Errorf("%s: %q is no object id", path, Clip(blob.OID, MaxName))
			}
			if t.Docs == nil {
				t.Docs = map[DocName]Doc{}
			}
			t.Docs[name] = Doc{OID: blob.OID}
		}
	}
	known := files[KnowledgeFile]
	t.KnowledgeOID = known.OID
	if known.Data != nil {
		if t.Knowledge, err = decodeKnowledge(known.Data); err != nil {
			return Task{}, fmt.Errorf("%s: %w", KnowledgeFile, err)
		}
		if t.Knowledge == nil {
			t.Knowledge = []knowledge.Entry{}
		}
	}
	return t, nil
}

// DecodeState reads task.json alone, and leaves out what newer minor versions
// put there: for looking at thousands of tasks, not for storing one.
func DecodeState(data []byte) (Task, error) {
	t, err := decodeKnown(data)
	if err == nil {
		err = validate(t)
	}
	if err != nil {
		return Task{}, fmt.Errorf("%s: %w", TaskFile, err)
	}
	return t, nil
}

// decodeKnown reads the fields of this version.
func decodeKnown(data []byte) (Task, error) {
	if len(data) == 0 {
		return Task{}, fmt.Errorf("%w: it is empty or missing", ErrCorrupt)
	}
	var t Task
	err := json.Unmarshal(data, &t)
	version := struct {
		Schema string `json:"schema"`
	}{t.Schema}
	if err != nil { // another version may have other types
		if err := json.Unmarshal(data, &version); err != nil {
			return Task{}, fmt.Errorf("%w: %w", ErrCorrupt, err)
		}
	}
	if err := operation.CheckFormat(version.Schema); err != nil {
		return Task{}, err
	}
	if err != nil {
		return Task{}, fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	if t.Phases == nil {
		t.Phases = []Phase{}
	}
	return t, nil
}

func decodeTask(data []byte) (Task, error) {
	t, err := decodeKnown(data)
	if err != nil {
		return Task{}, err
	}
	var raw struct {
		Phases []json.RawMessage `json:"phases"`
	}
	if err := json.Unmarshal(data, &raw); err != nil {
		return Task{}, fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	if t.Extra, err = extra(data, taskKeys); err != nil {
		return Task{}, err
	}
	for i := range t.Phases {
		if t.Phases[i].Extra, err = extra(raw.Phases[i], phaseKeys); err != nil {
			return Task{}, err
		}
	}
	return t, validate(t)
}

// taskKeys and phaseKeys are the fields of this version.
var (
	taskKeys = []string{
		"schema", "id", "root", "title", "type", "branch", "base", "base_commit", "services", "issues", "priority", "status", "reason", "stage",
		"created_at", "updated_at", "started_at", "finished_at", "paused_at", "cause", "phases", "current", "questions", "skips",
		"deleted", "clock", "fence", "reports", "conflicts", "step_hooks", "decisions", "boards", "remarks",
	}
	phaseKeys = []string{
		"uid", "id", "title", "kind", "parent", "status", "review", "fixes", "reason", "user_rejection", "seen_rejection", "failed_by", "iteration",
		"depends_on", "acceptance", "verification", "tier", "agents", "launched", "claim", "start_commit", "end_commit",
		"service_starts", "service_ends",
		"started_at", "completed_at", "worked_seconds", "work_since", "verified", "errors", "must_escalate", "escalations", "deviations",
	}
)

// extra returns the fields that this version does not know, nil for none.
func extra(data []byte, known []string) (map[string]json.RawMessage, error) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(data, &fields); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	maps.DeleteFunc(fields, func(k string, _ json.RawMessage) bool {
		// encoding/json reads keys in any case: what it took is known.
		return slices.ContainsFunc(known, func(n string) bool { return strings.EqualFold(n, k) })
	})
	if len(fields) == 0 {
		return nil, nil
	}
	return fields, nil
}
