// Calls the Canvas REST API over the network, through the caller's rate limiter: single requests, and paginated lists.

import { z } from 'zod'
import type { LmsHttp, LmsResponse } from '#src/platform/http/http-client.ts'
import { nextPage } from '#src/platform/http/next-page.ts'
import type { Secret } from '#src/platform/secret.ts'
import type { Clock } from '#src/platform/time/clock.ts'
import { CanvasError } from './canvas-error.ts'
import { awayError, readCanvasResponse } from './read-response.ts'

export interface CanvasConnection {
  /** The base URL of the Canvas site, such as https://school.instructure.com. */
  url: string
  token: Secret
  send: LmsHttp['send']
  clock: Clock
  /** The caller's rate limiter, which runs each request when a slot is free. */
  gate: <Answer>(work: () => Promise<Answer>) => Promise<Answer>
}

/**
 * `what` names the subject of the request in error messages; `path` is relative to /api/v1/. A call that fails throws a
 * CanvasError.
 */
export interface CanvasCall {
  get<T>(what: string, path: string, shape: z.ZodType<T>): Promise<T>
  /** Yields all pages, in the order in which Canvas links them. */
  list<T>(what: string, path: string, shape: z.ZodType<T>): AsyncGenerator<T[], void, undefined>
  write<T>(what: string, method: 'POST' | 'PUT', path: string, body: object, shape: z.ZodType<T>): Promise<T>
}

const deadlineMs = 60_000
/** The maximum page size that Canvas allows, according to its source code. Pages with fewer entries are accepted. */
const perPage = 100
/** A page of this size is requested when a full one takes Canvas too long. */
const perSmallPage = 20
/** A list with more pages is treated as an endless loop. */
const maxPages = 1_000

export function openCanvasCall({ url, token, send, clock, gate }: CanvasConnection): CanvasCall {
  const base = `${url.replace(/(?<!\/)\/+$/, '')}/api/v1/`
  async function exchange(method: 'GET' | 'POST' | 'PUT', address: string, body?: object): Promise<LmsResponse> {
    const headers = {
      authorization: `Bearer ${token.reveal()}`,
      // Ids are 64-bit integers: large ones would lose digits as JSON numbers.
      accept: 'application/json+canvas-string-ids',
      ...(body && { 'content-type': 'application/json' }),
    }
    return gate(() => send({ method, url: address, headers, deadlineMs, ...(body && { body: JSON.stringify(body) }) }))
  }
  function parse<T>(what: string, response: LmsResponse, shape: z.ZodType<T>): T {
    const parsed = shape.safeParse(readCanvasResponse(what, response, clock.now()))
    if (parsed.success) return parsed.data
    throw awayError(what, `unexpected response at ${parsed.error.issues[0]?.path.join('.') || 'the top level'}`)
  }
  return {
    get: async (what, path, shape) => parse(what, await exchange('GET', base + path), shape),
    async *list(what, path, shape) {
      const firstPage = (size: number) => `${base}${path}${path.includes('?') ? '&' : '?'}per_page=${size}`
      let next: string | null = firstPage(perPage)
      for (let page = 0; next !== null; page++) {
        if (page === maxPages) throw awayError(what, `more than ${maxPages} pages`)
        let response = await exchange('GET', next)
        if (page === 0 && tookTooLong(response)) {
          next = firstPage(perSmallPage)
          response = await exchange('GET', next)
        }
        yield parse(what, response, z.array(shape))
        next = nextPage(response.kind === 'answer' ? response.headers.link : undefined, next)
        if (next !== null && new URL(next).origin !== new URL(base).origin) throw otherHostError(what)
      }
    },
    write: async (what, method, path, body, shape) => parse(what, await exchange(method, base + path, body), shape),
  }
}

function tookTooLong(response: LmsResponse): boolean {
  return response.kind === 'failed' ? response.code === 'DEADLINE' : response.status === 504
}
function otherHostError(what: string): CanvasError {
  return new CanvasError(
    'refused',
    `Canvas continues ${what} on another host, where no token is sent. Set the url of the system to the address that Canvas itself uses, with https.`,
  )
}

/**
 * Encodes an id for use in a path. Canvas treats everything after a dot as a format, so dots are escaped as well (see
 * its documentation page on object ids).
 */
export function pathSegment(text: string): string {
  return encodeURIComponent(text).replaceAll('.', '%2E')
}

/** We request string ids, but a site that ignores the request returns numbers. */
export const idShape = z.union([z.string().regex(/^\d+$/), z.int().positive().transform(String)])
