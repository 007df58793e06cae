// Where xAPI statements are kept: among the deliveries, each under the hash of its id.

import { createHash } from 'node:crypto'
import type { StatementStore } from '#src/xapi/take-statements.ts'

export interface NamedDeliveries {
  keepNamed(
    system: string,
    deliveries: readonly { key: string; digest: string; body: string; voids: string | null }[],
  ): Promise<readonly string[]>
  named(system: string, key: string): Promise<{ body: Buffer | null; voided: boolean } | null>
}

/** @param onKept told after statements were stored: somebody may judge them */
export function openStatementStore(deliveries: NamedDeliveries, system: string, onKept: () => void): StatementStore {
  return {
    async keep(statements) {
      const ids = new Map(statements.map(({ id }) => [keyOf(id), id]))
      const conflicts = await deliveries.keepNamed(
        system,
        statements.map(({ id, digest, raw, voids }) => ({
          key: keyOf(id),
          digest,
          body: raw,
          voids: voids === null ? null : keyOf(voids),
        })),
      )
      if (conflicts.length > 0) return { kind: 'conflict', ids: conflicts.map((key) => ids.get(key) ?? '') }
      if (statements.length > 0) onKept()
      return { kind: 'kept' }
    },
    async find(id) {
      const found = await deliveries.named(system, keyOf(id))
      return found?.body ? { raw: found.body.toString('utf8'), voided: found.voided } : null
    },
  }
}

const keyOf = (id: string) => createHash('sha256').update(`statement ${id.toLowerCase()}`).digest('hex')
