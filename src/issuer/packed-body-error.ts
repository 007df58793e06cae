// A file came packed (Content-Encoding), though none was asked for so, and what is in it cannot be had.

export class PackedBodyError extends Error {
  override name = 'PackedBodyError'

  constructor(why: string) {
    super(
      `The file came packed, which was not asked for, and ${why}. Something between the service and us may pack what passes: look at its settings.`,
    )
  }
}
