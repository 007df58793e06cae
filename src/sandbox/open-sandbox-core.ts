// The sandbox in process, without a socket: for simulations, which need the same run from the same seed, and many of them.

import type { Clock } from '#src/time/clock.ts'
import type { Outcome } from './call.ts'
import { findEndpoint } from './find-endpoint.ts'
import { formType, RawForm } from './form.ts'
import type { WireAnswer } from './mischief/spoiled-answer.ts'
import { parseJsonBody } from './read-body.ts'
import { Refusal } from './refusal.ts'
import { openInside, type SandboxControls, type SandboxInside } from './sandbox-inside.ts'
import type { SandboxSettings } from './settings.ts'

export interface CoreCall {
  method: string
  /** Path with its query, from the first slash. */
  path: string
  /** Names in lower case. */
  headers?: Readonly<Record<string, string | undefined>>
  body?: string | Uint8Array | undefined
  /** Source address; loopback without one. */
  address?: string
}

/** `lost`: the connection was destroyed. Whether the call was carried out stands in the journal only. */
export type CoreAnswer =
  /** Of a file the answer has `bytes`, and an empty body. */
  | { lost?: never; status: number; headers: Readonly<Record<string, string>>; body: string; bytes?: Buffer }
  | { lost: true }

export interface SandboxCore extends SandboxControls {
  /**
   * One call. It is carried out at once, before this returns, so that the order of calls alone decides what becomes
   * of them; the promise is there because a real service is slower. Only forms and samples take a moment. Never rejects.
   */
  call(call: CoreCall): Promise<CoreAnswer>
}

/** @throws SandboxSettingsError for settings that cannot be. */
export function openSandboxCore(given: Partial<SandboxSettings> | undefined, clock: Clock): SandboxCore {
  const inside = openInside(given, clock)
  const find = findEndpoint(inside.endpoints)
  return { ...inside.controls, call: (call) => Promise.resolve(carryOut(inside, find, call)) }
}

function carryOut(
  { desk, settings }: SandboxInside,
  find: ReturnType<typeof findEndpoint>,
  call: CoreCall,
): CoreAnswer | Promise<CoreAnswer> {
  const { headers = {} } = call
  const found = find(call.method, call.path)
  if (!found) return answered(desk.refuse(undefined, new Refusal(404, 'Not found: the sandbox has no such endpoint.')))
  const visit = desk.arrive(found.endpoint)
  try {
    desk.admit(visit, { address: call.address ?? '127.0.0.1', authorization: headers.authorization })
    const bytes = Buffer.from(call.body ?? '')
    const body = call.method === 'GET' ? undefined : readBody(bytes, headers['content-type'], settings.maxBodyBytes)
    // .invalid is reserved for names that lead nowhere; the links in an answer open through `call` by their path.
    const origin = `http://${headers.host ?? 'sandbox.invalid'}`
    const outcome = desk.answer(visit, { ...found, body, bytes: bytes.length, origin })
    return outcome instanceof Promise ? outcome.then(answerOf) : answerOf(outcome)
  } catch (error) {
    return answered(desk.refuse(visit, error))
  }
}

// In the order in which the web server looks: the size, the type, the text.
function readBody(bytes: Buffer, type: string | undefined, maxBytes: number): unknown {
  if (bytes.length > maxBytes) throw new Refusal(413, 'Request entity too large: send fewer recipients at a time.')
  if (bytes.length === 0 && type === undefined) return undefined
  if (type !== undefined && formType.test(type)) return new RawForm(bytes, type)
  if (!/^application\/json\b/i.test(type ?? '')) throw new Refusal(400, 'The request cannot be read (no JSON).')
  return parseJsonBody(bytes)
}

function answerOf(outcome: Outcome): CoreAnswer {
  return outcome === 'lost' ? { lost: true } : answered(outcome)
}

function answered({ status, contentType, body }: WireAnswer): CoreAnswer {
  const headers = { 'content-type': contentType, 'content-length': String(Buffer.byteLength(body)) }
  return typeof body === 'string' ? { status, headers, body } : { status, headers, body: '', bytes: body }
}
