// What came for a certificate is surely none.

export class NoCertificateError extends Error {
  override readonly name = 'NoCertificateError'

  /** @param what such as `a web page` */
  constructor(what: string) {
    super(
      `What the service sent as the certificate is ${what}, so it was not kept. It may be under maintenance, or something in between answers for it: try again later, and look in the portal if it stays so.`,
    )
  }
}
