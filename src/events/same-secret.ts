// Compares secrets so that the time it takes tells nothing about them.

import { createHash, timingSafeEqual } from 'node:crypto'

const digest = (value: string | Buffer) => createHash('sha256').update(value).digest()

/** Whether `given` is one of `known`. Every one is looked at, and lengths are hidden by hashing. */
export function isOneOf(given: string | Buffer, known: readonly (string | Buffer)[]): boolean {
  const ours = digest(given)
  return known.map((each) => timingSafeEqual(digest(each), ours)).includes(true)
}
