// Tests by which of the keys that show a value the report can be searched. Calls the service.

import { allStatusIds } from '#src/domain/credential/report-status.ts'
import { ServiceRefusedError } from '#src/issuer/classify-read.ts'
import { recipientKeys } from '#src/issuer/report/newest-items.ts'
import type { ReadReportPage } from '#src/issuer/report/report-pages.ts'
import type { Echo } from '#src/ledger/probes.ts'
import { belongsTo, type SeenEcho } from './echoes.ts'
import type { ProbeRecipient } from './probe-recipients.ts'
import type { Item } from './recipient-search.ts'

/** The documented search keys for text. */
const searchKeys: readonly string[] = ['name', ...recipientKeys]

/** @param item the recipient's item in the report */
export async function tryEchoes(
  read: ReadReportPage,
  person: ProbeRecipient,
  item: Item,
  echoes: readonly SeenEcho[],
): Promise<Echo[]> {
  const verdicts = new Map<string, boolean>()
  for (const key of new Set(echoes.map((echo) => echo.key))) {
    const value = item[key]
    if (searchKeys.includes(key) && typeof value === 'string')
      verdicts.set(key, await filters(read, person, key, value))
  }
  return echoes.map((echo) => ({ ...echo, searchable: verdicts.get(echo.key) ?? null }))
}

/** Whether a search finds the person by the right value, and no one by a value that no one has. */
async function filters(read: ReadReportPage, person: ProbeRecipient, key: string, value: string): Promise<boolean> {
  const search = async (text: string) =>
    (await read({ search: { [key]: text, issued_status_id: allStatusIds }, recordsPerPage: 50 })).items
  try {
    if ((await search(unusedValueLike(value))).length > 0) return false
    return (await search(value)).some((item) => belongsTo(person.unique, item))
  } catch (error) {
    if (error instanceof ServiceRefusedError) return false
    throw error
  }
}

/** Rotates the letters and digits of a value, to get a value of the same form that no one has. Pure. */
export function unusedValueLike(value: string): string {
  const rotate = (character: string, first: number, size: number) =>
    String.fromCharCode(first + ((character.charCodeAt(0) - first + size / 2) % size))
  return value
    .replace(/[a-z]/g, (character) => rotate(character, 97, 26))
    .replace(/[A-Z]/g, (character) => rotate(character, 65, 26))
    .replace(/[0-9]/g, (character) => rotate(character, 48, 10))
}
