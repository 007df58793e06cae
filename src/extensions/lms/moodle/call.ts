// Calls one Moodle web service function over the network, through the caller's rate limiter: encodes the arguments as a
// form and parses the response.

import type { z } from 'zod'
import type { LmsHttp } from '#src/platform/http/http-client.ts'
import type { Secret } from '#src/platform/secret.ts'
import type { Clock } from '#src/platform/time/clock.ts'
import { encodeArguments, type FunctionArguments } from './form-body.ts'
import { MoodleAwayError } from './moodle-away-error.ts'
import { readMoodleResponse } from './read-response.ts'

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
