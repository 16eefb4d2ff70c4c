// Package hooks answers an agent at the events of its session: one JSON object in, one
// JSON object or nothing out. Every change of state goes through Brew, which it declares
// and others implement.
//
//	handle.go   one call, from standard input to the answer, and what becomes of errors
//	claude      the client's JSON; where another agent's protocol has its place, too
//	dispatch.go which handler answers which event; the handlers are a file each
//	gate        whether the agent may do what it is about to: asked by pre_tool.go
//	place       where the hook runs, and what is known of that; shown: how it is told
//
// It never blocks because of its own failure: what it can't read or write is
// said in one line on standard error, and the agent goes on. Only a call that
// the discussion mode judges is answered with "ask" then. It never prints what
// the client would drop. It never prints to a terminal, runs a process, or opens a file.
//
// The holder is the session that holds the task's lock; a worker a sub-agent that does a
// phase's work and owes a report. The others (coordinator, Explore, …) are system agents.
package hooks
