// Which faults of an intake are the source's or the configuration's, so that the run is refused with a sentence for its owner.
// Every other fault (a database away, a service in trouble) passes, and the run is read again.

const ownersFaults = ['SourceError', 'PlanError', 'CourseUnknownError', 'SourceChangedError', 'PipelineUnknownError']

export function refusalOf(error: unknown): string | null {
  if (error instanceof Error && ownersFaults.includes(error.name)) return error.message
  return null
}

/** What a person should see about a file that was taken all the same. */
export function publicationNotices(
  source: { notices: readonly string[] },
  check: { notices: readonly string[] },
): string[] {
  return [...source.notices, ...check.notices]
}
