package shellgate

import "strings"

// fetching are schemes with which curl only fetches. With talking ones the path is
// what it says to whatever listens there.
const (
	fetching = "http https file ftp ftps sftp scp ws wss"
	talking  = "dict gopher gophers imap imaps ipfs ipns ldap ldaps mqtt mqtts pop3 pop3s rtmp rtmpe rtmps rtmpt rtmpte rtmpts rtsp smb smbs smtp smtps telnet tftp"
)

// guessed are beginnings of a host's name that stand for a scheme where an address
// has none.
const guessed = "dict. imap. ldap. pop3. smtp."

// urlProblem looks at the addresses that a command is to fetch.
func (j *judge) urlProblem(s scanned) *problem {
	urls := s.operands
	for _, o := range s.options {
		if o.name == "--url" {
			urls = append(urls[:len(urls):len(urls)], o.value)
		}
	}
	for _, u := range urls {
		all, ok := j.values(u, 0)
		if !ok {
			return &problem{reason: HiddenPlace, detail: u.src}
		}
		for _, address := range all {
			if why := leads(address); why != "" {
				return &problem{reason: why, detail: u.src}
			}
		}
	}
	return nil
}

// leads says why an address is not only fetched: Sends, or HiddenPlace where its
// scheme, which may be guessed from the host, is not known; empty: it is.
func leads(address string) Reason {
	text := strings.ToLower(strings.TrimLeft(address, " \t\n"))
	end := 0
	for end < len(text) && strings.IndexByte("abcdefghijklmnopqrstuvwxyz0123456789+-.", text[end]) >= 0 {
		end++
	}
	scheme, rest := text[:end], text[end:]
	const parts = unknowns + "{[%" // of what curl is told, but for the last a pattern
	switch {
	case strings.HasPrefix(rest, ":/"):
		if has(fetching, scheme) {
			return ""
		}
		return Sends
	case strings.HasPrefix(rest, ":") && has(talking, scheme) && len(rest) > 1 && strings.IndexByte(parts, rest[1]) >= 0:
		return HiddenPlace
	case rest != "" && strings.IndexByte(parts, rest[0]) >= 0 && (scheme != "" || rest[0] != byte(number)):
		for t := range strings.FieldsSeq(talking) {
			if strings.HasPrefix(t, scheme) {
				return HiddenPlace
			}
		}
	}
	host := text
	if i := strings.IndexAny(host, "/?#"); i >= 0 {
		host = host[:i]
	}
	// What is not known may hold the name of a user, too.
	if strings.ContainsAny(host, string(hole)+string(other)+string(solid)+"{[") {
		return HiddenPlace
	}
	host = host[strings.LastIndexByte(host, '@')+1:]
	for g := range strings.FieldsSeq(guessed) {
		if strings.HasPrefix(host, g) {
			return Sends
		}
	}
	if strings.Contains(host, "%") {
		return HiddenPlace
	}
	return ""
}
