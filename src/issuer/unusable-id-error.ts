// An id that cannot stand in the path of a call.

export class UnusableIdError extends Error {
  override name = 'UnusableIdError'
  readonly endpoint: string

  constructor(endpoint: string) {
    super(
      `The id given for ${endpoint} is empty or only dots, so nothing was asked. Give the uuid or id as the service shows it.`,
    )
    this.endpoint = endpoint
  }
}
