// The error for a decision about something that has changed since the person saw it.

export class RowMovedError extends Error {
  override readonly name = 'RowMovedError'

  constructor(id: number | string) {
    super(`${typeof id === 'number' ? `i${id}` : id} has changed since you saw it. Nothing was changed.`)
  }
}
