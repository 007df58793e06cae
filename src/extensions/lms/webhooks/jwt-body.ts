// Verifies events whose body is a signed JWT, such as signed Canvas Live Events. May fetch the sender's public keys
// over the network.

import { decodeProtectedHeader, errors, jwtVerify, type LocalJWKSet } from 'jose'
import { valueAt } from '#src/platform/json-pointer.ts'
import { isKnownSecret } from '#src/platform/same-secret.ts'
import type { EventAuthOf } from './event-auth-settings.ts'
import { parseEventBody } from './event-body.ts'
import { type AuthRefusal, type AuthVerdict, type InboundRequest, refuse } from './inbound-request.ts'
import type { KeySets } from './key-sets.ts'
import { toleranceMs } from './shared-key-signature.ts'

/**
 * Verifies the signature and the claims. The payload is the signed content byte for byte, so numbers keep their digits.
 * exp and nbf are checked if present; an event that is repeated before it expires is detected by its key. Canvas uses
 * the same keys for every customer, so `claims` must identify our account.
 */
export async function checkSignedBody(
  settings: EventAuthOf<'jwt'>,
  delivery: InboundRequest,
  now: Date,
  keySets: KeySets,
): Promise<AuthVerdict> {
  const token = delivery.body.toString('latin1').trim()
  const malformed = refuseMalformed(token, settings)
  if (malformed) return malformed
  const currentKeys = await keySets.current(settings.jwks, now)
  if (currentKeys === null) return refuse('keys-unavailable')
  let why = await verify(token, settings, now, currentKeys)
  if (why === 'key-unknown') {
    const renewedKeys = await keySets.renewed(settings.jwks, now)
    if (renewedKeys !== null && renewedKeys !== currentKeys) why = await verify(token, settings, now, renewedKeys)
  }
  if (why !== null) return refuse(why)
  const payload = Buffer.from(token.split('.')[1] ?? '', 'base64url')
  return hasClaims(payload, settings) ? { ok: true, body: payload } : refuse('claims-wrong')
}

/** Checks everything that needs no key, so that a malformed request does not cause keys to be fetched. */
function refuseMalformed(token: string, settings: EventAuthOf<'jwt'>): AuthVerdict | null {
  if (!/^[\w-]+\.[\w-]+\.[\w-]+$/.test(token)) return refuse('token-malformed')
  try {
    const { alg } = decodeProtectedHeader(token)
    return settings.algorithms.some((algorithm) => algorithm === alg) ? null : refuse('signature-wrong')
  } catch {
    return refuse('token-malformed')
  }
}

async function verify(
  token: string,
  settings: EventAuthOf<'jwt'>,
  now: Date,
  keys: LocalJWKSet,
): Promise<AuthRefusal | null> {
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

function refusalOf(error: unknown): AuthRefusal {
  if (error instanceof errors.JWKSNoMatchingKey) return 'key-unknown'
  if (error instanceof errors.JWTExpired) return 'token-expired'
  if (error instanceof errors.JWTClaimValidationFailed) return error.claim === 'nbf' ? 'token-expired' : 'claims-wrong'
  if (error instanceof errors.JWTInvalid || error instanceof errors.JWSInvalid) return 'token-malformed'
  return 'signature-wrong'
}

function hasClaims(payload: Buffer, settings: EventAuthOf<'jwt'>): boolean {
  const wanted = Object.entries(settings.claims)
  if (wanted.length === 0) return true
  const body = parseEventBody(payload)
  return (
    body.ok &&
    wanted.every(([pointer, value]) => {
      const found = valueAt(body.value, pointer)
      return (typeof found === 'string' || typeof found === 'number') && isKnownSecret(String(found), [value])
    })
  )
}
