// A link out of the service's answers that is not fetched.

export class LinkNotAllowedError extends Error {
  override name = 'LinkNotAllowedError'

  constructor(problem: string, what: 'link' | 'redirect' = 'link') {
    super(
      `The certificate's ${what} is not followed: ${problem}. Nothing was asked there; allow the host in service.certificateHosts if it is the service's own, or use the credential download instead.`,
    )
  }
}
