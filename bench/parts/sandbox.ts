// Starts a sandbox in a separate process, which acts as the service in a benchmark.

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { SandboxCounts, SandboxOptions, SandboxStarted } from './sandbox-child.ts'

export interface BenchSandbox extends SandboxStarted {
  counts(): Promise<SandboxCounts>
  stop(): void
}

export async function startSandbox(options: SandboxOptions = {}): Promise<BenchSandbox> {
  const child = fork(join(import.meta.dirname, 'sandbox-child.ts'), [JSON.stringify(options)])
  const [started] = (await once(child, 'message')) as [SandboxStarted]
  return {
    ...started,
    async counts() {
      child.send('report')
      const [counts] = (await once(child, 'message')) as [SandboxCounts]
      return counts
    },
    stop: () => child.disconnect(),
  }
}
