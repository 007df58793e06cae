// The tokens in circulation: who holds which, and until when. A refresh token works once.

import { createHash } from 'node:crypto'
import type { SandboxSettings } from './settings.ts'

export interface TokenPair {
  accessToken: string
  refreshToken: string
}

interface Held {
  key: string
  givenMs: number
  diesMs: number
  /** The sign-in that it descends from. */
  session: number
  /** Calls that came with it, and for a refresh token whether it was used. */
  uses: number
}

export class TokenBook {
  readonly #settings: SandboxSettings
  readonly #access = new Map<string, Held>()
  readonly #refresh = new Map<string, Held>()
  #given = 0

  constructor(settings: SandboxSettings) {
    this.#settings = settings
  }

  /** A new pair for the holder of this key; the first of its session unless that is named. */
  give(key: string, nowMs: number, session = this.#given + 1): TokenPair {
    forgetDead(this.#access, nowMs)
    forgetDead(this.#refresh, nowMs)
    this.#given++
    const pair = { accessToken: this.#draw('access'), refreshToken: this.#draw('refresh') }
    const { accessMs, refreshMs } = this.#settings.tokenLife
    const held = { key, session, givenMs: nowMs, uses: 0 }
    this.#access.set(pair.accessToken, { ...held, diesMs: nowMs + accessMs })
    this.#refresh.set(pair.refreshToken, { ...held, diesMs: nowMs + refreshMs })
    return pair
  }

  /**
   * A new pair for a living refresh token, which dies by it; null when it is unknown, used or too old.
   * Access tokens given earlier live on: nothing says that a refresh ends them.
   */
  renew(refreshToken: string, nowMs: number): TokenPair | null {
    const held = this.#refresh.get(refreshToken)
    if (!held || nowMs >= held.diesMs) return null
    if (held.uses++ > 0) {
      if (this.#settings.mischief.reuseEndsSession) this.#end(held.session)
      return null
    }
    return this.give(held.key, nowMs, held.session)
  }

  /** The key behind an access token, which counts as a use of it; null when it is unknown, too old or used up. */
  holder(accessToken: string, nowMs: number): string | null {
    const held = this.#access.get(accessToken)
    if (!held || nowMs >= held.diesMs) return null
    const { lifeMs = Number.POSITIVE_INFINITY, uses = Number.POSITIVE_INFINITY } = this.#settings.mischief.tokens ?? {}
    return nowMs - held.givenMs < lifeMs && ++held.uses <= uses ? held.key : null
  }

  #end(session: number): void {
    for (const book of [this.#access, this.#refresh])
      for (const [token, held] of book) if (held.session === session) book.delete(token)
  }

  #draw(kind: string): string {
    return createHash('sha256').update(`${this.#settings.seed} ${kind} ${this.#given}`).digest('base64url')
  }
}

function forgetDead(book: Map<string, Held>, nowMs: number): void {
  for (const [token, held] of book) if (nowMs >= held.diesMs) book.delete(token)
}
