// A whole list of a platform, page by page.

import { z } from 'zod'
import { nextPage } from '#src/wire/next-page.ts'
import { isTaken, type Trouble, unreadable } from './trouble.ts'
import type { Heard } from './wire.ts'

/** A list that is longer is not for us: it holds every learner of a site, or goes round in a circle. */
const mostPages = 200

export type Walked<Item> = { kind: 'items'; items: Item[] } | Heard | Trouble

/** An answer that is none of the 200s, or none at all, comes back as it was heard. */
export async function walkPages<Shape extends z.ZodType>(
  first: string,
  shape: Shape,
  what: string,
  get: (url: string) => Promise<Heard | Trouble>,
): Promise<Walked<z.output<Shape>>> {
  const items: z.output<Shape>[] = []
  let url: string | null = first
  for (let page = 0; url !== null; page++) {
    if (page === mostPages) return endless(first)
    const heard = await get(url)
    if (heard.kind === 'refused' || heard.kind === 'later' || !isTaken(heard)) return heard
    const read = z.array(shape).safeParse(listIn(heard.text))
    if (!read.success) return unreadable(url, what)
    items.push(...read.data)
    url = nextPage(heard.headers.link, url)
    if (url !== null && new URL(url).origin !== new URL(first).origin) return elsewhere(first)
  }
  return { kind: 'items', items }
}

/** An empty answer is an empty list: some platforms say 204. */
function listIn(text: string): unknown {
  if (text.trim() === '') return []
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function endless(url: string): Trouble {
  return {
    kind: 'refused',
    why: `${new URL(url).host} has more than ${mostPages} pages to read for one list. Check the address in the settings.`,
  }
}

function elsewhere(url: string): Trouble {
  return {
    kind: 'refused',
    why: `${new URL(url).host} continues a list at another host, where no token is sent. Ask the platform's operator about the address that it believes to have.`,
  }
}
