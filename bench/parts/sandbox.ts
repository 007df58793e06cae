// A service to measure against: the sandbox, in its own process.

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { SandboxCounts, SandboxOrders, SandboxTold } from './sandbox-child.ts'

export interface BenchSandbox extends SandboxTold {
  counts(): Promise<SandboxCounts>
  stop(): void
}

export async function startSandbox(orders: SandboxOrders = {}): Promise<BenchSandbox> {
  const child = fork(join(import.meta.dirname, 'sandbox-child.ts'), [JSON.stringify(orders)])
  const [told] = (await once(child, 'message')) as [SandboxTold]
  return {
    ...told,
    async counts() {
      child.send('tell')
      const [counts] = (await once(child, 'message')) as [SandboxCounts]
      return counts
    },
    stop: () => child.disconnect(),
  }
}
