package config

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/git-brew/git-brew/internal/app/clone"
	"github.com/git-brew/git-brew/internal/gitstore/place"
)

// Settings are the settings in force: git's configuration over the shared one
// over the defaults. A value that is not valid is reported and its default used.
type Settings struct {
	values   map[Key][]string
	from     map[Key]string
	Warnings []string
	broken   *clone.RecordError // why there are no shared settings
	OnTrust  []clone.Content    // shared ones that are in force only on trust
}

// Unread says that the shared settings can't be read, in a line, if so.
func (o *Settings) Unread() []string {
	if o.broken == nil {
		return nil
	}
	return []string{o.broken.Error()}
}

// settingsHint is about how many settings there are.
const settingsHint = 48

// Defaults are the settings where nobody set any.
func Defaults() *Settings {
	o := &Settings{values: make(map[Key][]string, settingsHint), from: make(map[Key]string, settingsHint)}
	for _, row := range AllSettings() {
		if len(row.Default) > 0 {
			o.Put(row.Key, "default", row.Default...)
		}
	}
	return o
}

// Put gives a setting values that were checked; from says who set them.
func (o *Settings) Put(k Key, from string, values ...string) { o.values[k], o.from[k] = values, from }

// Settings reads the settings, once.
func (s *Config) Settings(ctx context.Context) (*Settings, error) {
	if s.settings != nil {
		return s.settings, nil
	}
	config, err := s.Clone.Repo.Config.Read(ctx)
	if err != nil {
		return nil, fmt.Errorf("read git's configuration: %w", err)
	}
	out := Defaults()
	shared, err := s.Shared(ctx)
	if !errors.As(err, &out.broken) && err != nil {
		return nil, err
	}
	own := config.WithPrefix("brew.")
	for _, row := range AllSettings() {
		if len(shared) > 0 {
			if err := s.takeShared(ctx, out, row, shared[strings.ToLower(string(row.Key))]); err != nil {
				return nil, err
			}
		}
		if len(own) > 0 {
			out.take(row, "git", own["brew."+CanonicalKey(row.Key)])
		}
	}
	out.OnTrust = slices.DeleteFunc(out.OnTrust, func(c clone.Content) bool {
		row, err := LookupSetting(c.Key)
		return err != nil || out.from[row.Key] == "git"
	})
	s.settings = out
	return out, nil
}

// takeShared takes what the shared configuration says of a setting, as far as it
// is in force here. Of what is not trusted, not even faults are told.
func (s *Config) takeShared(ctx context.Context, out *Settings, row Setting, values []string) error {
	switch {
	case len(values) == 0 || row.Shared == neverShared:
		return nil
	case row.Shared == freelyShared:
		out.take(row, "shared", values)
		return nil
	}
	c := settingContent(row.Key, values)
	trusted, err := s.Clone.Trusted(ctx, c)
	if trusted {
		out.take(row, "shared", values)
	}
	if slices.ContainsFunc(values, func(v string) bool { return row.Validate(v) == nil }) {
		out.OnTrust = append(out.OnTrust, c)
	}
	return err
}

// CanonicalKey is the key as git prints it: section and name in lower case,
// what is between them as it is written in the table.
func CanonicalKey(k Key) string {
	text := string(k)
	i := strings.LastIndex(text, ".")
	if i < 0 {
		return strings.ToLower(text)
	}
	return text[:i] + "." + strings.ToLower(text[i+1:])
}

func (o *Settings) take(row Setting, from string, values []string) {
	var good []string
	for _, v := range values {
		if err := row.Validate(v); err != nil {
			o.Warnings = append(o.Warnings, err.Error())
			continue
		}
		if !slices.Contains(good, v) { // a list may stand in several files of git's
			good = append(good, v)
		}
	}
	if len(good) == 0 {
		return
	}
	if !row.many() {
		good = good[len(good)-1:]
	}
	o.Put(row.Key, from, good...)
}

// Text is the value of a setting, "" where it has none.
func (o *Settings) Text(k Key) string {
	if v := o.values[k]; len(v) > 0 {
		return v[0]
	}
	return ""
}

// List is all values of a setting.
func (o *Settings) List(k Key) []string { return o.values[k] }

// From says where the value comes from: git, shared or default.
func (o *Settings) From(k Key) string { return o.from[k] }

// Count is the value of a setting that is a number.
func (o *Settings) Count(k Key) int { return Count(o.Text(k)) }

// Share is the value of a setting that is a fraction.
func (o *Settings) Share(k Key) float64 { return amount(o.Text(k)) }

// amount is a number that was validated, or 0.
func amount(text string) float64 {
	f, _ := strconv.ParseFloat(text, 64)
	return f
}

// Bool is the value of a setting that is true or false.
func (o *Settings) Bool(k Key) bool {
	b, _ := place.ParseBool(o.Text(k))
	return b
}

// Period is the value of a setting that is a time; 0 for one that is none.
func (o *Settings) Period(k Key) time.Duration { return mustPeriod(o.Text(k)) }

// Count is a number that was validated, or 0.
func Count(text string) int {
	n, _ := strconv.Atoi(text)
	return n
}

// mustPeriod is a time that was validated, or 0.
func mustPeriod(text string) time.Duration {
	d, _ := ParsePeriod(text)
	return d
}

// ParsePeriod reads Go's durations and whole days.
func ParsePeriod(text string) (time.Duration, error) {
	if days, ok := strings.CutSuffix(text, "d"); ok {
		n, err := strconv.Atoi(days)
		if err != nil || n > 36500 {
			return 0, fmt.Errorf("%q is no number of days", days)
		}
		return time.Duration(n) * 24 * time.Hour, nil
	}
	return time.ParseDuration(text)
}

func settingContent(key Key, values []string) clone.Content {
	return clone.Content{Kind: clone.TrustSetting, Key: strings.ToLower(string(key)), Text: values}
}

// Forget has the settings read anew when they are asked for next.
func (s *Config) Forget() { s.settings = nil }
