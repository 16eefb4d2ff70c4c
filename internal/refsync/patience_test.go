package refsync

import (
	"testing"
	"time"

	"github.com/git-brew/git-brew/internal/gitstore/gitstoretest"
)

// A remote may be silent for as long as the setting says, and a push for a little
// longer for each ref; a person may take their time only where ssh could ask them.
func TestPatience(t *testing.T) {
	for _, c := range []struct {
		url, instead string
		login        bool
	}{
		{"git@example.org:hub.git", "", true},
		{"example.org:hub.git", "", true},
		{"ssh://example.org/hub.git", "", true},
		{"git+ssh://example.org/hub.git", "", true},
		{"https://example.org/hub.git", "", false},
		{"https://example.org/hub.git", "https://example.org/", true}, // written anew, who knows how
		{"http://example.org:8080/hub.git", "", false},
		{"git://example.org/hub.git", "", false},
		{"file:///srv/hub.git", "", false},
		{"../hub.git", "", false},
		{"./a:b/hub.git", "", false},
	} {
		f := gitstoretest.New(t)
		f.Git("remote", "add", "origin", c.url)
		if c.instead != "" {
			f.Git("config", "url.git@example.org:.insteadOf", c.instead)
		}
		config, err := f.Open().Config.Read(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		p := Remote{Name: "origin", Silence: time.Minute, Login: time.Hour}.patience(config, 100)
		if p.Silence != 85*time.Second || (p.Login == time.Hour) != c.login {
			t.Errorf("%s: %+v", c.url, p)
		}
		if p := (Remote{Name: "origin", Login: time.Hour}).patience(config, 100); p.Silence != 0 || p.Login != 0 {
			t.Errorf("%s, for ever: %+v", c.url, p)
		}
	}
}
