// Opens the sandbox in process, without a socket, for simulations, which need many runs that are identical for the same
// seed.

import type { Clock } from '#sandboxes/clock.ts'
import type { SandboxOutcome } from './call.ts'
import type { WireResponse } from './faults/faulty-response.ts'
import { findEndpoint } from './find-endpoint.ts'
import { formType, RawForm } from './form.ts'
import { parseJsonBody } from './read-body.ts'
import { SandboxRefusal } from './refusal.ts'
import { openInternals, type SandboxControls, type SandboxInternals } from './sandbox-internals.ts'
import type { SandboxSettings } from './settings.ts'

export interface CoreCall {
  method: string
  /** The path with its query, from the first slash. */
  path: string
  /** Names in lower case. */
  headers?: Readonly<Record<string, string | undefined>>
  body?: string | Uint8Array | undefined
  /** The source address, by default loopback. */
  address?: string
}

/** If `lost`, the connection was destroyed, and only the journal shows whether the call was carried out. */
export type CoreAnswer =
  /** For a file, the response has `bytes` and an empty body. */
  | { lost?: never; status: number; headers: Readonly<Record<string, string>>; body: string; bytes?: Buffer }
  | { lost: true }

export interface SandboxCore extends SandboxControls {
  /**
   * Makes one call. Never rejects. Except for forms and samples, the call is carried out before this method returns, so
   * that only the order of calls determines their results. It still returns a promise, as a real service takes time.
   */
  call(call: CoreCall): Promise<CoreAnswer>
}

/** @throws SandboxSettingsError for invalid settings */
export function openSandboxCore(given: Partial<SandboxSettings> | undefined, clock: Clock): SandboxCore {
  const internals = openInternals(given, clock)
  const find = findEndpoint(internals.endpoints)
  return { ...internals.controls, call: (call) => Promise.resolve(carryOut(internals, find, call)) }
}

function carryOut(
  { admission, settings }: SandboxInternals,
  find: ReturnType<typeof findEndpoint>,
  call: CoreCall,
): CoreAnswer | Promise<CoreAnswer> {
  const { headers = {} } = call
  const found = find(call.method, call.path)
  if (!found)
    return answered(
      admission.refuse(undefined, new SandboxRefusal(404, 'Not found: the sandbox has no such endpoint.')),
    )
  const arrived = admission.arrive(found.endpoint)
  try {
    admission.admit(arrived, { address: call.address ?? '127.0.0.1', authorization: headers.authorization })
    const bytes = Buffer.from(call.body ?? '')
    const body = call.method === 'GET' ? undefined : readBody(bytes, headers['content-type'], settings.maxBodyBytes)
    // .invalid is reserved for names that do not resolve; use `call` with the path of a link to open it.
    const origin = `http://${headers.host ?? 'sandbox.invalid'}`
    const outcome = admission.answer(arrived, { ...found, body, bytes: bytes.length, origin })
    return outcome instanceof Promise ? outcome.then(answerOf) : answerOf(outcome)
  } catch (error) {
    return answered(admission.refuse(arrived, error))
  }
}

// Checks in the order of the web server: the size, the type, the text.
function readBody(bytes: Buffer, type: string | undefined, maxBytes: number): unknown {
  if (bytes.length > maxBytes)
    throw new SandboxRefusal(413, 'Request entity too large: send fewer recipients at a time.')
  if (bytes.length === 0 && type === undefined) return undefined
  if (type !== undefined && formType.test(type)) return new RawForm(bytes, type)
  if (!/^application\/json\b/i.test(type ?? '')) throw new SandboxRefusal(400, 'The request cannot be read (no JSON).')
  return parseJsonBody(bytes)
}

function answerOf(outcome: SandboxOutcome): CoreAnswer {
  return outcome === 'lost' ? { lost: true } : answered(outcome)
}

function answered({ status, contentType, body }: WireResponse): CoreAnswer {
  const headers = { 'content-type': contentType, 'content-length': String(Buffer.byteLength(body)) }
  return typeof body === 'string' ? { status, headers, body } : { status, headers, body: '', bytes: body }
}
