// Describes files that are not taken from an inbox, for the people who put them there. Pure.

import { safeName } from '#src/platform/text.ts'
import { minuteOf } from '#src/platform/time/duration.ts'
import type { FileNotTaken } from './open-inbox.ts'

/** The description of the files, as the ledger stores it. */
export interface FilesNotTaken {
  count: number
  /** The first few files, each with the reason in words. */
  examples: { name: string; why: string }[]
}

const maxExamples = 20
const maxNameLength = 80

/** @returns null if there are no such files */
export function filesNotTaken(
  files: readonly FileNotTaken[],
  inbox: { pattern: string; marker: string | null },
): FilesNotTaken | null {
  if (files.length === 0) return null
  const sorted = files.toSorted((one, other) => (one.name < other.name ? -1 : 1))
  const examples = sorted.slice(0, maxExamples).map(({ name, why }) => ({
    name: safeName(name, maxNameLength),
    why: describeReason({ name: safeName(name, maxNameLength), why }, inbox),
  }))
  return { count: files.length, examples }
}

/** Makes the text of the page that is kept in an inbox's outbox for as long as the inbox contains such files. */
export function notTakenPage({ count, examples }: FilesNotTaken, at: Date): string {
  const lines = [
    `As of ${minuteOf(at)} UTC these were not taken from the inbox:`,
    '',
    ...examples.map(({ name, why }) => `  ${name}: ${why}`),
    ...(count > examples.length ? [`  and ${count - examples.length} more`] : []),
  ]
  return `${lines.join('\n')}\n`
}

function describeReason(
  { name, why }: FileNotTaken,
  { pattern, marker }: { pattern: string; marker: string | null },
): string {
  switch (why) {
    case 'another name':
      return adviceByEnding(name) ?? `its name does not match ${pattern} (source.pattern)`
    case 'no marker':
      return `it waits for ${name}${marker} next to it`
    case 'a folder':
      return 'it is a folder; put the file itself into the inbox'
    case 'a link':
      return 'it is a link, which is never followed; put the file itself into the inbox'
    case 'two names':
      return 'it is a second name for a file elsewhere (a hard link); put a copy of it into the inbox'
    case 'no file':
      return 'it is a pipe or a device, not a file'
    case 'not readable':
      return "the worker may not read it; give the worker's account read access"
    case 'a name that is not UTF-8':
      return 'its name is not UTF-8; rename it'
  }
}

/** Returns advice for the most common types of file that credsync cannot read. */
function adviceByEnding(name: string): string | undefined {
  const [, ending = ''] = /\.([^.]+)$/.exec(name.toLowerCase()) ?? []
  if (ending === 'xls' || ending === 'xlsm' || ending === 'xlsb' || ending === 'ods' || ending === 'numbers')
    return `a .${ending} file is not taken; save it as .xlsx or CSV`
  if (ending === 'tsv' || ending === 'txt') return `a .${ending} file is not taken; if it is a table, name it .csv`
  return undefined
}
