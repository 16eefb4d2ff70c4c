package config

import (
	_ "embed" // the table
	"slices"
	"strconv"
	"strings"

	"github.com/Masterminds/semver/v3"

	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/gitstore"
	"github.com/git-brew/git-brew/internal/gitstore/place"
	"github.com/git-brew/git-brew/internal/ledger"
)

// Key names a setting, without its "brew." section.
type Key string

// The settings. Meaning and defaults stand in settings.tsv.
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
	KeyJuniorCommand       Key = "tier.junior.command"
	KeySeniorCommand       Key = "tier.senior.command"
	KeyExecutiveCommand    Key = "tier.executive.command"
	KeyJuniorTimeout       Key = "tier.junior.timeout"
	KeySeniorTimeout       Key = "tier.senior.timeout"
	KeyExecutiveTimeout    Key = "tier.executive.timeout"
	KeyRunParallel         Key = "run.parallel"
	KeyRunSilence          Key = "run.silence"
	KeyRunReview           Key = "run.review"
	KeyRunBudget           Key = "run.budget"
	KeyRunLimit            Key = "run.limit"
	KeyRunStatusFile       Key = "run.statusFile"
	KeyRunEventsFile       Key = "run.eventsFile"
	KeyRunCommandFile      Key = "run.commandFile"
	KeyRunEnv              Key = "run.env"
	KeyVerifyTimeout       Key = "verify.timeout"
	KeyWatchInterval       Key = "watch.interval"
	KeySyncAuto            Key = "sync.auto"
	KeySyncEvents          Key = "sync.events"
	KeySyncNamespace       Key = "sync.namespace"
	KeySyncTimeout         Key = "sync.timeout"
	KeyArchiveAfter        Key = "archive.after"
	// One of the lists of phrases; session.TriggerKind has them all.
	KeyTriggerApprove Key = "trigger.approve"
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
	StepsFirst = "first"
	StepsOff   = "off"
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
)

// The values of KeyReviewBy.
const (
	ReviewByUser  = "user"
	ReviewByAgent = "agent"
)

// The values of KeyRunReview.
const (
	ReviewAll    = "all"
	ReviewJunior = "junior"
	ReviewOff    = "off"
)

// Never is the value of a period that is none.
const Never = "never"

const (
	textValue   = "text"
	boolValue   = "bool"
	countValue  = "count"  // a whole number
	budgetValue = "budget" // ceilings of money, see readCeilings
	limitValue  = "limit"  // ceilings of time and turns
	shareValue  = "share"  // a fraction in (0, 1]
	periodValue = "period" // 90m, 24h, 30d, or one of Choices, which is no time
	listValue   = "list"   // any texts, one a repeated key: each is said to an agent or read as a permission
	countsValue = "counts" // whole numbers, one a repeated key
	globsValue  = "globs"  // patterns of paths in the work tree, one a repeated key
	choiceValue = "choice" // one of Choices
	prefixValue = "prefix" // what names of refs begin with
	rangeValue  = "range"  // a range of versions
)

// What a setting's value in refs/brew/config is worth.
const (
	// neverShared: it is for each person to set.
	neverShared = "never"
	// freelyShared: it is in force for everybody who has it.
	freelyShared = "freely"
	// sharedOnTrust: it runs or loosens something, or is said to an agent, and
	// is in force only where this clone's person has trusted the very value.
	sharedOnTrust = "on trust"
)

// Setting is one row of the table of settings.
type Setting struct {
	Key     Key
	Kind    string
	Shared  string // what a value in refs/brew/config is worth here
	Choices []string
	// Least and Most bound a number or a time.
	Least, Most string
	Default     []string
	Help        string
}

//go:embed settings.tsv
var settingsTable string

// AllSettings reads the table of settings: the manual's are made of it, and a key that is
// not there is refused. A line has a setting's key, kind, sharing, bounds and choices,
// default, and help.
func AllSettings() []Setting {
	rows := make([]Setting, 0, settingsHint)
	for line := range strings.Lines(settingsTable) {
		field := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		row := Setting{Key: Key(field[0]), Kind: field[1], Shared: field[2], Help: field[5]}
		for of := range strings.SplitSeq(field[3], "|") {
			if least, most, bounds := strings.Cut(of, ".."); bounds {
				row.Least, row.Most = least, most
			} else if of != "" {
				row.Choices = append(row.Choices, of)
			}
		}
		if field[4] != "" {
			row.Default = strings.Split(field[4], "|")
		}
		rows = append(rows, row)
	}
	return rows
}

// Name is the setting as git's configuration has it.
func (r Setting) Name() string { return "brew." + string(r.Key) }

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
	good, want := false, ""
	switch r.Kind {
	case boolValue:
		_, good = place.ParseBool(value)
		want = "true or false"
	case countValue, countsValue:
		n, err := strconv.Atoi(value)
		good = err == nil && n >= Count(r.Least) && n <= Count(r.Most)
		want = "a whole number from " + r.Least + " to " + r.Most
	case budgetValue:
		good = r.readCeilings(value, map[string]Ceiling{})
		want = "dollars from " + r.Least + " to " + r.Most + ", and what a phase or a tier may cost, as in " +
			"\"20 phase 3 junior 5\""
	case limitValue:
		good = slices.Contains(r.Choices, value) || r.readCeilings(value, map[string]Ceiling{})
		want = "a time from " + r.Least + " to " + r.Most + ", turns, and those of a phase or a tier, as in " +
			"\"8h 200turns phase 90m\", or never"
	case shareValue:
		f, err := strconv.ParseFloat(value, 64)
		good = err == nil && f > 0 && f <= 1
		want = "a number above 0 and up to 1"
	case periodValue:
		d, err := ParsePeriod(value)
		good = slices.Contains(r.Choices, value) || err == nil && d >= mustPeriod(r.Least) && d <= mustPeriod(r.Most)
		want = strings.Join(append([]string{"a time from " + r.Least + " to " + r.Most}, r.Choices...), ", or ")
	case choiceValue:
		good, want = slices.Contains(r.Choices, value), strings.Join(r.Choices, ", ")
	case globsValue:
		good, want = clone.ValidGlob(value), "a path in the work tree, in which * and ** stand for others"
	case prefixValue:
		prefix := strings.TrimSuffix(value, "/") + "/"
		_, err := gitstore.ParseRefName(prefix + "x")
		theirs := !strings.HasPrefix(prefix, ledger.Prefix) && strings.Count(prefix, "/") >= 3
		good = err == nil && (prefix == ledger.Prefix || theirs)
		want = "what names of refs can begin with, such as refs/heads/brew"
	case rangeValue:
		_, err := semver.NewConstraint(value)
		good, want = err == nil, "a range of versions such as \">= 1.4, < 3\""
	case textValue, listValue:
		good = value != "" && !strings.ContainsAny(value, "\x00\n\r") && len(value) <= 1000
		want = "a text of one line"
	}
	if good {
		return nil
	}
	return clone.Invalid("", "%s is %q, but must be %s", r.Key, value, want)
}
