// The service gave no usable answer to something that is safe to ask again, and the tries are used up.

export class ServiceUnreachableError extends Error {
  override name = 'ServiceUnreachableError'
  readonly endpoint: string
  /** The last thing seen: a network code such as ECONNREFUSED, or `HTTP 503`. */
  readonly seen: string

  constructor(endpoint: string, seen: string, tries: number) {
    super(
      `The service gave no usable answer at ${endpoint} in ${tries} ${tries === 1 ? 'try' : 'tries'} (last: ${seen}). ${nextStep(seen)}`,
    )
    this.endpoint = endpoint
    this.seen = seen
  }
}

function nextStep(seen: string): string {
  if (seen === 'ANSWER_TOO_LONG')
    return 'The answer is longer than what is read here; ask for less, or look at it with curl.'
  return 'Check CREDSYNC_BASE_URL and the network; then say it again. A worker that runs (`credsync start`) goes on by itself.'
}
