package plugin

// Manifest is the plugin's description for clients. It names no version: the client takes
// the commit's, and the file stays the same from one git brew to the next.
func Manifest() []byte {
	return []byte(`{
  "name": "brew",
  "description": "` + about + `",
  "author": {"name": "git brew"},
  "homepage": "` + home + `",
  "repository": "` + home + `",
  "keywords": ["git", "tasks", "workflow", "hooks"]
}
`)
}

// Marketplace is the list of plugins that clients add by the directory's address: this
// one, in that directory itself.
func Marketplace() []byte {
	return []byte(`{
  "name": "git-brew",
  "owner": {"name": "git brew"},
  "description": "` + about + `",
  "plugins": [
    {"name": "brew", "source": "./", "description": "` + about + `"}
  ]
}
`)
}

const (
	about = "Tasks, phases, reviews and what was learned, kept in git: skills, agents and hooks of git brew"
	home  = "https://github.com/git-brew/git-brew"
)
