// Package hooks is the adapter for Claude Code: one JSON object in, one JSON
// object or nothing out. It decides what to answer; every change of state goes
// through Brew, which it declares and others implement.
//
// It never blocks because of its own failure: what it can't read or write is
// said in one line on standard error, and the agent goes on. Only a call that
// the discussion mode judges is answered with "ask" then. It never prints what
// the client would drop: every answer is checked against the contract first.
// It never prints to a terminal, runs a process, or opens a file.
//
// Glossary
//
//	payload   what the client writes on standard input
//	reply     what a handler answers; the contract says what its event allows
//	place     where a hook runs: directory, project, session
//	spot      a place that has a say in what a tool writes
//	view      what Brew knows about that place, cheap enough for every call
//	gate      in discussion mode: what may run is decided here, call by call
//	holder    the session that holds the task's lock
//	worker    a sub-agent that does a phase's work and owes a report; the
//	          others (coordinator, Explore, …) are system agents
package hooks
