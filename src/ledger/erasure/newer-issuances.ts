// Finds what was published of the people of an erasure after they were searched for, under another key. Reads the
// database only.

import { type PersonRecord, verdictOn } from '#src/domain/credential/records-of-person.ts'
import type { Sql } from '#src/platform/database/database.ts'
import { type ComparisonOf, keysOf, personRecordOf } from './person-records.ts'
import { cellsOfCompletions, cellsOfRows, recordOfCells } from './row-values.ts'
import { readIssuances, scanIssuancesAfter } from './scan-people.ts'
import { ValueOwners } from './value-owners.ts'

/**
 * Within a course ids grow in the order of publications, because each holds the lock of the course.
 * @param of.courses courses whose publications are locked
 * @returns the issuances that certainly are of one of the people. A row of which it is unclear is left alone.
 */
export async function newerIssuances(
  sql: Sql,
  environment: string,
  of: {
    ids: readonly number[]
    rows: readonly { run: string; row: number }[]
    completions: readonly number[]
    courses: readonly string[]
    searchedTo: ReadonlyMap<string, number>
    comparisonOf: ComparisonOf
  },
): Promise<number[]> {
  const records = new Map<number, PersonRecord>()
  const index = new ValueOwners()
  const add = (record: PersonRecord | null) => {
    if (!record) return
    records.set(record.id, record)
    index.add(keysOf(record), record.id)
  }
  for (const issuance of (await readIssuances(sql, environment, of.ids)).values())
    add(personRecordOf(issuance, of.comparisonOf))
  const cells = [...(await cellsOfRows(sql, of.rows)), ...(await cellsOfCompletions(sql, of.completions))]
  for (const [at, source] of cells.entries()) add(recordOfCells(source, of.comparisonOf, -1 - at))
  if (records.size === 0) return []
  const found: number[] = []
  for (const course of of.courses)
    for await (const issuance of scanIssuancesAfter(sql, {
      environment,
      course,
      after: of.searchedTo.get(course) ?? 0,
    })) {
      const record = personRecordOf(issuance, of.comparisonOf)
      if (!record || records.has(record.id) || verdictOn(record, recordsNear(record)) !== 'same') continue
      found.push(record.id)
      add(record)
    }
  return found

  /** Everything that shares a value with the record, directly or through others. */
  function recordsNear(record: PersonRecord): PersonRecord[] {
    const near = new Set<number>()
    for (let next = [record]; next.length > 0; ) {
      const ids = [...index.find(next.flatMap(keysOf))].filter((id) => !near.has(id))
      for (const id of ids) near.add(id)
      next = ids.flatMap((id) => records.get(id) ?? [])
    }
    return [...near].flatMap((id) => records.get(id) ?? [])
  }
}
