//go:build unix

package torture

// moodyWorker is an agent in the mood of a die: it does its work and says so, says nothing,
// ends with an error, says that it is done with nothing done, or writes where others write.
// Before that it has a character, by the number of its phase (characterOf). Two at once on one
// phase leave a mark. What it commits is noted. As claude it writes events.
const moodyWorker = `#!/bin/sh
phase=$BREW_PHASE
cat >"$AGENTS/$phase.prompt"
busy="$AGENTS/$phase.busy"
if ! mkdir "$busy" 2>/dev/null; then
	kill -0 "$(cat "$busy/pid")" 2>/dev/null && echo "$phase" >>"$AGENTS/double"
fi
echo $$ >"$busy/pid"
client=${0##*/}
[ "$client" = claude ] && echo '{"type":"system","subtype":"init"}'
say() {
	case $client in
	claude) echo "{\"type\":\"result\",\"subtype\":\"success\",\"is_error\":false,\"result\":\"$1\"}" ;;
	*) echo "$1" ;;
	esac
}
finish() { rm -rf "$busy"; exit "$1"; }
commit() { git commit -q "$@" && git rev-parse HEAD >>"$AGENTS/commits"; }
hang() { trap '' TERM; while :; do sleep 1; done; }
fork() { # what outlives it, heeds no TERM, and has left its group where the system knows how
	sh -c 'trap "" TERM HUP; while :; do sleep 1; done' "$AGENTS" &
	command -v setsid >/dev/null || return 0
	setsid sh -c 'trap "" TERM HUP; while :; do sleep 1; done' "$AGENTS" >/dev/null 2>&1 &
}
lose() { # a test, until it is refused
	lost=$(git log -1 --format=%H --grep="^Lose $phase\$")
	if ! grep -q "kept_test.go: a test $1" "$AGENTS/$phase.prompt" && [ ! -f "$AGENTS/$phase.told" ]; then
		[ -n "$lost" ] && return
		case $1 in
		*deleted) rm -f kept_test.go ;;
		*) echo 'func TestMore(t *testing.T) { t.Skip() }' >>kept_test.go ;;
		esac
		commit -m "Lose $phase" -- kept_test.go || finish 4
		return
	fi
	touch "$AGENTS/$phase.told"
	git checkout -q "${lost:-HEAD}${lost:+^}" -- kept_test.go || finish 4
	git diff --quiet HEAD -- kept_test.go || commit -m "Mend $phase" -- kept_test.go || finish 4
}
lie() {
	grep -q 'committed nothing on' "$AGENTS/$phase.prompt" && touch "$AGENTS/$phase.told"
	[ -f "$AGENTS/$phase.told" ] || { say '<promise>COMPLETE</promise>'; finish 0; }
}
work() {
	if [ ! -f "f$phase" ]; then
		echo "$phase" >"f$phase"
		[ "$1" -gt 7 ] && echo "$phase" >>shared
	fi
	[ -z "$(git status --porcelain)" ] && return # else also what one left that was killed
	git add -A && commit -m "Phase $phase" || finish 4
}
case $((phase % 10)) in
1) [ "$BREW_TIER" = junior ] && hang ;;
2) [ "$BREW_TIER" = executive ] || hang ;;
3) [ "$BREW_TIER" = junior ] && { say '<promise>BLOCKED</promise>'; finish 0; } ;;
4) fork ;;
5) lose 'was deleted' ;;
6) lose 'is skipped' ;;
7) work 0; say '<promise>BLOCKED</promise>'; finish 0 ;;
8) lie ;;
esac
grep -q '^ *CONFLICT' "$AGENTS/$phase.prompt" && {
	onto=$(sed -n "s/.*'git merge \([0-9a-f]*\)'.*/\1/p" "$AGENTS/$phase.prompt")
	git merge -q -X ours --no-edit "$onto" >/dev/null 2>&1 || { git add -A; git commit -q --no-edit; }
}
die=$(( $(od -An -N2 -tu2 /dev/urandom) % 10 ))
sleep "0.$die"
case $die in
0) finish 0 ;;
1) echo broken >&2; finish 3 ;;
2) say '<promise>COMPLETE'; finish 0 ;;
3) git log -1 --format=%s | grep -q "^Phase $phase\$" || { say '<promise>COMPLETE</promise>'; finish 0; } ;;
esac
work "$die"
say '<promise>COMPLETE</promise>'
finish 0
`

// character is what a worker does before anything else, and what becomes of its phase.
type character struct {
	tier   string // the least that its phase comes to, "" for any
	doomed bool   // its phase fails
	told   bool   // it does right once it is told, and not before
}

// characterOf is the character of the workers of a phase.
func characterOf(phase int) character {
	switch phase % 10 {
	case 1, 3: // hangs as a junior until its time is over, or is blocked as one
		return character{tier: "senior"}
	case 2: // hangs as a senior, too, until it was silent for too long
		return character{tier: "executive"}
	case 5, 6, 8: // takes a test away, has it skipped, or says that it is done with nothing done
		return character{told: true}
	case 7: // is blocked whoever it is
		return character{tier: "executive", doomed: true}
	}
	return character{} // also of 4, which leaves processes behind
}
