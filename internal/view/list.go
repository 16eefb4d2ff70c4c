package view

// List keeps an empty list from becoming null in JSON.
func List[T any](items []T) []T {
	if items == nil {
		return []T{}
	}
	return items
}
