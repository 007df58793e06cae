// One call of the Canvas API, and lists of it page by page, through the caller's gate.

import { z } from 'zod'
import type { Secret } from '#src/secret/secret.ts'
import type { Clock } from '#src/time/clock.ts'
import { nextPage } from '#src/wire/next-page.ts'
import type { Wire } from '#src/wire/open-wire.ts'
import { CanvasError } from './canvas-error.ts'
import { away, readAnswer } from './read-answer.ts'

export interface Connection {
  /** Canvas's own address, such as https://school.instructure.com. */
  url: string
  token: Secret
  send: Wire['send']
  clock: Clock
  /** The caller's limiter: runs the work when it is its turn. */
  gate: <T>(work: () => Promise<T>) => Promise<T>
}

/** `what` names in a sentence what is asked about; `path` is below /api/v1/. Each throws a CanvasError. */
export interface Call {
  get<T>(what: string, path: string, shape: z.ZodType<T>): Promise<T>
  /** All pages, one after the other, as Canvas links them. */
  list<T>(what: string, path: string, shape: z.ZodType<T>): AsyncGenerator<T[], void, undefined>
  write<T>(what: string, method: 'POST' | 'PUT', path: string, body: object, shape: z.ZodType<T>): Promise<T>
}

const deadlineMs = 60_000
/** By Canvas's source it gives no more at once; what it gives is believed. */
const perPage = 100
/** A list that is longer goes round in a circle. */
const mostPages = 1_000

export function openCall({ url, token, send, clock, gate }: Connection): Call {
  const base = `${url.replace(/\/+$/, '')}/api/v1/`
  async function exchange(what: string, method: 'GET' | 'POST' | 'PUT', address: string, body?: object) {
    const headers = {
      authorization: `Bearer ${token.reveal()}`,
      // Ids are 64 bits wide: as numbers the large ones would come out as others.
      accept: 'application/json+canvas-string-ids',
      ...(body && { 'content-type': 'application/json' }),
    }
    const heard = await gate(() =>
      send({ method, url: address, headers, deadlineMs, ...(body && { body: JSON.stringify(body) }) }),
    )
    const answer = readAnswer(what, heard, clock.now())
    return { answer, link: heard.kind === 'answer' ? heard.headers.link : undefined }
  }
  return {
    get: async (what, path, shape) => parse(what, (await exchange(what, 'GET', base + path)).answer, shape),
    async *list(what, path, shape) {
      let next: string | null = `${base}${path}${path.includes('?') ? '&' : '?'}per_page=${perPage}`
      for (let page = 0; next !== null; page++) {
        if (page === mostPages) throw away(what, `more than ${mostPages} pages`)
        const { answer, link } = await exchange(what, 'GET', next)
        yield parse(what, answer, z.array(shape))
        next = nextPage(link, next)
        if (next !== null && new URL(next).origin !== new URL(base).origin) throw elsewhere(what)
      }
    },
    write: async (what, method, path, body, shape) =>
      parse(what, (await exchange(what, method, base + path, body)).answer, shape),
  }
}

function parse<T>(what: string, answer: unknown, shape: z.ZodType<T>): T {
  const parsed = shape.safeParse(answer)
  if (parsed.success) return parsed.data
  throw away(what, `unexpected answer at ${parsed.error.issues[0]?.path.join('.') || 'its top'}`)
}

function elsewhere(what: string): CanvasError {
  return new CanvasError(
    'forbidden',
    `Canvas continues ${what} at another host, where no token is sent. Put the address that Canvas itself uses into the settings, with https.`,
  )
}

/** A name in a path. Canvas takes what follows a dot for a format, so dots are escaped as well (its page on object ids). */
export function segment(text: string): string {
  return encodeURIComponent(text).replaceAll('.', '%2E')
}

/** With the string ids that are asked for; a site that ignores the wish gives numbers. */
export const idShape = z.union([z.string().regex(/^\d+$/), z.int().positive().transform(String)])
