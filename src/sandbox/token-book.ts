// The tokens in circulation: who holds which, and until when. A refresh token works once.

import { createHash } from 'node:crypto'

export interface TokenPair {
  accessToken: string
  refreshToken: string
}

interface Held {
  key: string
  diesMs: number
}

export class TokenBook {
  readonly #seed: string
  readonly #life: { accessMs: number; refreshMs: number }
  readonly #access = new Map<string, Held>()
  readonly #refresh = new Map<string, Held>()
  #given = 0

  constructor(seed: string, life: { accessMs: number; refreshMs: number }) {
    this.#seed = seed
    this.#life = life
  }

  /** A new pair for the holder of this key. */
  give(key: string, nowMs: number): TokenPair {
    forgetDead(this.#access, nowMs)
    forgetDead(this.#refresh, nowMs)
    this.#given++
    const pair = { accessToken: this.#draw('access'), refreshToken: this.#draw('refresh') }
    this.#access.set(pair.accessToken, { key, diesMs: nowMs + this.#life.accessMs })
    this.#refresh.set(pair.refreshToken, { key, diesMs: nowMs + this.#life.refreshMs })
    return pair
  }

  /**
   * A new pair for a living refresh token, which dies by it; null when it is unknown, used or too old.
   * Access tokens given earlier live on: nothing says that a refresh ends them.
   */
  renew(refreshToken: string, nowMs: number): TokenPair | null {
    const held = this.#refresh.get(refreshToken)
    this.#refresh.delete(refreshToken)
    return held && nowMs < held.diesMs ? this.give(held.key, nowMs) : null
  }

  /** The key behind an access token; null when it is unknown or too old. */
  holder(accessToken: string, nowMs: number): string | null {
    const held = this.#access.get(accessToken)
    return held && nowMs < held.diesMs ? held.key : null
  }

  #draw(kind: string): string {
    return createHash('sha256').update(`${this.#seed} ${kind} ${this.#given}`).digest('base64url')
  }
}

function forgetDead(book: Map<string, Held>, nowMs: number): void {
  for (const [token, held] of book) if (nowMs >= held.diesMs) book.delete(token)
}
