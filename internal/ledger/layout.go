package ledger

import (
	"fmt"
	"slices"
	"strings"

	"github.com/git-brew/git-brew/internal/gitstore"
)

// The refs. docs/reference/format.md says what each one holds.
const (
	prefix = "refs/brew/"

	// TasksPrefix and LocksPrefix are what the refs of tasks and locks begin with.
	TasksPrefix = prefix + "tasks/"
	LocksPrefix = prefix + "locks/"

	headsPrefix  = prefix + "heads/"
	keepPrefix   = prefix + "keep/"
	clonesPrefix = prefix + "clones/"
	remotePrefix = prefix + "remotes/"

	// KnowledgeRef holds the project's knowledge and backlog.
	KnowledgeRef gitstore.RefName = prefix + "knowledge"
	// ConfigRef holds the shared configuration.
	ConfigRef gitstore.RefName = prefix + "config"
	// NotesRef holds the notes on the user's commits; NotesAlias is the
	// symbolic ref that lets git's own commands read them.
	NotesRef   gitstore.RefName = prefix + "notes"
	NotesAlias gitstore.RefName = "refs/notes/brew"
	// ArchiveRef holds the tasks that ended long ago.
	ArchiveRef gitstore.RefName = prefix + "archive"
)

// Kind is what a shared ref holds.
type Kind string

const (
	KindTask      Kind = "task"
	KindLock      Kind = "lock"
	KindKnowledge Kind = "knowledge"
	KindConfig    Kind = "config"
	KindNotes     Kind = "notes"
	KindArchive   Kind = "archive"
	KindClone     Kind = "clone"
)

// Kinds are all kinds, in the order in which they are exchanged: what decides
// about others comes before them.
func Kinds() []Kind {
	return []Kind{KindArchive, KindLock, KindConfig, KindTask, KindKnowledge, KindNotes, KindClone}
}

// KindOf tells what a shared ref holds, and whose: the id of a task or a clone.
// It is false for refs that are never shared, and for names that are none of
// ours. The id is not checked.
func KindOf(ref gitstore.RefName) (kind Kind, id string, shared bool) {
	switch ref {
	case KnowledgeRef:
		return KindKnowledge, "", true
	case ConfigRef:
		return KindConfig, "", true
	case NotesRef:
		return KindNotes, "", true
	case ArchiveRef:
		return KindArchive, "", true
	}
	for _, of := range []struct {
		prefix string
		kind   Kind
	}{{TasksPrefix, KindTask}, {LocksPrefix, KindLock}, {clonesPrefix, KindClone}} {
		if id, ok := strings.CutPrefix(string(ref), of.prefix); ok {
			return of.kind, id, id != "" && !strings.Contains(id, "/")
		}
	}
	return "", "", false
}

// Tracked is the ref whose state on a remote the tracking ref records; false
// for a ref that is none.
func Tracked(remote string, tracking gitstore.RefName) (ref gitstore.RefName, ok bool) {
	name, ok := strings.CutPrefix(string(tracking), remotePrefix+remote+"/")
	return gitstore.RefName(prefix + name), ok
}

// TrackingPrefix is what the tracking refs of a remote begin with.
func TrackingPrefix(remote string) string { return remotePrefix + remote + "/" }

// AllTracking is what the tracking refs of all remotes begin with.
const AllTracking = remotePrefix

// TrackedOnce is Tracked for a remote that is not known any more: its name may
// have slashes, so that the record's kind tells where it ends.
func TrackedOnce(tracking gitstore.RefName) (ref gitstore.RefName, ok bool) {
	rest, ok := strings.CutPrefix(string(tracking), remotePrefix)
	for ok {
		if _, rest, ok = strings.Cut(rest, "/"); ok {
			ref = gitstore.RefName(prefix + rest)
			if _, _, shared := KindOf(ref); shared {
				return ref, true
			}
		}
	}
	return "", false
}

// Private reports that a ref is one of ours that is never shared: what branches
// mean, what is kept, what was seen on remotes.
func Private(ref gitstore.RefName) bool {
	begins := func(prefix string) bool { return strings.HasPrefix(string(ref), prefix) }
	return slices.ContainsFunc([]string{headsPrefix, keepPrefix, remotePrefix}, begins)
}

// SetupFile, in the repository's cache directory, records what a set-up made.
const SetupFile = "setup.json"

// Prefix is what every ref of git brew begins with.
const Prefix = prefix

// TaskRef is the ref of a task. The id must be valid (task.ParseID).
func TaskRef(id string) gitstore.RefName { return gitstore.RefName(TasksPrefix + id) }

// LockRef is the ref of a task's lock.
func LockRef(id string) gitstore.RefName { return gitstore.RefName(LocksPrefix + id) }

// KeepRef keeps a task's start commits reachable.
func KeepRef(id string) gitstore.RefName { return gitstore.RefName(keepPrefix + id) }

// CloneRef is the record that a clone alone writes.
func CloneRef(clone string) gitstore.RefName { return gitstore.RefName(clonesPrefix + clone) }

// HeadRef is the symbolic ref to the task of a branch, by its short name.
func HeadRef(branch string) (gitstore.RefName, error) {
	name, err := gitstore.ParseRefName(headsPrefix + branch)
	if err != nil {
		return "", fmt.Errorf("branch %q: %w", branch, err)
	}
	return name, nil
}

// TaskOf returns the id of the task that a ref is of.
func TaskOf(ref gitstore.RefName) (id string, ok bool) {
	return strings.CutPrefix(string(ref), TasksPrefix)
}

// TrackingRef is where a fetch puts what a remote has under ref.
func TrackingRef(remote string, ref gitstore.RefName) gitstore.RefName {
	return gitstore.RefName(remotePrefix + remote + "/" + strings.TrimPrefix(string(ref), prefix))
}

// FetchRefspecs are what `git fetch` brings besides branches from a remote where
// the names of records begin with there, which ends in a slash: a positive list,
// since a wildcard over all of the namespace would nest tracking refs in
// tracking refs. Each one is a pattern: git fetch fails where a ref is named in
// full that the remote does not have.
func FetchRefspecs(remote, there string) []string {
	t := remotePrefix + remote + "/"
	var specs []string
	for _, name := range []string{"tasks/*", "locks/*", "knowledge*", "config*", "notes*"} {
		specs = append(specs, "+"+there+name+":"+t+name)
	}
	return specs
}
