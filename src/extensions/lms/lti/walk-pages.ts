// Reads a complete list from a platform over the network, page by page.

import { z } from 'zod'
import type { LmsResponse } from '#src/platform/http/http-client.ts'
import { nextPage } from '#src/platform/http/next-page.ts'
import { parseExactJson } from '#src/platform/http/parse-exact-json.ts'
import { hostOf, isSuccess, type LtiFailure, unreadable } from './failure.ts'

/** A longer list cannot be used: it contains every learner of the site, or its pages form an endless loop. */
const maxPages = 200

export type PagesRead<Item> = { kind: 'items'; items: Item[] } | LmsResponse | LtiFailure

/**
 * Returns all items. A failed call, or a response with a status other than 2xx, is returned unchanged.
 * @param what names the expected list in messages, such as `a list of results`
 */
export async function walkLtiPages<Shape extends z.ZodType>(
  first: string,
  shape: Shape,
  what: string,
  get: (url: string) => Promise<LmsResponse | LtiFailure>,
): Promise<PagesRead<z.output<Shape>>> {
  const items: z.output<Shape>[] = []
  let url: string | null = first
  for (let page = 0; url !== null; page++) {
    if (page === maxPages) return tooManyPages(first)
    const response = await get(url)
    if (response.kind === 'refused' || response.kind === 'later' || !isSuccess(response)) return response
    const read = z.array(shape).safeParse(parseList(response.text))
    if (!read.success) return unreadable(url, what)
    items.push(...read.data)
    url = nextPage(response.headers.link, url)
    if (url !== null && new URL(url).origin !== new URL(first).origin) return otherHost(first)
  }
  return { kind: 'items', items }
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

function tooManyPages(url: string): LtiFailure {
  return {
    kind: 'refused',
    why: `${hostOf(url)} has more than ${maxPages} pages in one list. Check the address in the settings.`,
  }
}

export function otherHost(url: string): LtiFailure {
  return {
    kind: 'refused',
    why: `${hostOf(url)} refers to another host, where no token is sent. Ask the platform's administrator to check the site address in the platform's settings.`,
  }
}
