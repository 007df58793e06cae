// What all cases of a file share: a compile cache for the children.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startChild } from './child.ts'

export interface CrashPlace extends AsyncDisposable {
  compileCache: string
}

export async function openCrashPlace(): Promise<CrashPlace> {
  await using stack = new AsyncDisposableStack()
  const compileCache = await mkdtemp(join(tmpdir(), 'credsync-crash-cache-'))
  stack.defer(() => rm(compileCache, { recursive: true, force: true }))
  // Measured: a child starts in 0.27 s of processor time with the cache and in 0.64 s without. A killed one never writes it.
  await startChild(null, compileCache).ended
  const closing = stack.move()
  return { compileCache, [Symbol.asyncDispose]: () => closing.disposeAsync() }
}
