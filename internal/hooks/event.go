package hooks

import "encoding/json"

// Payload is what the client sent. Fields that are absent, or of another type
// than the contract says, are zero: clients change weekly.
type Payload struct {
	// Session is safe as part of a ref or a file name, or empty.
	Session string
	Event   string
	// Cwd is an absolute path, or empty.
	Cwd string
	// Transcript is the absolute path of the session's transcript, or empty; in
	// a sub-agent it is that of the session which started it.
	Transcript     string
	PermissionMode string
	// AgentID is set inside a sub-agent; AgentType alone is the main agent's.
	AgentID   string
	AgentType string

	// Source is SessionStart's, and UserPromptSubmit's.
	Source       string
	Model        string
	SessionTitle string
	Reason       string // SessionEnd
	Trigger      string // PreCompact
	Prompt       string

	ToolName     string
	ToolUseID    string
	ToolInput    json.RawMessage
	ToolResponse json.RawMessage
	// Twice: a key of a call that is not made yet stands there twice, or in two cases.
	Twice      bool
	DurationMS int64
	// Failure is PostToolUseFailure's error.
	Failure string

	StopHookActive   bool
	BackgroundTasks  []BackgroundTask
	NotificationType string
	// Context is how much of the model's context is used, where the client says.
	Context ContextUse
}

// BackgroundTask is one of the tasks that still run when an agent stops.
type BackgroundTask struct {
	ID     string
	Status string
}
