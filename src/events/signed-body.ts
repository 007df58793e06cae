// Deliveries whose whole body is a signed JWT, as with signed Canvas Live Events.

import { decodeProtectedHeader, errors, jwtVerify, type LocalJWKSet } from 'jose'
import type { EventAuthOf } from '#config/event-auth-settings.ts'
import { valueAt } from '#src/json/json-pointer.ts'
import { type Delivery, type Refusal, refuse, type Verdict } from './delivery.ts'
import { parseEventBody } from './event-body.ts'
import type { KeySets } from './key-sets.ts'
import { isOneOf } from './same-secret.ts'
import { toleranceMs } from './signed-instant.ts'

/**
 * The payload is the signed content byte for byte, so that numbers keep their digits. exp and nbf count where they are there; a
 * repeat within that time is recognised by its delivery key. The keys of Canvas sign for every customer of its vendor:
 * `claims` says which one is ours.
 */
export async function checkSignedBody(
  settings: EventAuthOf<'jwt'>,
  delivery: Delivery,
  now: Date,
  keySets: KeySets,
): Promise<Verdict> {
  const token = delivery.body.toString('latin1').trim()
  const broken = refuseForm(token, settings)
  if (broken) return broken
  const first = await keySets.current(settings.jwks, now)
  if (first === null) return refuse('keys-unavailable')
  let why = await verify(token, settings, now, first)
  if (why === 'key-unknown') {
    const second = await keySets.renewed(settings.jwks, now)
    if (second !== null && second !== first) why = await verify(token, settings, now, second)
  }
  if (why !== null) return refuse(why)
  const payload = Buffer.from(token.split('.')[1] ?? '', 'base64url')
  return claimsFit(payload, settings) ? { ok: true, body: payload } : refuse('claims-wrong')
}

/** What can be told without a key, so that junk makes nobody ask for keys. */
function refuseForm(token: string, settings: EventAuthOf<'jwt'>): Verdict | null {
  if (!/^[\w-]+\.[\w-]+\.[\w-]+$/.test(token)) return refuse('token-malformed')
  try {
    const { alg } = decodeProtectedHeader(token)
    return settings.algorithms.some((each) => each === alg) ? null : refuse('signature-wrong')
  } catch {
    return refuse('token-malformed')
  }
}

async function verify(
  token: string,
  settings: EventAuthOf<'jwt'>,
  now: Date,
  keys: LocalJWKSet,
): Promise<Refusal | null> {
  try {
    await jwtVerify(token, keys, {
      algorithms: [...settings.algorithms],
      clockTolerance: toleranceMs / 1_000,
      currentDate: now,
      ...(settings.issuer === undefined ? {} : { issuer: settings.issuer }),
      ...(settings.audience === undefined ? {} : { audience: settings.audience }),
    })
    return null
  } catch (error) {
    return refusalOf(error)
  }
}

function refusalOf(error: unknown): Refusal {
  if (error instanceof errors.JWKSNoMatchingKey) return 'key-unknown'
  if (error instanceof errors.JWTExpired) return 'token-expired'
  if (error instanceof errors.JWTClaimValidationFailed) return error.claim === 'nbf' ? 'token-expired' : 'claims-wrong'
  if (error instanceof errors.JWTInvalid || error instanceof errors.JWSInvalid) return 'token-malformed'
  return 'signature-wrong'
}

function claimsFit(payload: Buffer, settings: EventAuthOf<'jwt'>): boolean {
  const wanted = Object.entries(settings.claims)
  if (wanted.length === 0) return true
  const body = parseEventBody(payload)
  return (
    body.ok &&
    wanted.every(([pointer, value]) => {
      const found = valueAt(body.value, pointer)
      return (typeof found === 'string' || typeof found === 'number') && isOneOf(String(found), [value])
    })
  )
}
