// Thrown for an id that cannot be part of a URL path.

export class UnusableIdError extends Error {
  override name = 'UnusableIdError'
  readonly endpoint: string

  constructor(endpoint: string) {
    super(
      `The id given for ${endpoint} is empty or consists only of dots, so nothing was requested. Give the uuid or id as the service shows it.`,
    )
    this.endpoint = endpoint
  }
}
