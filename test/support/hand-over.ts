// Hands a file to a ledger as `issue` does.

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Ledger } from '#src/ledger/ledger.ts'
import { hashFile } from '#src/sources/hash-file.ts'

/** Gives a function that writes a file into `folder` and receives it for the pipeline `spring`; it gives the run's id. */
export function handOver(ledger: Pick<Ledger, 'receiveRun'>, folder: string) {
  return async (name: string, text: string | Buffer): Promise<string> => {
    const path = join(folder, name)
    await writeFile(path, text)
    const source = { pipeline: 'spring', sourceName: name, sourcePath: path, sourceSha256: await hashFile(path) }
    return (await ledger.receiveRun(source)).run.id
  }
}
