// Thrown when a read got no usable answer in any of its attempts.

export class ServiceUnreachableError extends Error {
  override name = 'ServiceUnreachableError'
  readonly endpoint: string
  /** The last result: a network code such as ECONNREFUSED, or `HTTP 503`. */
  readonly lastResult: string

  constructor(endpoint: string, lastResult: string, attempts: number) {
    super(
      `The service gave no usable answer at ${endpoint} in ${attempts} ${attempts === 1 ? 'attempt' : 'attempts'} (last: ${lastResult}). ${nextStep(lastResult)}`,
    )
    this.endpoint = endpoint
    this.lastResult = lastResult
  }
}

function nextStep(lastResult: string): string {
  if (lastResult === 'ANSWER_TOO_LONG')
    return 'The answer is longer than the limit; request less, or inspect the answer with curl.'
  return 'Check CREDSYNC_BASE_URL and the network, then try again. A running worker (`credsync start`) tries again automatically.'
}
