package setup

import "path/filepath"

// AgentSettings are the files in which the agent's client may find git brew's
// hooks, or be told to leave them out, there or not: of each of the directories
// that it may have been started in, of the user's home, and of the directory that
// stands in its place. Empty ones are passed over.
func AgentSettings(workTree, projectDir, home, config string) []string {
	var files []string
	for _, top := range []string{workTree, projectDir, home} {
		if top != "" {
			files = append(files, filepath.Join(top, localSettings), filepath.Join(top, sharedSettings))
		}
	}
	if config != "" {
		files = append(files, filepath.Join(config, filepath.Base(localSettings)), filepath.Join(config, filepath.Base(sharedSettings)))
	}
	return files
}
