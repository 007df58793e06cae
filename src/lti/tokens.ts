// The platform's tokens, one for each set of scopes: kept until shortly before their end, and fetched once for everybody who waits.

import { z } from 'zod'
import { Secret } from '#src/secret/secret.ts'
import type { Clock } from '#src/time/clock.ts'
import { type Signer, signAssertion } from './assertion.ts'
import { hostOf, isTaken, type Trouble, troubleOf, unreadable } from './trouble.ts'
import type { Heard, Send } from './wire.ts'

export type TokenTaken = { kind: 'token'; token: Secret } | Trouble

export interface Tokens {
  /** `scope`: scopes with a blank between them. */
  take(scope: string): Promise<TokenTaken>
  /** This one was not accepted: the next who asks gets another. One that was replaced meanwhile is left alone. */
  drop(scope: string, token: Secret): void
}

/** A token is not used in its last minute, nor, if it is that short, in the second half of its life. */
const restMs = 60_000
/** RFC 6749 5.1 only recommends that an answer says how long its token lives. */
const unsaidLifeSeconds = 300

const answerShape = z.looseObject({
  access_token: z.string().regex(/^[\x21-\x7e]+$/),
  expires_in: z.coerce.number().positive().catch(unsaidLifeSeconds),
})

const errorShape = z.looseObject({
  // RFC 6749 5.2. Any other word might be anything, and is not repeated.
  error: z.enum([
    'invalid_request',
    'invalid_client',
    'invalid_grant',
    'unauthorized_client',
    'unsupported_grant_type',
    'invalid_scope',
  ]),
})

interface Kept {
  token: Secret
  /** By the monotonic clock. */
  untilMs: number
}

export function openTokens({
  tokenUrl,
  signer,
  send,
  clock,
  deadlineMs,
}: {
  tokenUrl: string
  signer: Signer
  send: Send
  clock: Clock
  deadlineMs: number
}): Tokens {
  const kept = new Map<string, Kept>()
  const underWay = new Map<string, Promise<TokenTaken>>()

  async function fetchToken(scope: string): Promise<TokenTaken> {
    const askedMs = clock.monotonicMs()
    const form = new URLSearchParams({
      grant_type: 'client_credentials',
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: await signAssertion(signer, clock.now()),
      scope,
    })
    const heard = await send({
      method: 'POST',
      url: tokenUrl,
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
      body: form.toString(),
      deadlineMs,
    })
    if (!isTaken(heard)) {
      const trouble = troubleOf(heard, tokenUrl, clock.now())
      return trouble.kind === 'later' ? trouble : { kind: 'refused', why: whyNoToken(heard, tokenUrl) }
    }
    const answer = answerShape.safeParse(jsonOf(heard.text))
    if (!answer.success) return unreadable(tokenUrl, 'a token')
    const lifeMs = answer.data.expires_in * 1_000
    const token = new Secret(answer.data.access_token)
    kept.set(scope, { token, untilMs: askedMs + Math.max(lifeMs - restMs, lifeMs / 2) })
    return { kind: 'token', token }
  }

  return {
    take(scope) {
      const have = kept.get(scope)
      if (have && clock.monotonicMs() < have.untilMs) return Promise.resolve({ kind: 'token', token: have.token })
      const flying = underWay.get(scope)
      if (flying) return flying
      const flight = fetchToken(scope).finally(() => underWay.delete(scope))
      underWay.set(scope, flight)
      return flight
    },
    drop(scope, token) {
      if (kept.get(scope)?.token === token) kept.delete(scope)
    },
  }
}

const advice: Record<z.infer<typeof errorShape>['error'], string> = {
  invalid_client:
    'Check the client id, that the platform has the public half of this key, the audience, and that both clocks are right.',
  invalid_scope: 'Allow this tool to read line items and results and to post scores.',
  unauthorized_client: 'See whether the tool is registered and switched on.',
  invalid_request: 'Check the address of the token endpoint, the client id and the audience.',
  invalid_grant: 'Check the client id, the key and the audience.',
  unsupported_grant_type: 'Check the address of the token endpoint: it must be the one for LTI 1.3.',
}

function whyNoToken(heard: Heard, tokenUrl: string): string {
  const status = heard.kind === 'answer' ? heard.status : 0
  const said = heard.kind === 'answer' ? errorShape.safeParse(jsonOf(heard.text)) : null
  const error = said?.success ? said.data.error : null
  const next = error ? advice[error] : 'Check the address of the token endpoint, the client id and the key.'
  return `${hostOf(tokenUrl)} gives this tool no token (${[status, error].filter(Boolean).join(', ')}). ${next}`
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
