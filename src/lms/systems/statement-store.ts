// Stores xAPI statements as inbound events, each with the hash of its id as its key. Reads and writes the database
// through the inbox.

import { createHash } from 'node:crypto'
import type { StatementStore } from '#src/lms/xapi/store-statements.ts'

/** The part of the ledger's inbound events that stores statements. `key` is a SHA-256 hash in hex. */
export interface StatementInbox {
  /**
   * Stores all statements in one transaction, or none if a key is already stored with another digest.
   * @returns the keys that are in conflict
   */
  keepNamed(
    system: string,
    statements: readonly { key: string; digest: string; body: string; voids: string | null }[],
  ): Promise<readonly string[]>
  named(system: string, key: string): Promise<{ body: Buffer | null; voided: boolean } | null>
}

/** @param onStored called once statements have been stored and can be processed */
export function openStatementStore(deliveries: StatementInbox, system: string, onStored: () => void): StatementStore {
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
      if (statements.length > 0) onStored()
      return { kind: 'kept' }
    },
    async find(id) {
      const found = await deliveries.named(system, keyOf(id))
      return found?.body ? { raw: found.body.toString('utf8'), voided: found.voided } : null
    },
  }
}

const keyOf = (id: string) => createHash('sha256').update(`statement ${id.toLowerCase()}`).digest('hex')
