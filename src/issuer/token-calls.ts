// The two calls that give a pair of tokens: by refresh token, or by key and secret.

import { nextDelay } from '#src/retry/backoff.ts'
import type { Clock } from '#src/time/clock.ts'
import type { Endpoint } from './endpoint.ts'
import type { HttpRequest } from './exchange.ts'
import { KeysRefusedError } from './keys-refused-error.ts'
import { readShape } from './read-shape.ts'
import { judgeEnvelope, judgeRead, type ReadVerdict } from './read-verdict.ts'
import { routeTo } from './routes.ts'
import type { Secret } from './secret.ts'
import { ServiceRefusedError } from './service-refused-error.ts'
import { ServiceUnreachableError } from './service-unreachable-error.ts'
import { type Envelope, tokensShape } from './wire.ts'

const tries = 4
const curve = { baseMs: 500, capMs: 15_000, jitter: 0.5 }

export interface TokenPair {
  access: string
  refresh: string | null
  /** Monotonic milliseconds from just before the call: the pair is at most this old. */
  bornMs: number
}

export interface TokenCallsOptions {
  endpoint: Endpoint
  key: Secret
  secret: Secret
  clock: Clock
  random: () => number
}

export interface TokenCalls {
  /** Throws KeysRefusedError (401, 403), ServiceUnreachableError, ServiceRefusedError, WireError, or the gate's error. */
  byKeys(): Promise<TokenPair>
  /** Null when that gave no pair for whatever reason; key and secret are asked then. */
  byRefresh(refresh: string): Promise<TokenPair | null>
}

export function openTokenCalls({ endpoint, key, secret, clock, random }: TokenCallsOptions): TokenCalls {
  async function ask(
    route: 'token' | 'refresh-token',
    body: object,
  ): Promise<{ verdict: ReadVerdict<Envelope>; bornMs: number }> {
    let bornMs = 0
    const exchange = await endpoint.call((): HttpRequest => {
      bornMs = clock.monotonicMs()
      return { ...routeTo(route), lane: 'read', body: JSON.stringify(body), deadlineMs: 30_000 }
    })
    return { verdict: judgeRead(exchange, endpoint.name, judgeEnvelope), bornMs }
  }

  return {
    async byKeys() {
      for (let attempt = 1; ; attempt++) {
        const { verdict, bornMs } = await ask('token', { key: key.reveal(), secret: secret.reveal() })
        if (verdict.kind === 'done') return pairOf(verdict.found.payload, endpoint.name, bornMs)
        if (verdict.kind === 'token-refused') throw new KeysRefusedError(401)
        if (verdict.kind === 'refused') throw keysOrRefused(verdict.error)
        if (attempt >= tries) throw verdict.error ?? new ServiceUnreachableError(endpoint.name, verdict.seen, attempt)
        if (!verdict.throttled) await clock.sleep(nextDelay(attempt, curve, random))
      }
    },
    async byRefresh(refresh) {
      // One try: the refresh token rotates, so after an unclear answer it may be spent, and key and secret always work.
      const { verdict, bornMs } = await ask('refresh-token', { refreshToken: refresh })
      const found = tokensShape.safeParse(verdict.kind === 'done' ? verdict.found.payload : null)
      return found.success ? { access: found.data.accessToken, refresh: found.data.refreshToken, bornMs } : null
    },
  }
}

function pairOf(payload: unknown, endpoint: string, bornMs: number): TokenPair {
  const { accessToken, refreshToken } = readShape(tokensShape, payload, endpoint, 'payload')
  return { access: accessToken, refresh: refreshToken, bornMs }
}

// Invalid keys may also be told by the envelope, under HTTP 200.
function keysOrRefused(error: Error): Error {
  const status = error instanceof ServiceRefusedError ? error.status : 0
  return status === 401 || status === 403 ? new KeysRefusedError(status) : error
}
