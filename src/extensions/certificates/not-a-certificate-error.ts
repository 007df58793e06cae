// The error for a download that cannot be a certificate.

export class NotACertificateError extends Error {
  override readonly name = 'NotACertificateError'

  /** @param content what the service sent, such as `a web page` */
  constructor(content: string) {
    super(
      `Instead of a certificate the service sent ${content}, which was not kept. The service may be under maintenance, or a proxy may have answered for it: try again later, and check the portal if this persists.`,
    )
  }
}
