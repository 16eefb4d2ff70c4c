package config

import (
	"slices"
	"strconv"
	"strings"

	"github.com/Masterminds/semver/v3"

	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/ledger"
	"github.com/git-brew/git-brew/internal/task"
)

// Key names a setting, without its "brew." section.
type Key string

// The settings. Meaning and defaults stand in the table below.
const (
	KeyRemote           Key = "remote"
	KeyGate             Key = "gate"
	KeyModeDefault      Key = "mode.default"
	KeyTrigger          Key = "trigger"
	KeyStopWord         Key = "stopWord"
	KeyLockTTL          Key = "lock.ttl"
	KeyStopLimit        Key = "stop.limit"
	KeyMaxEntries       Key = "knowledge.maxEntries"
	KeyMaxTokens        Key = "knowledge.maxTokens"
	KeyCompactThreshold Key = "knowledge.compactThreshold"
	// KeyPrecompactThreshold: the other reading of where a hand-off compacts.
	KeyPrecompactThreshold Key = "precompact.compactThreshold"
	KeyEventsKeep          Key = "events.keep"
	KeyAdvice              Key = "advice"
	KeySystemAgent         Key = "agents.system"
	KeyConstraints         Key = "constraints"
	KeySearchReminder      Key = "agents.searchReminder"
	KeyPromptReminder      Key = "agents.promptReminder"
	KeyAgentTranscript     Key = "agents.transcript"
	KeyAgentCommand        Key = "agents.command"
	KeyReviewBy            Key = "review.by"
	KeyMaxIterations       Key = "review.maxIterations"
	KeyEscalateLadder      Key = "escalate.ladder"
	KeyJuniorAfter         Key = "escalate.juniorAfter"
	KeySeniorAfter         Key = "escalate.seniorAfter"
	KeyVerifyTimeout       Key = "verify.timeout"
	KeyWatchInterval       Key = "watch.interval"
	KeySyncAuto            Key = "sync.auto"
	KeySyncEvents          Key = "sync.events"
	KeySyncNamespace       Key = "sync.namespace"
	KeySyncTimeout         Key = "sync.timeout"
	KeyArchiveAfter        Key = "archive.after"
	// The phrases of a prompt that say what the user is about to do; see trigger.go.
	KeyTriggerApprove Key = "trigger.approve"
	KeyTriggerCreate  Key = "trigger.create"
	KeyTriggerSwitch  Key = "trigger.switch"
	KeyTriggerFinish  Key = "trigger.finish"
	KeyTriggerCompact Key = "trigger.compact"
	KeyAllowedPath    Key = "gate.allowedPath"
	KeyReadOnly       Key = "gate.readOnly"
	KeyGateSteps      Key = "gate.steps"
	KeyGateBranch     Key = "gate.branch"
	KeyBypass         Key = "bypass"
	KeyUltrathink     Key = "agents.ultrathink"
	KeyContextWarnAt  Key = "context.warnAt"
	KeyContextWindow  Key = "context.window"
	KeyStatusForm     Key = "statusline.form"
	KeyHookTimeout    Key = "pipeline.hookTimeout"
	KeyCommitCode     Key = "commit.code"
	KeyRequires       Key = "requires"
)

// The values of KeyGate.
const (
	GateTask   = "task"
	GateAlways = "always"
	GateOff    = "off"
)

// The values of KeyGateSteps.
const (
	StepsAgreed = "agreed"
	StepsFirst  = "first"
	StepsOff    = "off"
)

// The values of KeyStatusForm.
const (
	FormFull    = "full"
	FormCompact = "compact"
	FormMinimal = "minimal"
)

// The values of KeyAgentTranscript.
const (
	TranscriptWorkers = "workers"
	TranscriptAll     = "all"
	TranscriptOff     = "off"
)

// The values of KeyReviewBy.
const (
	ReviewByUser  = "user"
	ReviewByAgent = "agent"
)

// Never is the value of a period that is none.
const Never = "never"

// Kind of a setting's value.
type valueKind int

const (
	textValue valueKind = iota
	boolValue
	countValue  // a positive whole number
	shareValue  // a fraction in (0, 1]
	periodValue // 90m, 24h, 30d, or one of Choices, which is no time
	listValue   // any texts, one a repeated key
	countsValue // whole numbers, one a repeated key
	globsValue  // patterns of paths in the work tree, one a repeated key
	choiceValue // one of Choices
	prefixValue // what names of refs begin with
	rangeValue  // a range of versions
)

// sharing is what a setting's value in refs/brew/config is worth.
type sharing int

const (
	// neverShared: it is for each person to set.
	neverShared sharing = iota
	// freelyShared: it is in force for everybody who has it.
	freelyShared
	// sharedOnTrust: it runs or loosens something, or is said to an agent, and
	// is in force only where this clone's person has trusted the very value.
	sharedOnTrust
)

// Setting is one row of the table of settings.
type Setting struct {
	Key     Key
	Kind    valueKind
	Default []string
	Choices []string
	// Bounds are the least and the most that a number or a time may be.
	Bounds []string
	// Shared is what a value in refs/brew/config is worth here.
	Shared sharing
	Help   string
}

// AllSettings is the table of settings: the manual's are made of it, and a key
// that is not here is refused.
func AllSettings() []Setting { //nolint:funlen // a table
	return []Setting{
		plain(KeyRemote, textValue, neverShared, "the remote that state is shared with and that decides locks"),
		choice(KeyGate, sharedOnTrust, GateTask,
			"where the mode restricts agents: on branches with a live task, always, never", GateTask, GateAlways, GateOff),
		choice(KeyModeDefault, sharedOnTrust, string(clone.ModeDiscussion), "the mode of a work tree where none was set",
			string(clone.ModeDiscussion), string(clone.ModeImplementation)),
		list(KeyTrigger, "phrases with which the user switches to implementation", "make it so", "run that",
			"go ahead", "ship it", "let's do it", "execute", "implement it"),
		list(KeyStopWord, "words with which the user switches back to discussion", "SILENCE", "STOP"),
		list(KeyTriggerApprove, "phrases with which the user approves the phase in review", "approved",
			"I approve", "looks good", "looks good to me", "lgtm"),
		list(KeyTriggerCreate, "phrases that tell the agent how a task is made", "create a task",
			"create a new task", "make a task", "make a new task", "add a task", "add a new task", "new task for"),
		list(KeyTriggerSwitch, "phrases that tell the agent how to go to another task", "switch to task",
			"switch to the task", "work on task", "work on the task", "change to task", "change to the task"),
		list(KeyTriggerFinish, "phrases that tell the agent how a task is finished", "complete the task",
			"finish the task", "task is done", "mark as complete", "close the task", "wrap up the task"),
		list(KeyTriggerCompact, "phrases that tell the agent what to keep before a compaction", "compact",
			"restart session", "restart the session", "context compaction"),
		plain(KeyAllowedPath, globsValue, sharedOnTrust,
			"files that an agent may write in discussion mode, such as docs/**; * stays "+
				"in one directory"),
		list(KeyReadOnly, "shell commands that count as reading in discussion mode, by their first words, "+
			"such as \"make -n\""),
		choice(KeyGateSteps, sharedOnTrust, StepsAgreed,
			"which list of steps an agent may not change: the one that stood when you agreed, or else the first one after "+
				"that, or none", StepsAgreed, StepsFirst, StepsOff),
		flag(KeyGateBranch, sharedOnTrust, "true",
			"whether an agent is kept from writing on another branch, or in another work tree, than its task's"),
		flag(KeyBypass, neverShared, "false", "whether agents are told, and never kept from anything; GIT_BREW_BYPASS=1 "+
			"does it for one session"),
		number(KeyContextWarnAt, countsValue, "1", "100",
			"how full the model's context is, in per cent, when the agent is told; once each", "75", "90"),
		number(KeyContextWindow, countValue, "1000", "100000000",
			"the size of the model's context in tokens, where it is not the model's usual one"),
		choice(KeyStatusForm, neverShared, FormCompact, "how much the status line shows", FormFull, FormCompact, FormMinimal),
		period(KeyLockTTL, freelyShared, "24h", "1m", "30d", "how long a lock holds without renewal"),
		number(KeyStopLimit, countValue, "1", "8",
			"how often in a row an agent is kept from stopping without progress", "5"),
		number(KeyMaxEntries, countValue, "1", "10000", "entries of knowledge that a task keeps", "100"),
		number(KeyMaxTokens, countValue, "1", "20000", "size of the knowledge that an agent is shown, in tokens", "500"),
		plain(KeyCompactThreshold, shareValue, freelyShared, "share of knowledge.maxEntries at which knowledge is compacted",
			"0.8"),
		plain(KeyPrecompactThreshold, shareValue, freelyShared, "the same share at a hand-off, where it differs"),
		period(KeyEventsKeep, freelyShared, "90d", "1d", "3650d", "how long events are kept"),
		period(KeyArchiveAfter, freelyShared, "30d", "1h", "3650d",
			"how long ago a task has to have ended to go to the archive with a sync, or never", Never),
		list(KeySystemAgent, "agents, besides the built-in ones, that get no knowledge and owe no report"),
		flag(KeyConstraints, sharedOnTrust, "true", "whether agents are shown their role's constraints"),
		plain(KeySearchReminder, textValue, sharedOnTrust,
			"a reminder in front of every sub-agent's prompt, for example of a code search tool"),
		plain(KeyPromptReminder, textValue, sharedOnTrust,
			"a reminder with every prompt that asks for something, for example of the project's skills"),
		flag(KeyUltrathink, neverShared, "false",
			"whether prompts get [[ ultrathink ]], which asks the model to think longest"),
		choice(KeyAgentTranscript, sharedOnTrust, TranscriptWorkers,
			"which sub-agents are handed what the session said and did since its first edit: those that do a phase's work, "+
				"all, none", TranscriptWorkers, TranscriptAll, TranscriptOff),
		list(KeyAgentCommand, "git brew commands, such as \"phase done\", that a sub-agent may run beside "+
			"those for reading and reporting; * is all"),
		choice(KeyReviewBy, sharedOnTrust, ReviewByUser,
			"who approves and rejects phases: the user, or an agent too, by what a reviewer reports or a board says",
			ReviewByUser, ReviewByAgent),
		number(KeyMaxIterations, countValue, "1", "100",
			"iterations that a phase gets before it is escalated, by the ladder brew", "3"),
		choice(KeyEscalateLadder, freelyShared, string(task.LadderBrew),
			"the ladder by which phases are escalated: research, split, upgrade, reassign or ask; or from tier to tier",
			string(task.LadderBrew), string(task.LadderKitchen)),
		number(KeyJuniorAfter, countValue, "1", "100",
			"iterations that a phase gets with the tier junior, by the ladder kitchen", "3"),
		number(KeySeniorAfter, countValue, "1", "100",
			"iterations that a phase gets with the tier senior, or auto, by the ladder kitchen", "5"),
		period(KeyVerifyTimeout, freelyShared, "10m", "1s", "24h",
			"how long each command that verifies a phase may take, or never for as long as it needs", Never),
		period(KeyWatchInterval, freelyShared, "30s", "1s", "1h",
			"how long 'git brew status --watch' waits before it looks again"),
		flag(KeySyncAuto, neverShared, "true",
			"whether state is shared with brew.remote in the background, once you ran 'git brew sync' by hand"),
		flag(KeySyncEvents, neverShared, "false", "whether sessions and events of this clone are shared too"),
		plain(KeySyncNamespace, prefixValue, neverShared,
			"what the names of our refs begin with on remotes, where they refuse ours: "+
				"refs/heads/brew"),
		period(KeySyncTimeout, neverShared, "60s", "1s", "1h",
			"how long a remote may say nothing before a sync gives up, or never; a push may be silent for a quarter of a "+
				"second more for each ref", Never),
		period(KeyHookTimeout, freelyShared, "10m", "1s", "1d", "how long a program around a step of the pipeline may take"),
		flag(KeyCommitCode, freelyShared, "true",
			"whether an agent commits the code of a phase as it works on it, or leaves that to you"),
		plain(KeyRequires, rangeValue, freelyShared,
			"the versions of git brew that may change records here, such as \">= 1.4, < "+
				"3\"; others only read"),
		flag(KeyAdvice, neverShared, "true", "whether commands print hints"),
	}
}

// Name is the setting as git's configuration has it.
func (r Setting) Name() string { return "brew." + string(r.Key) }

// many reports whether the setting has several values.
func (r Setting) many() bool {
	return r.Kind == listValue || r.Kind == countsValue || r.Kind == globsValue
}

// LookupSetting finds the row of a key, whatever its case.
func LookupSetting(key string) (Setting, error) {
	all := AllSettings()
	i := slices.IndexFunc(all, func(s Setting) bool { return strings.EqualFold(string(s.Key), key) })
	if i < 0 {
		return Setting{}, clone.Invalid("see 'git brew config list'", "no setting %q", key)
	}
	return all[i], nil
}

// Validate reports what is wrong with a value, in one line.
func (r Setting) Validate(value string) error {
	bad := func(want string) error {
		return clone.Invalid("", "%s is %q, but must be %s", r.Key, value, want)
	}
	switch r.Kind {
	case boolValue:
		if _, ok := parseBool(value); !ok {
			return bad("true or false")
		}
	case countValue, countsValue:
		n, err := strconv.Atoi(value)
		switch {
		case err != nil || n <= 0:
			return bad("a positive whole number")
		case len(r.Bounds) == 2 && (n < Count(r.Bounds[0]) || n > Count(r.Bounds[1])):
			return bad("a number " + r.between())
		}
	case globsValue:
		if !clone.ValidGlob(value) {
			return bad("a path in the work tree, in which * and ** stand for others")
		}
	case shareValue:
		if f, err := strconv.ParseFloat(value, 64); err != nil || f <= 0 || f > 1 {
			return bad("a number above 0 and up to 1")
		}
	case periodValue:
		d, err := ParsePeriod(value)
		switch {
		case slices.Contains(r.Choices, value):
		case err != nil || d <= 0:
			return bad(strings.Join(append([]string{"a time such as 90m, 24h or 30d"}, r.Choices...), ", or "))
		case len(r.Bounds) == 2 && (d < mustPeriod(r.Bounds[0]) || d > mustPeriod(r.Bounds[1])):
			return bad("a time " + r.between())
		}
	case choiceValue:
		if !slices.Contains(r.Choices, value) {
			return bad(strings.Join(r.Choices, ", "))
		}
	case prefixValue:
		prefix := strings.TrimSuffix(value, "/") + "/"
		_, err := gitstore.ParseRefName(prefix + "x")
		if ours := strings.HasPrefix(prefix, ledger.Prefix); err != nil ||
			prefix != ledger.Prefix && (ours || strings.Count(prefix, "/") < 3) {
			return bad("what names of refs can begin with, such as refs/heads/brew")
		}
	case rangeValue:
		if _, err := semver.NewConstraint(value); err != nil {
			return bad("a range of versions such as \">= 1.4, < 3\"")
		}
	case textValue, listValue:
		if value == "" || strings.ContainsAny(value, "\x00\n\r") || len(value) > 1000 {
			return bad("a text of one line")
		}
	}
	return nil
}

func (r Setting) between() string { return "from " + r.Bounds[0] + " to " + r.Bounds[1] }
