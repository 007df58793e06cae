// Thrown when the service understood a read and refused it.

export class ServiceRefusedError extends Error {
  override name = 'ServiceRefusedError'
  readonly status: number
  readonly endpoint: string
  /** The service's message, shortened and masked; may be empty. */
  readonly words: string

  constructor(status: number, endpoint: string, words: string) {
    super(
      `The service refused ${endpoint} with status ${status}${words ? `: "${words}"` : ' and no message'}. Trying again will not help; ${nextStep(status, endpoint)}.`,
    )
    this.status = status
    this.endpoint = endpoint
    this.words = words
  }
}

function nextStep(status: number, endpoint: string): string {
  // The service's documentation says three minutes.
  if (endpoint === 'certificate-link')
    return 'a link expires three minutes after the report was read: read the report again, or use the credential download'
  if (status === 404) return 'check the uuid or number that was requested, and the environment'
  if (status === 401 || status === 403) return 'check what the access key may do, and the IP list in the portal'
  if (status >= 300 && status < 400) return 'check CREDSYNC_BASE_URL, since redirects are not followed'
  return 'check the request against the message above'
}
