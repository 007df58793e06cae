// Stores the valid tokens in memory, with their keys and expiry. A refresh token can be used once.

import { createHash } from 'node:crypto'
import type { SandboxSettings } from './settings.ts'

export interface SandboxTokenPair {
  accessToken: string
  refreshToken: string
}

interface Held {
  key: string
  givenMs: number
  expiresMs: number
  /** The number of the sign-in that the token comes from. */
  session: number
  /** The number of calls made with the token; for a refresh token, 1 if it was used. */
  uses: number
}

export class TokenStore {
  readonly #settings: SandboxSettings
  readonly #access = new Map<string, Held>()
  readonly #refresh = new Map<string, Held>()
  #given = 0

  constructor(settings: SandboxSettings) {
    this.#settings = settings
  }

  /** Issues a new pair for the holder of this key, in a new session unless one is given. */
  give(key: string, nowMs: number, session = this.#given + 1): SandboxTokenPair {
    removeExpired(this.#access, nowMs)
    removeExpired(this.#refresh, nowMs)
    this.#given++
    const pair = { accessToken: this.#draw('access'), refreshToken: this.#draw('refresh') }
    const { accessMs, refreshMs } = this.#settings.tokenLife
    const held = { key, session, givenMs: nowMs, uses: 0 }
    this.#access.set(pair.accessToken, { ...held, expiresMs: nowMs + accessMs })
    this.#refresh.set(pair.refreshToken, { ...held, expiresMs: nowMs + refreshMs })
    return pair
  }

  /**
   * Issues a new pair for a valid refresh token, which can then no longer be used; null if the token is unknown, used
   * or expired. Earlier access tokens stay valid, because the documentation does not say that a refresh ends them.
   */
  renew(refreshToken: string, nowMs: number): SandboxTokenPair | null {
    const held = this.#refresh.get(refreshToken)
    if (!held || nowMs >= held.expiresMs) return null
    if (held.uses++ > 0) {
      if (this.#settings.faults.reuseEndsSession) this.#end(held.session)
      return null
    }
    return this.give(held.key, nowMs, held.session)
  }

  /** Returns the key of an access token and counts a use; null if the token is unknown, expired or used up. */
  holder(accessToken: string, nowMs: number): string | null {
    const held = this.#access.get(accessToken)
    if (!held || nowMs >= held.expiresMs) return null
    const { lifeMs = Number.POSITIVE_INFINITY, uses = Number.POSITIVE_INFINITY } = this.#settings.faults.tokens ?? {}
    return nowMs - held.givenMs < lifeMs && ++held.uses <= uses ? held.key : null
  }

  #end(session: number): void {
    for (const tokens of [this.#access, this.#refresh])
      for (const [token, held] of tokens) if (held.session === session) tokens.delete(token)
  }

  #draw(kind: string): string {
    return createHash('sha256').update(`${this.#settings.seed} ${kind} ${this.#given}`).digest('base64url')
  }
}

function removeExpired(tokens: Map<string, Held>, nowMs: number): void {
  for (const [token, held] of tokens) if (nowMs >= held.expiresMs) tokens.delete(token)
}
