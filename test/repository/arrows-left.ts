// The imports that still lead into an extension from the core or from another extension. None is added; each goes once
// the core asks in its own words, or the shell joins the two.

export const arrowsLeft: readonly string[] = []
