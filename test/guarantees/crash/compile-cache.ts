// A compile cache, in a temporary folder, that the child processes of all cases share.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startChild } from './worker-child.ts'

export interface CompileCache extends AsyncDisposable {
  folder: string
}

export async function openCompileCache(): Promise<CompileCache> {
  await using stack = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'credsync-crash-cache-'))
  stack.defer(() => rm(folder, { recursive: true, force: true }))
  // Measured: a child starts in 0.27 s of CPU time with the cache and in 0.64 s without it. A killed child never writes
  // the cache, so this one runs to its end.
  await startChild(null, folder).ended
  const closing = stack.move()
  return { folder, [Symbol.asyncDispose]: () => closing.disposeAsync() }
}
