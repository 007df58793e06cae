// Creates the folder of a benchmark. Its database is in it, too, also when root runs the benchmark: PostgreSQL then runs
// as a user that has to be able to enter the folder, and would otherwise keep the database where nobody removes it.

import { chmod, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export async function newFolder(bench: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), `credsync-bench-${bench}-`))
  await chmod(folder, 0o711)
  return folder
}
