// Prepares one batch.

import type { Ledger } from '#src/ledger/ledger.ts'

/** @returns the id of its attempt; null if nothing is due */
export async function prepareOne(
  { attempts }: Pick<Ledger, 'attempts'>,
  pipeline: string,
  size: number,
): Promise<number | null> {
  const [id = null] = await attempts.prepare(pipeline, size)
  return id
}
