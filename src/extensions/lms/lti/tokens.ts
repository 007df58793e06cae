// Requests access tokens from the platform and caches them in memory, one for each set of scopes, until shortly before
// they expire. Concurrent callers share one request.

import { z } from 'zod'
import type { LmsHttp, LmsResponse } from '#src/platform/http/http-client.ts'
import { Secret } from '#src/platform/secret.ts'
import type { Clock } from '#src/platform/time/clock.ts'
import { type Signer, signAssertion } from './assertion.ts'
import { failedCall, hostOf, isSuccess, LtiError, unreadable } from './lti-error.ts'

/** A token is not used in its last minute, or in the second half of its lifetime if that is shorter. */
const expiryMarginMs = 60_000
/** Used when a response has no `expires_in`: RFC 6749 5.1 only recommends it. */
const defaultLifetimeSeconds = 300

const answerShape = z.looseObject({
  access_token: z.string().regex(/^[\x21-\x7e]+$/),
  expires_in: z.coerce.number().positive().catch(defaultLifetimeSeconds),
})

const errorShape = z.looseObject({
  // The error codes of RFC 6749 5.2. Any other text is untrusted and never appears in a message.
  error: z.enum([
    'invalid_request',
    'invalid_client',
    'invalid_grant',
    'unauthorized_client',
    'unsupported_grant_type',
    'invalid_scope',
  ]),
})

interface CachedToken {
  token: Secret
  /** The time on the monotonic clock after which the token is no longer used. */
  expiresAtMs: number
}

interface TokenOptions {
  tokenUrl: string
  signer: Signer
  send: LmsHttp['send']
  clock: Clock
  deadlineMs: number
}

export function openLtiTokens({ tokenUrl, signer, send, clock, deadlineMs }: TokenOptions) {
  const cache = new Map<string, CachedToken>()
  const pendingRequests = new Map<string, Promise<Secret>>()

  async function fetchToken(scope: string): Promise<Secret> {
    const requestedAtMs = clock.monotonicMs()
    const form = new URLSearchParams({
      grant_type: 'client_credentials',
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: await signAssertion(signer, clock.now()),
      scope,
    })
    const response = await send({
      method: 'POST',
      url: tokenUrl,
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
      body: form.toString(),
      deadlineMs,
    })
    if (!isSuccess(response)) {
      const error = failedCall(response, tokenUrl, clock.now())
      throw error.failure.kind === 'away' ? error : new LtiError('refused', noTokenReason(response, tokenUrl))
    }
    const answer = answerShape.safeParse(parseJson(response.text))
    if (!answer.success) throw unreadable(tokenUrl, 'a token')
    const lifetimeMs = answer.data.expires_in * 1_000
    const token = new Secret(answer.data.access_token)
    cache.set(scope, { token, expiresAtMs: requestedAtMs + Math.max(lifetimeMs - expiryMarginMs, lifetimeMs / 2) })
    return token
  }

  return {
    /**
     * Returns a cached or new token.
     * @param scope scopes separated by spaces
     * @throws LtiError
     */
    async get(scope: string): Promise<Secret> {
      const cached = cache.get(scope)
      if (cached && clock.monotonicMs() < cached.expiresAtMs) return cached.token
      const pending = pendingRequests.get(scope) ?? fetchToken(scope).finally(() => pendingRequests.delete(scope))
      pendingRequests.set(scope, pending)
      return pending
    },
    /**
     * Call this when the platform has rejected the token, so that the next caller gets a new one. If the token has
     * already been replaced, the new one stays in the cache.
     */
    drop(scope: string, token: Secret): void {
      if (cache.get(scope)?.token === token) cache.delete(scope)
    },
  }
}

function noTokenReason(response: LmsResponse, tokenUrl: string): string {
  const host = hostOf(tokenUrl)
  const answer = response.kind === 'answer' ? response : null
  const parsed = errorShape.safeParse(parseJson(answer?.text ?? ''))
  const seen = [answer && `HTTP ${answer.status}`, parsed.data?.error].filter(Boolean).join(', ')
  return `${host} did not issue a token to this tool (${seen}). Check the address of the token endpoint, the client id, the audience, and the clocks on both sides; and on the platform, that the tool is enabled, has the public half of this key, and may read results and post scores.`
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
