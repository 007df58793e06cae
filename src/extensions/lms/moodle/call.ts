// Calls Moodle's web service functions over the network, through the caller's rate limiter: encodes the arguments of a
// call as a form, and reads its response.

import type { z } from 'zod'
import type { LmsHttp, LmsResponse } from '#src/platform/http/http-client.ts'
import { parseExactJson } from '#src/platform/http/parse-exact-json.ts'
import { parseRetryAfter } from '#src/platform/retry-after.ts'
import type { Secret } from '#src/platform/secret.ts'
import type { Clock } from '#src/platform/time/clock.ts'
import { classifyErrorCode } from './classify-error-code.ts'
import { MoodleAwayError } from './moodle-error.ts'

/** `long` is for lists: a real Moodle took 2.1 s for the 1,004 learners of one course. */
export type CallLimits = 'short' | 'long'

/**
 * Calls the function `name` and returns its parsed response.
 * @throws MoodleError; for a response of another shape, a MoodleAwayError that names the path in the response, never
 * the value
 */
export type MoodleCall = <T>(
  name: string,
  args: FunctionArguments,
  shape: z.ZodType<T>,
  limitsName?: CallLimits,
) => Promise<T>

export interface MoodleConnection {
  /** The base URL of the site, such as https://moodle.example.org or https://example.org/moodle. */
  url: string
  token: Secret
  send: LmsHttp['send']
  clock: Clock
  /** The caller's rate limiter, which runs each call when a slot is free. */
  gate: <Answer>(work: () => Promise<Answer>) => Promise<Answer>
}

const limits = {
  short: { deadlineMs: 30_000, maxBytes: 4 * 2 ** 20 },
  long: { deadlineMs: 180_000, maxBytes: 64 * 2 ** 20 },
} as const satisfies Record<CallLimits, { deadlineMs: number; maxBytes: number }>

/**
 * The default for every call. Without this setting, Moodle applies its filters to text and escapes it, and a
 * certificate would show "&amp;".
 */
const rawText = { moodlewssettingraw: true }

export function openMoodleCall({ url, token, send, clock, gate }: MoodleConnection): MoodleCall {
  const address = `${url.replace(/(?<!\/)\/+$/, '')}/webservice/rest/server.php`
  return (name, args, shape, limitsName = 'short') =>
    gate(async () => {
      const protocolArguments = { wstoken: token.reveal(), wsfunction: name, moodlewsrestformat: 'json' }
      const response = await send({
        method: 'POST',
        url: address,
        headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
        body: encodeArguments({ ...rawText, ...args, ...protocolArguments }),
        ...limits[limitsName],
      })
      const answer = readMoodleResponse(name, response, clock.now())
      const parsed = shape.safeParse(answer)
      if (parsed.success) return parsed.data
      throw new MoodleAwayError(
        name,
        `unexpected response at ${parsed.error.issues[0]?.path.join('.') || 'the top level'}`,
      )
    })
}

type Argument = string | number | boolean | readonly Argument[] | { readonly [name: string]: Argument }
type FunctionArguments = Readonly<Record<string, Argument>>

/**
 * Returns nested arguments as a form-encoded body, in the syntax of Moodle's REST server:
 * users[0][customfields][0][type]=credurl. Booleans become 1 and 0, since PHP treats the string "false" as true.
 */
export function encodeArguments(fields: FunctionArguments): string {
  const form = new URLSearchParams()
  for (const [name, value] of Object.entries(fields)) append(form, name, value)
  return form.toString()
}

function append(form: URLSearchParams, name: string, value: Argument): void {
  if (typeof value === 'object') {
    for (const [key, inner] of Object.entries(value)) append(form, `${name}[${key}]`, inner as Argument)
    return
  }
  form.append(name, typeof value === 'boolean' ? (value ? '1' : '0') : String(value))
}

/**
 * Returns the parsed JSON of a response to `calledFunction` that arrived at `now`. The class of an error does not
 * depend on the status, since a real Moodle returns HTTP 200 even when its database is down. The exceptions are 502,
 * 503 and 504, which come from a gateway and not from Moodle.
 * @throws MoodleError for an exception in the response; MoodleAwayError for everything that is not JSON: a maintenance
 * page, the XML of a server that ignored the requested format, a truncated response, a gateway's error page
 */
export function readMoodleResponse(calledFunction: string, response: LmsResponse, now: Date): unknown {
  if (response.kind === 'failed') throw new MoodleAwayError(calledFunction, networkCode(response.code))
  const retryAfterMs = parseRetryAfter(response.headers['retry-after'], now)
  if ([502, 503, 504].includes(response.status))
    throw new MoodleAwayError(calledFunction, `HTTP ${response.status}`, retryAfterMs)
  let value: unknown
  try {
    value = parseExactJson(response.text)
  } catch {
    throw new MoodleAwayError(calledFunction, `HTTP ${response.status} without JSON`, retryAfterMs)
  }
  const errorcode = errorcodeOf(value)
  if (errorcode !== null) throw classifyErrorCode(calledFunction, errorcode)
  if (response.status >= 400) throw new MoodleAwayError(calledFunction, `HTTP ${response.status}`, retryAfterMs)
  return value
}

/** The error code of a reported exception, empty when Moodle sent none; null for any other response. */
function errorcodeOf(value: unknown): string | null {
  if (typeof value !== 'object' || value === null || !('exception' in value)) return null
  if (typeof value.exception !== 'string') return null
  return 'errorcode' in value && typeof value.errorcode === 'string' ? value.errorcode : ''
}

function networkCode(code: string): string {
  return /^[A-Z_]{1,40}$/.test(code) ? code : 'no response'
}
