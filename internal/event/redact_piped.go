package event

import "strings"

// findPiped finds what is printed for a program that reads a password:
// echo SECRET | docker login --password-stdin.
func findPiped(s string, found *spans) {
	for _, reader := range [...]string{"--password-stdin", "--with-token", "sudo -S", "chpasswd"} {
		occurrences(s, reader, func(at int) {
			low := max(0, at-maxFlagged)
			pipe := low + strings.LastIndexByte(s[low:at], '|')
			if pipe < low || strings.ContainsAny(s[pipe+1:at], "\n;&") {
				return
			}
			for _, prints := range [...]string{"echo", "printf"} {
				from := strings.LastIndex(s[low:pipe], prints)
				if from < 0 || !startsAt(s, low+from) {
					continue
				}
				behind := low + from + len(prints)
				words := wordsOf(s, behind)
				if len(words) == 0 || !isSpace(s[behind]) {
					continue
				}
				if end := words[len(words)-1].to; end > pipe || strings.Trim(s[end:pipe], " \t") != "" {
					continue
				}
				for _, w := range words {
					v := unquoted(s, w)
					text := s[v.from:v.to]
					if text != "" && text[0] != '-' && secretText(text) && sureOf(text) == noSecret {
						found.add(v.from, v.to)
					}
				}
			}
		})
	}
}
