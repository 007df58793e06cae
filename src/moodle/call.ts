// One call of a web service function: form out, answer in, through the caller's gate.

import type { z } from 'zod'
import type { Secret } from '#src/secret/secret.ts'
import type { Clock } from '#src/time/clock.ts'
import { type Arguments, formBody } from './form-body.ts'
import { MoodleAwayError } from './moodle-away-error.ts'
import { readAnswer } from './read-answer.ts'
import type { Gate, Send } from './wire.ts'

/** `long` for lists: a real Moodle took 2.1 s for the 1,004 learners of one course. */
export type Patience = 'short' | 'long'

/**
 * Calls `name` and gives its answer, parsed. Throws a MoodleError, see there; an answer of another shape is a MoodleAwayError that names
 * the place in it, never the value.
 */
export type Call = <T>(name: string, args: Arguments, shape: z.ZodType<T>, patience?: Patience) => Promise<T>

export interface Connection {
  /** The site's own address, such as https://moodle.example.org or https://example.org/moodle. */
  url: string
  token: Secret
  send: Send
  clock: Clock
  gate: Gate
}

const limits = {
  short: { deadlineMs: 30_000, maxBytes: 4 * 2 ** 20 },
  long: { deadlineMs: 180_000, maxBytes: 64 * 2 ** 20 },
} as const satisfies Record<Patience, { deadlineMs: number; maxBytes: number }>

export function openCall({ url, token, send, clock, gate }: Connection): Call {
  const address = `${url.replace(/\/+$/, '')}/webservice/rest/server.php`
  return (name, args, shape, patience = 'short') =>
    gate(async () => {
      // raw: else Moodle runs its filters over texts and escapes them, and a certificate prints "&amp;".
      const fixed = { wstoken: token.reveal(), wsfunction: name, moodlewsrestformat: 'json', moodlewssettingraw: true }
      const heard = await send({
        method: 'POST',
        url: address,
        headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
        body: formBody({ ...args, ...fixed }),
        ...limits[patience],
      })
      const answer = readAnswer(name, heard, clock.now())
      const parsed = shape.safeParse(answer)
      if (parsed.success) return parsed.data
      throw new MoodleAwayError(name, `unexpected answer at ${parsed.error.issues[0]?.path.join('.') || 'its top'}`)
    })
}
