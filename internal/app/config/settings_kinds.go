package config

func text(key Key, shared sharing, help string) Setting {
	return Setting{Key: key, Kind: textValue, Shared: shared, Help: help}
}

func prefix(key Key, shared sharing, help string) Setting {
	return Setting{Key: key, Kind: prefixValue, Shared: shared, Help: help}
}

func versions(key Key, shared sharing, help string) Setting {
	return Setting{Key: key, Kind: rangeValue, Shared: shared, Help: help}
}

func globs(key Key, shared sharing, help string) Setting {
	return Setting{Key: key, Kind: globsValue, Shared: shared, Help: help}
}

// list is texts, each said to an agent or read as a permission: so trust decides.
func list(key Key, help string, defaults ...string) Setting {
	return Setting{Key: key, Kind: listValue, Default: defaults, Shared: sharedOnTrust, Help: help}
}

func flag(key Key, shared sharing, value, help string) Setting {
	return Setting{Key: key, Kind: boolValue, Default: []string{value}, Shared: shared, Help: help}
}

func choice(key Key, shared sharing, value, help string, choices ...string) Setting {
	return Setting{
		Key: key, Kind: choiceValue, Default: []string{value}, Choices: choices, Shared: shared, Help: help,
	}
}

// fraction is a fraction; value "": there is none.
func fraction(key Key, shared sharing, value, help string) Setting {
	s := Setting{Key: key, Kind: shareValue, Shared: shared, Help: help}
	if value != "" {
		s.Default = []string{value}
	}
	return s
}

// count is a number from least to most; value "": there is none.
func count(key Key, value, least, most, help string) Setting {
	s := Setting{Key: key, Kind: countValue, Bounds: []string{least, most}, Shared: freelyShared, Help: help}
	if value != "" {
		s.Default = []string{value}
	}
	return s
}

func counts(key Key, shared sharing, least, most, help string, defaults ...string) Setting {
	return Setting{
		Key: key, Kind: countsValue, Default: defaults, Bounds: []string{least, most}, Shared: shared, Help: help,
	}
}

// period is a time from least to most, or a word that is none.
func period(key Key, shared sharing, value, least, most, help string, words ...string) Setting {
	return Setting{
		Key: key, Kind: periodValue, Default: []string{value}, Choices: words, Bounds: []string{least, most},
		Shared: shared, Help: help,
	}
}
