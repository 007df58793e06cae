// Hands a file over to a ledger as `credsync issue` does. Writes a file and the database.

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { WholeLedger } from '#src/app/whole-ledger.ts'
import { hashFile } from '#src/files/tables/hash-file.ts'

/**
 * Returns a function that writes a file into `folder`, receives it, by default for the pipeline `spring`, and returns the
 * run's id.
 */
export function handOver(ledger: { runs: Pick<WholeLedger['runs'], 'receive'> }, folder: string) {
  return async (name: string, text: string | Buffer, pipeline = 'spring'): Promise<string> => {
    const path = join(folder, name)
    await writeFile(path, text)
    const source = { pipeline, sourceName: name, sourcePath: path, sourceSha256: await hashFile(path) }
    return (await ledger.runs.receive(source)).run.id
  }
}
