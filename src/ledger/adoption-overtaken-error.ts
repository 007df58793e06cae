// Somebody else was faster than an adoption.

/** An item or a person became somebody's between reading and writing; nothing of the batch was written, and it may be decided anew. */
export class AdoptionOvertakenError extends Error {
  override readonly name = 'AdoptionOvertakenError'
  constructor() {
    super('The report was read by another process meanwhile. Say `credsync adopt` again: it goes on where it was.')
  }
}
