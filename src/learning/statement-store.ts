// Where xAPI statements are kept: among the deliveries, each under the hash of its id.

import { createHash } from 'node:crypto'
import type { StatementStore } from '#src/xapi/take-statements.ts'

export interface NamedDeliveries {
  keepNamed(
    system: string,
    deliveries: readonly { key: string; digest: string; body: string }[],
  ): Promise<readonly string[]>
  bodyOf(system: string, key: string): Promise<Buffer | null>
}

/** @param onKept told after statements were stored: somebody may judge them */
export function openStatementStore(deliveries: NamedDeliveries, system: string, onKept: () => void): StatementStore {
  return {
    async keep(statements) {
      const ids = new Map(statements.map(({ id }) => [keyOf(id), id]))
      const conflicts = await deliveries.keepNamed(
        system,
        statements.map(({ id, digest, raw }) => ({ key: keyOf(id), digest, body: raw })),
      )
      if (conflicts.length > 0) return { kind: 'conflict', ids: conflicts.map((key) => ids.get(key) ?? '') }
      if (statements.length > 0) onKept()
      return { kind: 'kept' }
    },
    find: async (id) => (await deliveries.bodyOf(system, keyOf(id)))?.toString('utf8') ?? null,
  }
}

const keyOf = (id: string) => createHash('sha256').update(`statement ${id.toLowerCase()}`).digest('hex')
