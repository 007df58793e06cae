// The error for a download that is larger than any certificate should be.

export class FileTooLargeError extends Error {
  override readonly name = 'FileTooLargeError'

  constructor(maxBytes: number) {
    super(
      `The service sent more than the ${Math.floor(maxBytes / 1_000_000)} MB that are accepted for one certificate, so the file was not kept. Download it in the portal and check its content.`,
    )
  }
}
