// What lies in an inbox and is not taken, in words for whoever put it there. Pure.

import { spokenName } from '#src/log/spoken-name.ts'
import { minuteOf } from '#src/time/minute.ts'
import type { LeftFile } from './open-inbox.ts'

/** As the ledger keeps it. */
export interface LeftLying {
  count: number
  /** The first few, with the reason in words. */
  examples: { name: string; why: string }[]
}

const mostNamed = 20
const longestName = 80

/** Null when nothing is left lying. */
export function leftLying(left: readonly LeftFile[], of: { pattern: string; marker: string | null }): LeftLying | null {
  if (left.length === 0) return null
  const sorted = left.toSorted((one, other) => (one.name < other.name ? -1 : 1))
  const examples = sorted.slice(0, mostNamed).map(({ name, why }) => ({
    name: spokenName(name, longestName),
    why: wordsFor({ name: spokenName(name, longestName), why }, of),
  }))
  return { count: left.length, examples }
}

/** The page that stands in the inbox for as long as something is left lying there. */
export function leftPage({ count, examples }: LeftLying, at: Date): string {
  const lines = [
    `As of ${minuteOf(at)} UTC these were not taken from the inbox:`,
    '',
    ...examples.map(({ name, why }) => `  ${name}: ${why}`),
    ...(count > examples.length ? [`  and ${count - examples.length} more`] : []),
  ]
  return `${lines.join('\n')}\n`
}

function wordsFor({ name, why }: LeftFile, { pattern, marker }: { pattern: string; marker: string | null }): string {
  switch (why) {
    case 'another name':
      return adviceByEnding(name) ?? `its name does not fit ${pattern} (source.pattern)`
    case 'no marker':
      return `it waits for ${name}${marker} beside it`
    case 'a folder':
      return 'it is a folder; put the file itself into the inbox'
    case 'a link':
      return 'it is a link, which is never followed; put the file itself into the inbox'
    case 'no file':
      return 'it is a pipe or a device, not a file'
    case 'not readable':
      return 'the worker may not read it; give its account the right'
    case 'a name that is not UTF-8':
      return 'its name is not UTF-8; rename it'
  }
}

/** What people send most often that is no table for us. */
function adviceByEnding(name: string): string | undefined {
  const [, ending = ''] = /\.([^.]+)$/.exec(name.toLowerCase()) ?? []
  if (ending === 'xls' || ending === 'xlsm' || ending === 'xlsb' || ending === 'ods' || ending === 'numbers')
    return `a .${ending} file is not taken; save it as .xlsx or CSV`
  if (ending === 'tsv' || ending === 'txt') return `a .${ending} file is not taken; if it is a table, name it .csv`
  return undefined
}
