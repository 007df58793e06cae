// The configured address of the service can't be used.

export class BaseUrlError extends Error {
  override name = 'BaseUrlError'

  constructor(problem: string) {
    super(`CREDSYNC_BASE_URL ${problem}. Write it like https://service.example or https://service.example/prefix.`)
  }
}
