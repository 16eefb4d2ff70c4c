package event

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/invisible"
	"github.com/git-brew/git-brew/internal/redact"
)

// Schema is the version of an event's JSON that this program writes.
const Schema = "1.0.0"

// Limits of a line.
const (
	// MaxLine is the size of a line in bytes, its newline included: small
	// enough for one write that no other writer's can divide.
	MaxLine = 4 << 10
	// MaxText is how many characters of a text are kept.
	MaxText = 100
	maxData = 16 // fields of Data
)

// Type says what kind of thing happened.
type Type string

// The types of events that the program speaks of; docs/using/record.md says when each is
// recorded, and with which fields.
const (
	Prompt       Type = "prompt"
	ToolStart    Type = "tool_start"
	Denial       Type = "denial"
	ToolComplete Type = "tool_complete"
	Compaction   Type = "compaction"
	Stop         Type = "stop"
	AgentStart   Type = "agent_start"
	ModeChange   Type = "mode_change"
	TaskChange   Type = "task_change"
	TaskSwitch   Type = "task_switch"
	PhaseChange  Type = "phase_change"
	LockChange   Type = "lock_change"
	LockLost     Type = "lock_lost"
	WorkerTurn   Type = "worker_turn"
	Other        Type = "other"
)

// types is the registry: what is not in it is not recorded.
const types = "session_start session_end prompt tool_start denial tool_complete compaction stop agent_start " +
	"agent_stop notification mode_change task_change task_switch phase_change lock_change lock_lost worker_turn " +
	"other"

// TypeNames are the names of the registry's types.
func TypeNames() []string { return strings.Fields(types) }

// hookTypes are what agents' hooks tell, by their names.
const hookTypes = "SessionStart:session_start SessionEnd:session_end UserPromptSubmit:prompt PreToolUse:tool_start " +
	"PostToolUse:tool_complete PostToolUseFailure:tool_complete PreCompact:compaction PostCompact:compaction Stop:stop " +
	"StopFailure:stop SubagentStart:agent_start SubagentStop:agent_stop Notification:notification"

// TypeOfHook is the type of what an agent's hook tells; decision is what it
// answered. A tool whose call was refused did not start.
func TypeOfHook(hook, decision string) Type {
	if hook == "PreToolUse" && decision == "deny" {
		return Denial
	}
	for row := range strings.FieldsSeq(hookTypes) {
		if name, told, _ := strings.Cut(row, ":"); name == hook {
			return Type(told)
		}
	}
	return Other
}

// Names of what Data holds.
const (
	DataWhat   = "what"   // which part changed
	DataFrom   = "from"   // what it was
	DataTo     = "to"     // what it is
	DataHolder = "holder" // who has the lock
	DataDetail = "detail"
	// What a worker's turn came to, and took: tokens, and millionths of a dollar.
	DataOutcome  = "outcome"
	DataInput    = "input_tokens"
	DataOutput   = "output_tokens"
	DataMicroUSD = "micro_usd"
)

// Event is one thing that happened. Its JSON form is a line.
type Event struct {
	Schema      string `json:"schema"`
	TS          int64  `json:"ts"` // nanoseconds since 1970
	Session     string `json:"session,omitempty"`
	Correlation string `json:"correlation,omitempty"`
	// Execution is the run of the hook that recorded it.
	Execution string `json:"execution,omitempty"`
	Hook      string `json:"hook,omitempty"`
	Type      Type   `json:"type,omitempty"`
	Tool      string `json:"tool,omitempty"`
	ToolUseID string `json:"tool_use_id,omitempty"`
	// AgentID and Agent are a sub-agent's id and type.
	AgentID  string `json:"agent_id,omitempty"`
	Agent    string `json:"agent,omitempty"`
	WorkTree string `json:"worktree,omitempty"`
	Task     string `json:"task,omitempty"`
	Phase    string `json:"phase,omitempty"` // shown id
	Mode     string `json:"mode,omitempty"`
	// Decision is what the hook answered, Reason why.
	Decision string `json:"decision,omitempty"`
	Reason   string `json:"reason,omitempty"`
	// Success is what a tool's result says; nil where nothing was run.
	Success *bool `json:"success,omitempty"`
	// DurationMS is how long the tool ran, HookUS how long the hook took, in
	// milliseconds and microseconds.
	DurationMS int64             `json:"duration_ms,omitempty"`
	HookUS     int64             `json:"hook_us,omitempty"`
	Data       map[string]string `json:"data,omitempty"`
}

// Encode returns the line of e, its newline included: secrets redacted,
// control characters gone, every text cut to MaxText characters, and to fewer
// where the whole would be longer than MaxLine bytes; Data to its first fields by
// name.
func Encode(e Event) ([]byte, error) {
	e.Schema = Schema
	var r redact.Redactor
	for limit := MaxText; ; limit /= 2 {
		line, err := encode(e.each(func(s string) string {
			shown := invisible.CutBytes(invisible.Line(s[:min(len(s), 2*maxRaw)]), maxRaw)
			return strings.TrimSpace(invisible.First(r.Text(shown), limit))
		}))
		if err != nil || len(line) <= MaxLine || limit == 0 {
			return line, err
		}
	}
}

func encode(e Event) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(e); err != nil {
		return nil, fmt.Errorf("encode event: %w", err)
	}
	return b.Bytes(), nil
}

// each returns e with every text changed, Data being a copy.
func (e Event) each(change func(string) string) Event {
	for _, s := range []*string{
		&e.Schema, &e.Session, &e.Correlation, &e.Execution, &e.Hook, (*string)(&e.Type), &e.Tool, &e.ToolUseID,
		&e.AgentID, &e.Agent, &e.WorkTree, &e.Task, &e.Phase, &e.Mode, &e.Decision, &e.Reason,
	} {
		if *s != "" {
			*s = change(*s)
		}
	}
	if e.Data == nil {
		return e
	}
	data := make(map[string]string, min(len(e.Data), maxData))
	for _, k := range slices.Sorted(maps.Keys(e.Data)) {
		if len(data) < maxData {
			data[change(k)] = change(e.Data[k])
		}
	}
	e.Data = data
	return e
}

// maxRaw bounds, in bytes, how much of a text is looked at: far more than is
// kept, so that what redaction takes away leaves no other secret's half.
const maxRaw = 4 << 10

// Reader reads what was recorded.
type Reader struct {
	Filter Filter
	// Raw leaves texts as they were recorded: for who counts and prints none.
	Raw bool
	// Bad counts the lines that are no events.
	Bad int

	redactor redact.Redactor
}

// Lines visits the events of some lines that the filter chooses.
func (r *Reader) Lines(lines []byte, visit func(Event) error) error {
	for line := range bytes.Lines(lines) {
		line = bytes.TrimSpace(line)
		if len(line) == 0 {
			continue
		}
		var e Event
		if len(line) > MaxLine || json.Unmarshal(line, &e) != nil || !strings.HasPrefix(e.Schema, "1.") {
			r.Bad++
			continue
		}
		// It may be a stranger's.
		e = e.each(func(s string) string { return invisible.First(invisible.Line(s), MaxText) })
		if !r.Filter.match(e) {
			continue
		}
		if !r.Raw { // what today's rules call a secret goes
			e = e.each(func(s string) string { return strings.TrimSpace(invisible.First(r.redactor.Text(s), MaxText)) })
		}
		if err := visit(e); err != nil {
			return err
		}
	}
	return nil
}

// Filter chooses events; an empty field chooses all.
type Filter struct {
	// Session and Task match by a beginning, as people type them.
	Session string
	Task    string
	// Hook is the hook's name, in any case of letters.
	Hook string
	Type Type
	// Since and Until are nanoseconds since 1970, Since included.
	Since int64
	Until int64
}

func (f Filter) match(e Event) bool {
	return strings.HasPrefix(e.Session, f.Session) &&
		strings.HasPrefix(e.Task, f.Task) &&
		(f.Hook == "" || strings.EqualFold(e.Hook, f.Hook)) &&
		(f.Type == "" || e.Type == f.Type) &&
		(f.Since == 0 || e.TS >= f.Since) &&
		(f.Until == 0 || e.TS < f.Until)
}
