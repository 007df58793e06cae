// Finds what came of the people of an erasure after they were searched for: a list was published, or a learning system
// reported a completion, while the operator read what would go. Reads the database only.

import { valuesInCells } from '#src/domain/credential/erased-person.ts'
import type { Hasher } from '#src/domain/credential/identity-hasher.ts'
import { type Likeness, type PersonRecord, verdictOn } from '#src/domain/credential/records-of-person.ts'
import type { Sql } from '#src/platform/database/database.ts'
import { accountOf, readAccounts } from './accounts.ts'
import { copyKey, copyKeys, type RowName, rowKey } from './found-person.ts'
import { type ComparisonOf, keysOf, personRecordOf } from './person-records.ts'
import { cellsOfCompletions, cellsOfRows, recordOfCells, verdictOnCellsOf } from './row-values.ts'
import { othersAmong } from './rows-of-others.ts'
import {
  newestIssuances,
  readIssuances,
  type SearchedTo,
  scanCompletions,
  scanIssuancesAfter,
  scanRowsOfTheirOwn,
} from './scan-people.ts'
import { ValueOwners } from './value-owners.ts'

/** What an erasure is about. */
export interface ErasedContent {
  ids: number[]
  rows: RowName[]
  completions: number[]
}

export interface NewerRecords extends ErasedContent {
  /** What may be of somebody else, also if it was there before. */
  leftOut: ErasedContent
}

type ReadonlyContent = { readonly [Part in keyof ErasedContent]: Readonly<ErasedContent[Part]> }

/** People who were found, and what there was when they were searched for; without it, nothing is looked for. */
export interface SearchedPeople extends ReadonlyContent {
  searchedTo?: SearchedTo
  comparisonOf?: ComparisonOf
}

const nothing = (): NewerRecords => ({
  ...{ ids: [], rows: [], completions: [], leftOut: { ids: [], rows: [], completions: [] } },
})

/**
 * Finds what certainly is of one of the people, and is not among what was found.
 * @param options.courses in which issuances are looked for; null: all
 * @param options.early what was found so before: it is part of the answer
 */
export async function newerRecords(
  sql: Sql,
  environment: string,
  people: SearchedPeople,
  { courses, hasher, early = nothing() }: { courses: readonly string[] | null; hasher: Hasher; early?: NewerRecords },
): Promise<NewerRecords> {
  const { searchedTo, comparisonOf = () => null } = people
  if (!searchedTo) return early
  const of = { courses, searchedTo, comparisonOf, hasher }
  // What is found may be what connects others to the people, whichever came first.
  for (let all = early; ; ) {
    const found = await findNewer(sql, environment, joinedContent(people, all), of)
    const joined = joinedContent(all, found)
    all = { ...joined, leftOut: without(joined, joinedContent(all.leftOut, found.leftOut)) }
    if (found.ids.length + found.rows.length + found.completions.length === 0) return all
  }
}

/** What is certainly of one of the people is not left out, although it was when less was known. */
function without(own: ErasedContent, content: ErasedContent): ErasedContent {
  const [ids, rows, completions] = [new Set(own.ids), new Set(own.rows.map(rowKey)), new Set(own.completions)]
  return {
    ids: content.ids.filter((id) => !ids.has(id)),
    rows: content.rows.filter((row) => !rows.has(rowKey(row))),
    completions: content.completions.filter((id) => !completions.has(id)),
  }
}

/** What several of them are about, everything once. */
export const joinedContent = (...contents: readonly ReadonlyContent[]): ErasedContent => ({
  ids: [...new Set(contents.flatMap(({ ids }) => ids))],
  rows: [...new Map(contents.flatMap(({ rows }) => rows).map((row) => [rowKey(row), row])).values()],
  completions: [...new Set(contents.flatMap(({ completions }) => completions))],
})

/** Within a course ids grow in the order of publications, because each holds the lock of the course. */
async function findNewer(
  sql: Sql,
  environment: string,
  content: ErasedContent,
  of: { courses: readonly string[] | null; searchedTo: SearchedTo; comparisonOf: ComparisonOf; hasher: Hasher },
): Promise<NewerRecords> {
  const { searchedTo, comparisonOf } = of
  const people = await knownPeople(sql, environment, content, comparisonOf)
  const found = nothing()
  if (people.isEmpty) return found
  const put = <Part extends keyof ErasedContent>(part: Part, verdict: Likeness, item: ErasedContent[Part][number]) => {
    if (verdict !== 'other') ((verdict === 'same' ? found : found.leftOut)[part] as (typeof item)[]).push(item)
  }
  for (const course of of.courses ?? (await newestIssuances(sql, environment)).keys())
    for await (const issuance of scanIssuancesAfter(sql, {
      environment,
      course,
      after: searchedTo.issuances.get(course) ?? 0,
    })) {
      const record = personRecordOf(issuance, comparisonOf)
      if (!record || people.has(record.id)) continue
      const verdict = verdictOn(record, people.near(keysOf(record)))
      put('ids', verdict, record.id)
      if (verdict === 'same') people.add(record)
    }
  const known = new Set(content.rows.map(rowKey))
  for await (const scanned of scanRowsOfTheirOwn(sql, environment, searchedTo.at)) {
    const { run, row, cells, isSkipped } = scanned
    if (known.has(rowKey(scanned))) continue
    const isCopy = copyKeys(scanned).some((key) => people.copies.has(key))
    const verdict = isCopy ? 'same' : verdictOnCellsOf(scanned, people.near(valuesInCells(cells)), comparisonOf)
    if (verdict !== 'other' && isSkipped && (await othersAmong(sql, [scanned], of)).size === 0) continue
    put('rows', verdict, { run, row })
  }
  const knownCompletions = new Set(content.completions)
  for await (const scanned of scanCompletions(sql, environment, searchedTo.completion)) {
    const { id, learner, cells } = scanned
    if (knownCompletions.has(id)) continue
    const near = people.near(valuesInCells([...cells, learner]))
    const isOwn = people.accounts.has(accountOf(scanned))
    put('completions', isOwn ? 'same' : verdictOnCellsOf(scanned, near, comparisonOf), id)
  }
  return found
}

/** What is known of the people of an erasure. In memory. */
class KnownPeople {
  readonly #records = new Map<number, PersonRecord>()
  readonly #index = new ValueOwners()
  readonly copies = new Set<string>()
  readonly accounts = new Set<string>()

  get isEmpty(): boolean {
    return this.#records.size + this.copies.size + this.accounts.size === 0
  }

  has(id: number): boolean {
    return this.#records.has(id)
  }

  add(record: PersonRecord | null): void {
    if (!record) return
    this.#records.set(record.id, record)
    this.#index.add(keysOf(record), record.id)
  }

  /** Everything that has one of the values, directly or through others. */
  near(values: readonly string[]): PersonRecord[] {
    const near = new Set<number>()
    for (let next = values; next.length > 0; ) {
      const ids = [...this.#index.find(next)].filter((id) => !near.has(id))
      for (const id of ids) near.add(id)
      next = ids.flatMap((id) => keysOf(this.#records.get(id) as PersonRecord))
    }
    return [...near].flatMap((id) => this.#records.get(id) ?? [])
  }
}

async function knownPeople(
  sql: Sql,
  environment: string,
  { ids, rows, completions }: ErasedContent,
  comparisonOf: ComparisonOf,
): Promise<KnownPeople> {
  const people = new KnownPeople()
  for (const issuance of (await readIssuances(sql, environment, ids)).values())
    people.add(personRecordOf(issuance, comparisonOf))
  const cells = [...(await cellsOfRows(sql, rows)), ...(await cellsOfCompletions(sql, completions))]
  for (const [at, source] of cells.entries()) {
    const record = recordOfCells(source, comparisonOf, -1 - at)
    people.add(record)
    people.copies.add(copyKey(source, record.identifiers))
  }
  // An address is no account of its own.
  for (const account of await readAccounts(sql, { ids, completions }))
    if (people.near(valuesInCells([account.learner])).length === 0) people.accounts.add(accountOf(account))
  return people
}
