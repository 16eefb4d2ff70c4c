package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/git-brew/git-brew/internal/cli"
)

// hookProgram is the program `hook` of the scripts: it calls `git-brew hook`
// in this process with a recorded payload on standard input.
//
//	hook PreToolUse.Write session_id=s1 tool_input.file_path=main.go
//
// cwd is the current directory; a field is set to a JSON value, or else to the
// text; dots lead into objects; `field-` takes a field away. Without a payload
// of that name, the event is the bare minimum. Another client's payload has its name in
// front (codex/PreToolUse.Bash), and is sent as that client sends it.
func hookProgram(args []string) int {
	if len(args) == 0 {
		fmt.Fprintln(os.Stderr, "usage: hook <event>[.<variant>] [<field>=<value> | <field>-]...")
		return cli.ExitUsage
	}
	payload, err := hookPayload(args[0], args[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, "hook:", err)
		return cli.ExitUsage
	}
	e := scriptEnv()
	e.In = bytes.NewReader(payload)
	call := []string{"hook"}
	if client, _, other := strings.Cut(args[0], "/"); other {
		call = append(call, "--agent", client)
	}
	return run(interruptible(), call, e)
}

func hookPayload(name string, changes []string) ([]byte, error) {
	event, _, _ := strings.Cut(filepath.Base(name), ".")
	payload := map[string]any{"hook_event_name": event, "session_id": "s1"}
	recorded, err := os.ReadFile(filepath.Join(os.Getenv(payloadsVariable), name+".json"))
	if err == nil {
		err = json.Unmarshal(recorded, &payload)
	} else if os.IsNotExist(err) {
		err = nil
	}
	if err != nil {
		return nil, err
	}
	if payload["cwd"], err = os.Getwd(); err != nil {
		return nil, err
	}
	for _, change := range changes {
		field, value, found := strings.Cut(change, "=")
		if !found {
			field, found = strings.CutSuffix(change, "-")
			if !found {
				return nil, fmt.Errorf("%q is neither field=value nor field-", change)
			}
			object, key := inside(payload, field)
			delete(object, key)
			continue
		}
		object, key := inside(payload, field)
		var parsed any
		if json.Unmarshal([]byte(value), &parsed) != nil {
			parsed = value
		}
		object[key] = parsed
	}
	return json.Marshal(payload)
}

// inside is the object that holds a dotted field, and the field's name in it.
func inside(payload map[string]any, field string) (map[string]any, string) {
	for {
		name, rest, dotted := strings.Cut(field, ".")
		if !dotted {
			return payload, field
		}
		next, ok := payload[name].(map[string]any)
		if !ok {
			next = map[string]any{}
			payload[name] = next
		}
		payload, field = next, rest
	}
}
