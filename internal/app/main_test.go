package app_test

import (
	"testing"

	"github.com/git-brew/git-brew/internal/gitstore/gitstoretest"
)

func TestMain(m *testing.M) {
	gitstoretest.InMemory()
	m.Run()
}
