// Package adapter answers what package hooks asks about a repository: it is the port of an
// agent's events on the use cases. It opens repositories for an agent, and says when it
// can't.
package adapter
