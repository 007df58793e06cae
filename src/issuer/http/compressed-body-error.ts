// Thrown when a file arrives compressed (Content-Encoding), which was not requested, and cannot be decompressed.

export class CompressedBodyError extends Error {
  override name = 'CompressedBodyError'

  constructor(why: string) {
    super(
      `The file arrived compressed, which was not requested, and ${why}. A proxy between the service and this machine may be compressing answers: check its settings.`,
    )
  }
}
