package task

// WorkKinds are the kinds of phases in which somebody works on code.
var WorkKinds = []PhaseKind{KindExecution, KindFix, KindSplit}
