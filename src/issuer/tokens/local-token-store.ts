// Keeps the token of one process in memory.

import { randomUUID } from 'node:crypto'
import type { RenewalTurn, StoredToken, TokenStore } from './token-store.ts'

/** Creates an empty store. Its renewal turns never expire, because holder and store end with the same process. */
export function openLocalTokenStore(): TokenStore {
  let token: StoredToken | null = null
  let refresh: string | null = null
  let isTurnTaken = false

  function begin(): RenewalTurn {
    const turnId = randomUUID()
    const lastRefresh = refresh
    refresh = null
    isTurnTaken = true
    return {
      turnId,
      refresh: lastRefresh,
      lease: null,
      async put({ access, refresh: next, bornMs }) {
        token = { turnId, access, bornMs }
        refresh = next
        isTurnTaken = false
        return true
      },
      async giveUp() {
        isTurnTaken = false
      },
    }
  }

  return {
    async take(knownTurnId) {
      if (isTurnTaken) return { kind: 'wait' }
      if (token && token.turnId !== knownTurnId) return { kind: 'token', token }
      return { kind: 'turn', turn: begin() }
    },
  }
}
