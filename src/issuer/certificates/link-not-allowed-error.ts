// Thrown for a link from the service's answers that must not be followed.

export class LinkNotAllowedError extends Error {
  override name = 'LinkNotAllowedError'

  constructor(problem: string, what: 'link' | 'redirect' = 'link') {
    super(
      `The certificate's ${what} was not followed, and nothing was requested from its host: ${problem}. If the host belongs to the service, allow it in service.certificateHosts; otherwise download the credential by its id.`,
    )
  }
}
