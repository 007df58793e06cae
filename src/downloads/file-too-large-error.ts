// A download that is longer than any certificate should be.

export class FileTooLargeError extends Error {
  override readonly name = 'FileTooLargeError'

  constructor(mostBytes: number) {
    super(
      `What the service sends is longer than the ${Math.floor(mostBytes / 1_000_000)} MB that are taken for one certificate, so it was not kept. Download it in the portal, and see what it is.`,
    )
  }
}
