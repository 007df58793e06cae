// Reads one sample file to its end or until it is refused, and counts the batches.

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Source, SourceOptions, SourceRow } from '#src/files/tables/source.ts'
import { SourceError } from '#src/files/tables/source-error.ts'

export type Open = (path: string, options?: SourceOptions) => Promise<Source>

export interface Outcome {
  refusal?: SourceError
  header: string[]
  notices: string[]
  rows: SourceRow[]
  batches: number
}

/** Writes `bytes` to a temporary file called `file` and reads it. Rethrows every error except SourceError. */
export async function readBytes(
  bytes: string | Buffer,
  file: string,
  open: Open,
  options?: SourceOptions,
): Promise<Outcome> {
  const folder = await mkdtemp(join(tmpdir(), 'credsync-corpus-'))
  const outcome: Outcome = { header: [], notices: [], rows: [], batches: 0 }
  try {
    const path = join(folder, file)
    await writeFile(path, bytes)
    await using source = await open(path, options)
    outcome.header = source.header
    for await (const batch of source.batches()) {
      outcome.batches++
      outcome.rows.push(...batch)
    }
    outcome.notices = source.notices
  } catch (error) {
    if (!(error instanceof SourceError)) throw error
    outcome.refusal = error
  } finally {
    await rm(folder, { recursive: true })
  }
  return outcome
}
