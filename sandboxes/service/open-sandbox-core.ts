// Opens the sandbox in process, without a socket, for simulations, which need many runs that are identical for the same
// seed. The HTTP server makes its calls here, too.

import type { Clock } from '#sandboxes/clock.ts'
import type { SandboxOutcome } from './call.ts'
import { refusalResponse } from './call-pipeline.ts'
import { findEndpoint } from './find-endpoint.ts'
import { formType, RawForm } from './form.ts'
import { parseJsonBody } from './read-body.ts'
import { SandboxRefusal } from './refusal.ts'
import { openInternals, type SandboxControls } from './sandbox-internals.ts'
import type { SandboxSettings } from './settings.ts'

export interface CoreCall {
  method: string
  /** The path with its query, from the first slash. */
  path: string
  /** Names in lower case. */
  headers?: Readonly<Record<string, string | undefined>>
  body?: string | Uint8Array | undefined
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

export function openSandboxCore(given: Partial<SandboxSettings> | undefined, clock: Clock): SandboxCore {
  const { carryOut, endpoints, controls, settings } = openInternals(given, clock)
  const find = findEndpoint(endpoints)

  function outcomeOf({ method, path, headers = {}, body }: CoreCall): SandboxOutcome | Promise<SandboxOutcome> {
    const found = find(method, path)
    if (!found)
      return refusalResponse(new SandboxRefusal(404, 'Not found: the sandbox has no such endpoint.'))
    return carryOut(found.endpoint, headers.authorization, () => {
      const bytes = Buffer.from(body ?? '')
      // .invalid is reserved for names that do not resolve; use `call` with the path of a link to open it.
      const origin = `http://${headers.host ?? 'sandbox.invalid'}`
      const value = method === 'GET' ? undefined : readBody(bytes, headers['content-type'], settings.maxBodyBytes)
      return { ...found, body: value, bytes: bytes.length, origin }
    })
  }
  return {
    ...controls,
    call(call) {
      const outcome = outcomeOf(call)
      return Promise.resolve(outcome instanceof Promise ? outcome.then(answerOf) : answerOf(outcome))
    },
  }
}

function readBody(bytes: Buffer, type: string | undefined, maxBytes: number): unknown {
  if (bytes.length > maxBytes)
    throw new SandboxRefusal(413, 'Request entity too large: send fewer recipients at a time.')
  if (bytes.length === 0 && type === undefined) return undefined
  if (type !== undefined && formType.test(type)) return new RawForm(bytes, type)
  if (!/^application\/json\b/i.test(type ?? '')) throw new SandboxRefusal(400, 'The request cannot be read (no JSON).')
  return parseJsonBody(bytes)
}

function answerOf(outcome: SandboxOutcome): CoreAnswer {
  if (outcome === 'lost') return { lost: true }
  const { status, contentType, body } = outcome
  const headers = { 'content-type': contentType, 'content-length': String(Buffer.byteLength(body)) }
  return typeof body === 'string' ? { status, headers, body } : { status, headers, body: '', bytes: body }
}
