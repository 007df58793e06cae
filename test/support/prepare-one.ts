// Prepares one batch.

import type { WholeLedger } from '#src/app/whole-ledger.ts'

/** @returns the id of its attempt; null if nothing is due */
export async function prepareOne(
  { attempts }: Pick<WholeLedger, 'attempts'>,
  pipeline: string,
  size: number,
): Promise<number | null> {
  const [id = null] = await attempts.prepare(pipeline, size)
  return id
}
