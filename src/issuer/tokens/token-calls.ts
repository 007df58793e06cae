// Makes the two service calls that return a pair of tokens: with a refresh token, or with key and secret.

import { classifyRead, type ReadResult, readEnvelope, ServiceRefusedError } from '#src/issuer/classify-read.ts'
import type { Endpoint } from '#src/issuer/endpoint.ts'
import type { HttpRequest } from '#src/issuer/http/exchange.ts'
import { readShape } from '#src/issuer/read-shape.ts'
import { routeTo } from '#src/issuer/routes.ts'
import { ServiceUnreachableError } from '#src/issuer/service-unreachable-error.ts'
import { type Envelope, tokensShape } from '#src/issuer/wire-shapes.ts'
import { nextDelay } from '#src/platform/backoff.ts'
import type { Secret } from '#src/platform/secret.ts'
import type { Clock } from '#src/platform/time/clock.ts'

const maxAttempts = 4
const backoff = { baseMs: 500, capMs: 15_000, jitter: 0.5 }

export interface TokenPair {
  access: string
  refresh: string | null
  /** Monotonic milliseconds just before the call: the pair is at most this old. */
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
  /**
   * @throws KeysRefusedError (401, 403), ServiceUnreachableError, ServiceRefusedError, WireError, or the gate's error
   */
  byKeys(): Promise<TokenPair>
  /** Returns null if the call failed for any reason; the caller then uses key and secret. */
  byRefresh(refresh: string): Promise<TokenPair | null>
}

export function openTokenCalls({ endpoint, key, secret, clock, random }: TokenCallsOptions): TokenCalls {
  async function callOnce(
    route: 'token' | 'refresh-token',
    body: object,
  ): Promise<{ result: ReadResult<Envelope>; bornMs: number }> {
    let bornMs = 0
    const exchange = await endpoint.call((): HttpRequest => {
      bornMs = clock.monotonicMs()
      return { ...routeTo(route), lane: 'read', body: JSON.stringify(body), deadlineMs: 30_000 }
    })
    return { result: classifyRead(exchange, endpoint.name, readEnvelope), bornMs }
  }

  return {
    async byKeys() {
      for (let attempt = 1; ; attempt++) {
        const { result, bornMs } = await callOnce('token', { key: key.reveal(), secret: secret.reveal() })
        if (result.kind === 'done') return pairOf(result.found.payload, endpoint.name, bornMs)
        if (result.kind === 'token-refused') throw new KeysRefusedError(401)
        if (result.kind === 'refused') throw keysOrRefused(result.error)
        if (attempt >= maxAttempts)
          throw result.error ?? new ServiceUnreachableError(endpoint.name, result.problem, attempt)
        if (!result.throttled) await clock.sleep(nextDelay(attempt, backoff, random))
      }
    },
    async byRefresh(refresh) {
      // There is only one attempt, because the refresh token rotates: after an unclear answer it may be spent. Key and
      // secret still work then.
      const { result, bornMs } = await callOnce('refresh-token', { refreshToken: refresh })
      const found = tokensShape.safeParse(result.kind === 'done' ? result.found.payload : null)
      return found.success ? { access: found.data.accessToken, refresh: found.data.refreshToken, bornMs } : null
    },
  }
}

function pairOf(payload: unknown, endpoint: string, bornMs: number): TokenPair {
  const { accessToken, refreshToken } = readShape(tokensShape, payload, endpoint, 'payload')
  return { access: accessToken, refresh: refreshToken, bornMs }
}

// Invalid keys may also be reported by the envelope, under HTTP 200.
function keysOrRefused(error: Error): Error {
  const status = error instanceof ServiceRefusedError ? error.status : 0
  return status === 401 || status === 403 ? new KeysRefusedError(status) : error
}

/** Thrown when the service refuses the access key and secret, or accepts them only from other IP addresses. */
export class KeysRefusedError extends Error {
  override name = 'KeysRefusedError'
  readonly status: number

  constructor(status: number) {
    super(
      `The service refused the access key and secret (HTTP ${status} at token). Check CREDSYNC_KEY and CREDSYNC_SECRET, and that they belong to this environment (development and production keys differ), and that the portal's IP list allows this machine.`,
    )
    this.status = status
  }
}
