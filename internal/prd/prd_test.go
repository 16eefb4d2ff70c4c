package prd

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// BR-1, BR-2: what Brigade wrote is read, and comes out as it was.
func TestDecode_BR1_BR2_thereAndBack(t *testing.T) {
	text := `{
  "featureName": "Auth",
  "branchName": "feature/auth",
  "walkaway": true,
  "tasks": [
    {
      "id": "US-001",
      "title": "Add the user model",
      "acceptanceCriteria": [
        "a user has an id"
      ],
      "verification": [
        "go test ./user",
        {
          "type": "smoke",
          "cmd": "curl -f localhost:8080"
        }
      ],
      "dependsOn": [],
      "complexity": "junior",
      "passes": false
    }
  ]
}
`
	p, err := Decode([]byte("\ufeff" + text))
	if err != nil {
		t.Fatal(err)
	}
	want := []Check{{"", "go test ./user"}, {"smoke", "curl -f localhost:8080"}}
	if !reflect.DeepEqual(p.Stories[0].Checks, want) {
		t.Errorf("checks: %+v, want %+v", p.Stories[0].Checks, want)
	}
	if out, err := Encode(p); err != nil || string(out) != text {
		t.Errorf("%v\n%s", err, out)
	}
}

func TestDecode_saysWhere(t *testing.T) {
	for text, want := range map[string]string{
		"{\n\"featureName\": \"a\",\n}":   "line 3: ",
		`[]`:                              "it is to be an object, not array",
		`{"tasks": {}, "featureName": 7}`: "tasks: it is to be an array, not object",
		`{"tasks": [{"id": "a", "verification":[[]]}]}`:  "tasks[0].verification[0]: a verification is a command, or an object",
		`{"tasks": [{}, {"id": 7}, {"dependsOn": "x"}]}`: "tasks[1].id: it is to be a string, not number; tasks[2].dependsOn: it is to be an array, not string; featureName: ",
		`{"tasks": [{"dependsOn": ["a", 1e400]}]}`:       "tasks[0].dependsOn: it is to be a string, not number",
		`{"tasks": [7]}`: "tasks[0]: it is to be an object, not number",
		// each field by itself, and nothing else of one that was not read
		`{"featureName": "f", "walkaway": 1, "branchName": 2, "tasks": [{"title": 4, "id": 3, "dependsOn": "A",
			"verification": "x", "acceptanceCriteria": "z", "complexity": "auto"}]}`: "<nil>; " +
			"branchName: it is to be a string, not number; walkaway: it is to be true or false, not number; " +
			"tasks[0].acceptanceCriteria: it is to be an array, not string; " +
			"tasks[0].dependsOn: it is to be an array, not string; tasks[0].id: it is to be a string, not number; " +
			"tasks[0].title: it is to be a string, not number; tasks[0].verification: it is to be an array, not string.",
	} {
		p, err := Decode([]byte(text))
		told := []string{fmt.Sprint(err)}
		for _, f := range Validate(p) {
			told = append(told, f.String())
		}
		if all := strings.Join(told, "; ") + "."; !strings.Contains(all, want) {
			t.Errorf("%s: %s, want %q", text, all, want)
		}
	}
}

// A field that means nothing here is told wherever it stands.
func TestValidate_BR3_unknownFields(t *testing.T) {
	p, err := Decode([]byte(`{"featureName": "a", "owner": "b", "tasks": [{"id": "1", "notes": "c",
		"verification": ["go test", {"TYPE": "unit", "cmd": "go vet", "expected": "d"}]}]}`))
	if err != nil {
		t.Fatal(err)
	}
	var have []string
	for _, f := range Validate(p) {
		if strings.Contains(f.Text, "left out") {
			have = append(have, f.Path)
		}
	}
	if want := []string{"owner", "tasks[0].notes", "tasks[0].verification[1].expected"}; !slices.Equal(have, want) {
		t.Errorf("told %q, want %q", have, want)
	}
}

// BR-2: the kind of a check whose file does not say it.
func TestKindOf_BR2(t *testing.T) {
	for command, want := range map[string]string{
		"grep -q user main.go": Pattern, "[ -f a ]": Pattern, "ls dist": Pattern,
		"go test ./...": Unit, "npx jest user": Unit, "pytest -k integration": Integration, "npm run test:e2e": Integration,
		"curl -f localhost": Smoke, "make": Smoke, "latest": Smoke,
		"! grep -q TODO a.go": Pattern, "git grep -q user": Pattern, "bash -c 'grep a b | wc -l'": Pattern,
		"echo ok": Pattern, "true": Pattern, ":": Pattern, "test -f a && grep b a": Pattern, "cd web && ls dist": Pattern,
		`[ "$(grep -c user a)" -ge 2 ]`: Pattern, "LC_ALL=C grep a b": Pattern, "cat tests/a | head -1": Pattern,
		"[ -x a ] && ./a": Smoke, "./a | grep b": Smoke, "grep a b && go test ./...": Unit, "cd web && npm test": Unit,
		`[ "$(go run .)" = hello ]`: Smoke, "curl -s localhost | grep hello": Smoke, "bash -c 'go test ./...'": Unit,
	} {
		if got := (Check{Command: command}).KindOf(); got != want {
			t.Errorf("%s: %s, want %s", command, got, want)
		}
	}
	if got := (Check{Kind: Smoke, Command: "grep x"}).KindOf(); got != Smoke {
		t.Errorf("what the file says counts: %s", got)
	}
}

// BR-2: a check is kept as one line, with the kind that its file says.
func TestCheckOf_BR2_thereAndBack(t *testing.T) {
	for line, want := range map[string]Check{
		"go test ./user":               {"", "go test ./user"},
		"go test ./user # unit":        {Unit, "go test ./user"},
		"bash -c 'a | b' # smoke":      {Smoke, "bash -c 'a | b'"},
		"make # for the user":          {"", "make # for the user"},
		`make \ # unit`:                {"", `make \ # unit`},
		"# unit":                       {"", "# unit"},
		"grep '# unit' a # pattern":    {Pattern, "grep '# unit' a"},
		"go test # unit # integration": {Integration, "go test # unit"},
	} {
		if got := CheckOf(line); got != want || got.String() != line {
			t.Errorf("%s: %+v, %q", line, got, got)
		}
	}
	if got := (Check{"manual", "make"}).String(); got != "make" {
		t.Errorf("a kind that nobody knows: %s", got)
	}
}

// BR-3: what takes away, and what leaves the work, verifies nothing, however it is started.
func TestValidate_BR3_dangerous(t *testing.T) {
	for command, want := range map[string]bool{
		"rm -rf build": true, "bash -c 'rm -rf build'": true, "make test; rm -f out": true, "timeout": false,
		"sh -c \"cd a && sudo make\"": true, "ls | xargs rm": true, "! git push": true, "FOO=1 /bin/rm a": true,
		"grep 'rm -rf' a.sh": false, "git diff --exit-code": false, "go test -run Farm": false,
	} {
		if got := dangerous(command); (got != "") != want {
			t.Errorf("%s: %q", command, got)
		}
	}
}

// good is a story that nothing is wrong with.
func good(id string, after ...string) Story {
	return Story{
		ID: id, Title: "Add " + id, Acceptance: []string{"it answers 200"}, Complexity: "auto", DependsOn: after,
		Checks: []Check{{Command: "go test ./..."}},
	}
}

// BR-3, BR-4, BR-5: every finding, each with its path.
func TestValidate_BR3_BR4_BR5(t *testing.T) {
	change := func(f func(*Story)) []Story {
		s := good("a")
		f(&s)
		return []Story{s}
	}
	typed := func(kind, command string) func(*Story) {
		return func(s *Story) { s.Checks = []Check{{kind, command}} }
	}
	for name, c := range map[string]struct {
		stories  []Story
		walkaway bool
		want     []string
	}{
		"nothing wrong": {stories: []Story{good("a"), good("b", "a")}},
		"no story":      {want: []string{"E tasks: there is no story"}},
		"two of one name": {
			stories: []Story{good("a"), good("a")},
			want:    []string{"E tasks[1].id: tasks[0] is called a, too"},
		},
		"no name": {
			stories: change(func(s *Story) { s.ID = " " }),
			want:    []string{"E tasks[0].id: the story has no id"},
		},
		"no title": {
			stories: change(func(s *Story) { s.Title = "" }),
			want:    []string{"E tasks[0].title: the story has no title"},
		},
		"unknown complexity": {
			stories: change(func(s *Story) { s.Complexity = "hard" }),
			want:    []string{`E tasks[0].complexity: "hard" is none of junior, senior, executive, auto`},
		},
		"no complexity": {
			stories: change(func(s *Story) { s.Complexity = "" }),
			want:    []string{"W tasks[0].complexity: nothing says how hard the story is; auto is taken"},
		},
		"depends on nobody": {
			stories: []Story{good("a", "a2", "b")},
			want:    []string{"E tasks[0].dependsOn[0]: there is no story a2", "E tasks[0].dependsOn[1]: there is no story b"},
		},
		"depends on itself": {
			stories: []Story{good("a", "a")},
			want:    []string{"E tasks[0].dependsOn: the story waits for itself: a, a"},
		},
		"a circle behind the first dependency": {
			stories: []Story{good("x"), good("a", "x", "b"), good("b", "x", "c"), good("c", "x", "a")},
			want:    []string{"E tasks[1].dependsOn: the story waits for itself: a, b, c, a"},
		},
		"no criteria": {
			stories: change(func(s *Story) { s.Acceptance = nil }),
			want:    []string{"W tasks[0].acceptanceCriteria: nothing says when the story is done"},
		},
		"vague criteria": {stories: change(func(s *Story) {
			s.Acceptance = []string{"It Works."}
		}), want: []string{`W tasks[0].acceptanceCriteria[0]: "works" can't be checked; say what is to be seen`}},
		"dangerous": {
			stories: change(typed("unit", "rm -rf /")),
			want:    []string{"E tasks[0].verification[0]: rm verifies nothing, and takes away"},
		},
		"unknown kind": {
			stories: change(typed("manual", "go test")), // which looks like a unit's
			want: []string{
				`W tasks[0].verification[0].type: "manual" is none of pattern, unit, integration, smoke; ` +
					`it is taken for what its command looks like`,
			},
		},
		"no command": {
			stories: change(typed("unit", "")),
			want:    []string{"E tasks[0].verification[0]: there is no command"},
		},
		"several lines": {
			stories: change(typed("unit", "if go test\nthen true\nfi")),
			want:    []string{"E tasks[0].verification[0]: a command is one line; more of them belong into a script"},
		},
		"a long command": {
			stories: change(typed("unit", "make "+strings.Repeat("x", 1500))),
			want: []string{
				"E tasks[0].verification[0]: a command has at most 1500 bytes; what is longer belongs into a script",
			},
		},
		"more than anybody works on": {
			stories: make([]Story, 1001), want: []string{"E tasks: there are 1001 stories; a list has at most 1000"},
		},
		"only looked for": {
			stories: change(typed("", "grep x y")),
			want:    []string{`W tasks[0].verification: a story that says "add" wants a check of one of these kinds: unit, integration, smoke`},
		},
		"typed says otherwise": {stories: change(typed("unit", "grep x y"))},
		"integrates": {stories: change(func(s *Story) { s.Title = "Add and connect the login" }), want: []string{
			`W tasks[0].verification: a story that says "connect" wants a check of one of these kinds: integration`,
		}},
		"nobody watches, looked for": {stories: change(typed("", "grep x y")), walkaway: true, want: []string{
			`W tasks[0].verification: a story that says "add" wants a check of one of these kinds: unit, integration, smoke`,
			"E tasks[0].verification: nobody watches, and no check of the story runs anything of it",
		}},
		"nobody watches, typed as looking": {stories: change(typed("pattern", "go vet")), walkaway: true, want: []string{
			`W tasks[0].verification: a story that says "add" wants a check of one of these kinds: unit, integration, smoke`,
			"E tasks[0].verification: nobody watches, and no check of the story runs anything of it",
		}},
		"nobody watches, looking that is called a test": {stories: change(
			typed("unit", "! grep x y")), walkaway: true, want: []string{
			"E tasks[0].verification: nobody watches, and no check of the story runs anything of it",
		}},
		"nobody watches, a program of the work runs": {stories: change(typed("", "./x | grep y")), walkaway: true},
		"nobody watches, somebody has to": {
			stories: change(func(s *Story) { s.Manual = true }), walkaway: true,
			want: []string{
				"E tasks[0].manualVerification: nobody is there to look",
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, f := range Validate(PRD{FeatureName: "f", Walkaway: c.walkaway, Stories: c.stories}) {
				got = append(got, map[bool]string{true: "W ", false: "E "}[f.Warning]+f.String())
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(c.want, "\n"))
			}
		})
	}
}

// A list of stories has a circle exactly where they can't be put in an order.
func TestValidate_BR3_circlesAreWhatCannotBeOrdered(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 8).Draw(t, "stories")
		stories := make([]Story, n)
		for i := range stories {
			var after []string
			for range rapid.IntRange(0, 3).Draw(t, "dependencies") {
				after = append(after, fmt.Sprint(rapid.IntRange(0, n-1).Draw(t, "on")))
			}
			stories[i] = good(fmt.Sprint(i), after...)
		}
		left := slices.Clone(stories)
		for done, again := map[string]bool{}, true; again; {
			again = false
			left = slices.DeleteFunc(left, func(s Story) bool {
				for _, id := range s.DependsOn {
					if !done[id] {
						return false
					}
				}
				done[s.ID], again = true, true
				return true
			})
		}
		found := Validate(PRD{FeatureName: "f", Stories: stories})
		if (len(found) > 0) != (len(left) > 0) {
			t.Fatalf("%d stories can't be ordered; %v", len(left), found)
		}
	})
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte(`{"featureName":"a","tasks":[{"id":"a","verification":[{"type":"unit","cmd":"x"},"y"]}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := Decode(data)
		if err != nil {
			return
		}
		Validate(p)
		out, err := Encode(p)
		if err != nil {
			t.Fatal(err)
		}
		again, err := Decode(out)
		if err != nil {
			t.Fatal(err)
		}
		if twice, err := Encode(again); err != nil || string(twice) != string(out) {
			t.Errorf("%v\n%s\n%s", err, out, twice)
		}
	})
}
