// The token of one process, in its memory.

import { randomUUID } from 'node:crypto'
import type { RenewalTurn, StoredToken, TokenStore } from './token-store.ts'

/** A turn never lapses here: who has it cannot die alone. */
export function openLocalTokenStore(): TokenStore {
  let token: StoredToken | null = null
  let refresh: string | null = null
  let taken = false

  function begin(): RenewalTurn {
    const made = randomUUID()
    const last = refresh
    refresh = null
    taken = true
    return {
      made,
      refresh: last,
      keepUpMs: null,
      async keepUp() {},
      async put({ access, refresh: next, bornMs }) {
        token = { made, access, bornMs }
        refresh = next
        taken = false
        return true
      },
      async giveUp() {
        taken = false
      },
    }
  }

  return {
    async take(known) {
      if (taken) return { kind: 'wait' }
      if (token && token.made !== known) return { kind: 'token', token }
      return { kind: 'turn', turn: begin() }
    },
  }
}
