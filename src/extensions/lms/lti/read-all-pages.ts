// Reads a complete list from a platform over the network, page by page.

import { z } from 'zod'
import type { LmsResponse } from '#src/platform/http/http-client.ts'
import { nextPage } from '#src/platform/http/next-page.ts'
import { parseExactJson } from '#src/platform/http/parse-exact-json.ts'
import type { Clock } from '#src/platform/time/clock.ts'
import { failedCall, hostOf, isSuccess, LtiError, unreadable } from './lti-error.ts'

/** A longer list cannot be used: it contains every learner of the site, or its pages form an endless loop. */
const maxPages = 200

interface PagedList<Shape extends z.ZodType> {
  first: string
  shape: Shape
  /** Names the expected list in messages, such as `a list of results`. */
  what: string
  get: (url: string) => Promise<LmsResponse>
  clock: Pick<Clock, 'now'>
}

/** @throws LtiError, also if a later page is on another host */
export async function readAllPages<Shape extends z.ZodType>({
  first,
  shape,
  what,
  get,
  clock,
}: PagedList<Shape>): Promise<z.output<Shape>[]> {
  const items: z.output<Shape>[] = []
  let url: string | null = first
  for (let page = 0; url !== null; page++) {
    if (page === maxPages)
      throw new LtiError(
        'refused',
        `${hostOf(first)} has more than ${maxPages} pages in one list. Check the address in the settings.`,
      )
    const response = await get(url)
    if (!isSuccess(response)) throw failedCall(response, url, clock.now())
    const read = z.array(shape).safeParse(parseList(response.text))
    if (!read.success) throw unreadable(url, what)
    items.push(...read.data)
    url = nextPage(response.headers.link, url)
    if (url !== null && new URL(url).origin !== new URL(first).origin) throw otherHost(first)
  }
  return items
}

/** An empty response is an empty list: some platforms send 204. */
function parseList(text: string): unknown {
  if (text.trim() === '') return []
  try {
    return parseExactJson(text)
  } catch {
    return null
  }
}

export function otherHost(url: string): LtiError {
  return new LtiError(
    'refused',
    `${hostOf(url)} refers to another host, where no token is sent. Ask the platform's administrator to check the site address in the platform's settings.`,
  )
}
