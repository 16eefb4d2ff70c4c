package worker

import (
	"strconv"
	"time"
)

// tooManyRequests is HTTP's status of a limit that is reached.
const tooManyRequests = 429

// readerOf is what reads a client's events; nil where nobody does.
func readerOf(client string) func(*Stream, event) {
	switch client {
	case "claude", "cursor": // whose events are Claude Code's
		return readClaude
	case "codex":
		return readCodex
	case "copilot":
		return readCopilot
	case "gemini":
		return readGemini
	case "opencode":
		return readOpencode
	}
	return nil
}

// readClaude reads `claude -p --output-format stream-json`. A result with is_error is a
// failure whatever its subtype says, and one without a text, too: the client ends so where
// its account's limit is reached. An account that goes on beyond its limit, for more money, is at
// none.
func readClaude(s *Stream, e event) {
	switch e.text("type") {
	case "assistant":
		for _, part := range at[[]event](e, "message", "content") {
			switch part.text("type") {
			case "text":
				s.message(part.text("text"))
			case "tool_use":
				s.named(part.text("name"))
			}
		}
	case "rate_limit_event":
		kind := e.text("rate_limit_info", "rateLimitType")
		switch {
		case e.text("rate_limit_info", "status") == "rejected" && !at[bool](e, "rate_limit_info", "isUsingOverage"):
			s.limit = kind
			s.limited(e.number("rate_limit_info", "resetsAt"))
		case s.report.Limited && s.limit == kind: // it is lifted
			s.report.Limited, s.report.LimitedUntil = false, time.Time{}
		}
	case "result":
		s.report.Ended, s.text = true, []byte(e.text("result"))
		s.report.Usage = Usage{
			Input: e.tokens("usage", "input_tokens") + e.tokens("usage", "cache_read_input_tokens") +
				e.tokens("usage", "cache_creation_input_tokens"),
			Output: e.tokens("usage", "output_tokens"), CostUSD: e.dollars("total_cost_usd"),
		}
		failed := at[bool](e, "is_error") || e.text("subtype") != "success"
		switch {
		case failed:
			s.fails(string(s.text), e.text("subtype"))
		case len(s.text) == 0:
			s.fails("the result is empty")
		}
		if failed && e.number("api_error_status") == tooManyRequests && !s.report.Limited {
			s.limited(0)
		}
	}
}

// readCodex reads `codex exec --json`. An error beside a turn is no end of it: the client
// tries again. Its errors have a message alone: a limit of the account is a failure as any other.
func readCodex(s *Stream, e event) {
	switch e.text("type") {
	case "turn.started":
		s.report.Failed = ""
	case "item.completed":
		if e.text("item", "type") == "agent_message" {
			s.text = []byte(e.text("item", "text"))
		}
	case "error":
		s.fails(e.text("message"))
	case "turn.completed":
		s.report.Ended, s.report.Failed = true, ""
		s.report.Usage.Input += e.tokens("usage", "input_tokens")
		s.report.Usage.Output += e.tokens("usage", "output_tokens")
		if len(s.text) == 0 {
			s.fails("there is no message")
		}
	case "turn.failed":
		s.report.Ended = true
		s.fails(e.text("error", "message"))
	}
}

// readOpencode reads `opencode run --format json`. It has no event for the end of all: a
// step that calls no tools is the last one. At most limits it tries again by itself, and is silent.
func readOpencode(s *Stream, e event) {
	switch e.text("type") {
	case "text":
		s.message(e.text("part", "text"))
	case "step_finish":
		s.report.Usage.CostUSD += e.dollars("part", "cost")
		s.report.Usage.Input += e.tokens("part", "tokens", "input") + e.tokens("part", "tokens", "cache", "read")
		s.report.Usage.Output += e.tokens("part", "tokens", "output")
		reason := e.text("part", "reason") // after these two it goes on
		s.report.Ended = reason != "tool-calls" && reason != "unknown"
	case "error":
		s.report.Ended = true
		s.fails(e.text("error", "data", "message"), e.text("error", "name"), e.text("error"))
		if e.number("error", "data", "statusCode") == tooManyRequests {
			s.limited(e.after("error", "data", "responseHeaders", "retry-after"))
		}
	}
}

// readGemini reads `gemini --output-format stream-json`.
func readGemini(s *Stream, e event) {
	switch e.text("type") {
	case "message":
		if e.text("role") == "assistant" {
			s.says(e.text("content"))
		}
	case "result":
		s.report.Ended = true
		s.report.Usage.Input = e.tokens("stats", "input_tokens")
		s.report.Usage.Output = e.tokens("stats", "output_tokens")
		switch {
		case e.text("status") != "success":
			s.fails(e.text("error", "message"), e.text("error", "type"))
			switch e.text("error", "type") {
			case "TerminalQuotaError", "RetryableQuotaError":
				s.limited(0)
			}
		case len(s.text) == 0:
			s.fails("there is no message")
		}
	}
}

// readCopilot reads `copilot -p --output-format json`, whose events have what they tell in
// "data". Its errors of limits name no time.
func readCopilot(s *Stream, e event) {
	switch e.text("type") {
	case "assistant.message":
		s.text = []byte(e.text("data", "content"))
		s.report.Usage.Output += e.tokens("data", "outputTokens")
	case "session.error":
		kind := e.text("data", "errorType")
		s.fails(e.text("data", "message"), kind)
		if kind == "rate_limit" || kind == "quota" || e.number("data", "statusCode") == tooManyRequests {
			s.limited(0)
		}
	case "result":
		s.report.Ended = true
		if code := e.number("exitCode"); code != 0 {
			s.fails(s.report.Failed, e.code("exitCode"))
		}
	}
}

// after is the time, in milliseconds, that lies so many seconds after an event as a text in it
// says; 0 where it says none.
func (e event) after(keys ...string) int64 {
	at, seconds := e.number("timestamp"), 0.0
	if seconds, _ = strconv.ParseFloat(e.text(keys...), 64); at <= 0 || !(seconds > 0 && seconds <= maxLimit.Seconds()) {
		return 0
	}
	return at + int64(seconds*1000)
}
