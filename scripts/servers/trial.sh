# shellcheck shell=bash
# The trial that scripts/servers.sh runs against each server; sourced there.
# shellcheck disable=SC2015,SC2154 # what fails is noted; rounds, many and tmp are the script's

# quiet runs git brew in a clone, and keeps what it says in its log.
quiet() {
    local clone=$1
    shift
    echo "\$ git brew $*" >>"$work/$clone.log"
    git -C "$work/$clone" brew "$@" >>"$work/$clone.log" 2>&1
}
refs() { git -C "$work/$1" for-each-ref --format='%(objectname) %(refname)' refs/brew/tasks; }
# missed notes what fell short, with the last line of a clone's log.
missed() {
    short+=("$1${2:+ ($(tail -1 "$work/$2.log"))}")
}
create() { git -C "$work/$1" brew --porcelain create --no-switch "$2" | cut -f 1; }
same() { [ -n "$(refs laptop)" ] && [ "$(refs laptop)" = "$(refs desk)" ]; }
# starts runs `git brew start` in a clone, and notes its exit code.
starts() {
    local code=0
    quiet "$1" start "$2" || code=$?
    echo "$code" >"$work/$1.code"
}

# race lets both clones start one task at once: one gets it, the other is told.
race() {
    local round task codes won=0 both=0 none=0
    for ((round = 1; round <= rounds; round++)); do
        task=$(create laptop "Race $round")
        quiet laptop sync && quiet desk sync || true
        starts laptop "$task" &
        local one=$!
        starts desk "$task" &
        wait "$one" "$!"
        codes=$(sort -n "$work/laptop.code" "$work/desk.code" | tr '\n' ' ')
        case $codes in
        '0 3 ') won=$((won + 1)) ;;
        '0 0 ') both=$((both + 1)) ;;
        *) none=$((none + 1)) odd=$codes ;;
        esac
    done
    held+=("$won of $rounds races")
    [ "$both" -eq 0 ] || missed "$both of $rounds races had two winners"
    [ "$none" -eq 0 ] || missed "$none of $rounds races ended with exit codes ${odd}" desk
}

# trial SERVER URL prints a line: what held, ms for each ref, what fell short.
trial() {
    local url=$2 held=() short=() task other n begun idle each='' odd=''
    work=$tmp/work-$1
    mkdir -p "$work"
    git init -q "$work/laptop"
    git -C "$work/laptop" commit -q --allow-empty -m begin
    git -C "$work/laptop" remote add origin "$url"
    if ! git -C "$work/laptop" push -q -u origin main >"$work/laptop.log" 2>&1 || ! git clone -q "$url" "$work/desk" >"$work/desk.log" 2>&1; then
        echo "$1: a plain push or clone failed: $(tail -1 "$work/laptop.log")"
        return
    fi

    task=$(create laptop 'Fix the login')
    other=$(create laptop 'Add JWT auth')
    if quiet laptop sync && quiet desk sync && same; then held+=('first sync'); else missed 'the first sync' laptop; fi

    quiet laptop edit "$task" --title 'Fix the login on Safari' || missed 'edit' laptop
    quiet desk edit "$task" --priority high || missed 'edit' desk
    quiet desk edit "$other" --title 'Add JWT' || missed 'edit' desk
    quiet laptop sync && quiet desk sync && quiet laptop sync || missed 'a sync' desk
    if same; then held+=('converge'); else missed 'they do not converge' desk; fi

    race
    quiet laptop sync && quiet desk sync && quiet laptop sync || missed 'a sync after the races' desk
    same || missed 'they differ after the races' desk

    for ((n = 1; n <= many; n++)); do create laptop "Many $n" >/dev/null; done
    begun=$(now)
    quiet laptop sync || missed "the sync of $many tasks" laptop
    each=$(($(now) - begun))
    begun=$(now)
    quiet laptop sync || missed 'the sync of nothing' laptop
    idle=$(($(now) - begun))
    quiet desk sync || missed "to take $many tasks" desk
    if same; then held+=("$many tasks at once"); else missed "$many tasks did not arrive" desk; fi

    quiet laptop finish "$task" --status cancelled --reason trial && quiet laptop archive "$task" && quiet laptop sync || missed 'the archive' laptop
    quiet desk sync || missed 'to take the archive' desk
    if same && ! refs desk | grep -q "/$task\$" && ! git -C "$work/laptop" ls-remote origin | grep -q "/tasks/$task\$" &&
        git -C "$work/desk" brew list --archived | grep -q Safari; then
        held+=('archive')
    else
        missed 'the archived task is still there, or lost' desk
    fi

    local line IFS=,
    line="$1: held: ${held[*]}; $(((each - idle) / many)) ms for each ref ($each ms for $many tasks, $idle ms for nothing)"
    [ ${#short[@]} -eq 0 ] || line="$line; FELL SHORT: ${short[*]}"
    echo "${line//,/, }"
}
