package prompt

import "testing"

// A line that wraps, and ends or begins with what was taken out or a picture, is no
// sentence of its own.
func TestPrompt_wrappedLinesSayMore(t *testing.T) {
	phrases := Phrases([]string{"start work", "go ahead", "make it so"})
	for _, text := range []string{
		"We want the service to\nstart work `before login`", "it must never\ngo ahead `x`",
		"please make the button say\n\"Submit\" go ahead", "i don't want you to\nmake it so 👍",
	} {
		if said, is := Hear(text, phrases).Order(phrases); is {
			t.Errorf("%q orders %q", text, said)
		}
	}
	if _, is := Hear("ok\ngo ahead!", phrases).Order(phrases); !is {
		t.Error("a line of its own is no order")
	}
}
