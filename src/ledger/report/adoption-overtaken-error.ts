// The error for an adoption whose decision was overtaken by another process.

/**
 * Another process claimed an item or changed a row between reading and writing. No part of the batch was written, so
 * the batch can be decided again.
 */
export class AdoptionOvertakenError extends Error {
  override readonly name = 'AdoptionOvertakenError'
  constructor() {
    super(
      'Another process read the report in the meantime. Run `credsync adopt` again: the adoption continues where it stopped.',
    )
  }
}
