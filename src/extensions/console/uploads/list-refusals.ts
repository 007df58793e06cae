// Why a list is not taken, as sentences for the person who handed it in. Pure.

import { isFullDisk } from '#src/platform/free-disk.ts'

export class ListRefusedError extends Error {
  override readonly name = 'ListRefusedError'
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

export const tooLarge = (maxBytes: number) =>
  new ListRefusedError(
    413,
    `The file is larger than ${Math.floor(maxBytes / 1024 / 1024)} MiB, which no list needs. Split it into several files.`,
  )
export const fullDisk = () =>
  new ListRefusedError(
    507,
    'There is not enough space on the disk of this machine, so the file was not kept. Ask whoever runs credsync to make room, and upload it again.',
  )
export const tooManyLists = () =>
  new ListRefusedError(
    409,
    'Your lists that wait here take too much space together, so the file was not kept. Issue or discard some of them first.',
  )
export const ofUnknownLength = () =>
  new ListRefusedError(
    411,
    'The size of the file did not arrive with it, so it was not read. A proxy between your browser and credsync must pass on the header Content-Length: ask whoever runs it.',
  )
export const notAForm = () =>
  new ListRefusedError(400, 'The file did not arrive whole, and was not kept. Upload it again.')

/** The refusal that an error is, or leads to because the disk is full; null for another error. */
export function refusalOfDisk(error: unknown): ListRefusedError | null {
  if (error instanceof ListRefusedError) return error
  return isFullDisk(error) ? fullDisk() : null
}
