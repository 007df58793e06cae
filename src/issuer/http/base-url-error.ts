// Thrown when the configured address of the service cannot be used.

export class BaseUrlError extends Error {
  override name = 'BaseUrlError'

  constructor(problem: string) {
    super(`CREDSYNC_BASE_URL ${problem}. Write it like https://service.example or https://service.example/prefix.`)
  }
}
