package setup

import "path/filepath"

// AgentSettings are the files in which the agent's client may find git brew's
// hooks, or be told to leave them out, there or not: of each of the directories
// that it may have been started in, and of its user's (claude.Dir). Empty ones
// are passed over.
func AgentSettings(workTree, projectDir, client string) []string {
	var files []string
	for _, top := range []string{workTree, projectDir} {
		if top != "" {
			files = append(files, filepath.Join(top, localSettings), filepath.Join(top, sharedSettings))
		}
	}
	if client != "" {
		files = append(files, filepath.Join(client, filepath.Base(localSettings)),
			filepath.Join(client, filepath.Base(sharedSettings)))
	}
	return files
}
