// Finds everything that the ledger holds of people who are to be forgotten, for many of them in one reading of the
// recipients. What may belong to somebody else is left out and named. Reads the database only.

import type { Hasher } from '#src/domain/credential/identity-hasher.ts'
import { type PersonRecord, verdictOn } from '#src/domain/credential/records-of-person.ts'
import type { Sql } from '#src/platform/database/database.ts'
import { addEarlier } from './add-earlier.ts'
import { erasedAlike } from './erased-alike.ts'
import { addCompletions, addInvalidRows, addLearners, addNamedRows } from './find-rows.ts'
import { type FoundPerson, indexOf, type PersonToFind } from './found-person.ts'
import { type ComparisonOf, keysOf, personRecordOf } from './person-records.ts'
import { type Named, resolvePeople, type Who } from './resolve-people.ts'
import { readIssuances, type ScannedIssuance, scanIssuances } from './scan-people.ts'
import { ValueOwners } from './value-owners.ts'

/** @returns one entry for each WHO, in the same order */
export async function findPeople(
  sql: Sql,
  environment: string,
  whos: readonly Who[],
  { comparisonOf, hasher }: { comparisonOf: ComparisonOf; hasher: Hasher },
): Promise<FoundPerson[]> {
  const toRecord = (issuance: ScannedIssuance) => personRecordOf(issuance, comparisonOf)
  const named = await resolvePeople(sql, environment, whos, { comparisonOf, hasher })
  await addByValue(sql, environment, { whos, named, toRecord })
  const seeds = await readIssuances(
    sql,
    environment,
    named.flatMap(({ issuances }) => [...issuances]),
  )
  const people: PersonToFind[] = []
  for (const each of named) people.push(await personOf(sql, each, seeds, toRecord))
  await addNamedRows(sql, people, named, comparisonOf)
  while (await addIssuances(sql, environment, people, toRecord));
  await addLearners(sql, people)
  await addInvalidRows(sql, environment, people, whos, { comparisonOf, hasher })
  await addCompletions(sql, environment, people, whos, comparisonOf)
  await addEarlier(sql, environment, { people, whos, named }, hasher)
  for (const { leftOut, ids } of people) leftOut.ids = leftOut.ids.filter((id) => !ids.includes(id))
  return people
}

/** Adds the issuances in which a WHO appears as an address, a number or another identifier. */
async function addByValue(
  sql: Sql,
  environment: string,
  of: {
    whos: readonly Who[]
    named: readonly Named[]
    toRecord: (issuance: ScannedIssuance) => PersonRecord | null
  },
): Promise<void> {
  const index = new ValueOwners()
  for (const [n, who] of of.whos.entries()) index.add(who.values, n)
  if (index.isEmpty) return
  for await (const issuance of scanIssuances(sql, environment))
    for (const n of index.find(of.toRecord(issuance)?.identifiers ?? [])) of.named[n]?.issuances.add(issuance.id)
}

/** The person of the issuances that a WHO names, if they are certainly of one person. */
async function personOf(
  sql: Sql,
  { issuances, rows, completions }: Named,
  seeds: ReadonlyMap<number, ScannedIssuance>,
  toRecord: (issuance: ScannedIssuance) => PersonRecord | null,
): Promise<PersonToFind> {
  const ids = [...issuances].filter((id) => seeds.has(id)).sort((a, b) => a - b)
  const waiting = ids.flatMap((id) => toRecord(seeds.get(id) as ScannedIssuance) ?? [])
  const records = new Map<number, PersonRecord>()
  const [first] = waiting
  for (
    let next = first;
    next;
    next = waiting.find((each) => !records.has(each.id) && verdictOn(each, [...records.values()]) === 'same')
  )
    records.set(next.id, next)
  // Of those that were forgotten before there are only hashes.
  const isOne =
    records.size === waiting.length &&
    (await erasedAlike(
      sql,
      ids.filter((id) => !records.has(id)),
      records,
    ))
  const isOneLearner = ids.length > 0 || new Set(completions.map(({ system }) => system)).size < 2
  const person = {
    rows: [...rows],
    completions: [],
    leftOut: { ids: [], rows: [], completions: [] },
    earlier: { rows: [], completions: [], traces: [], leftOut: { rows: [], completions: [] }, day: null },
    learners: new Set<string>(),
    namedAlone: new Set<number>(),
    copies: new Set<string>(),
  }
  if (!isOne || !isOneLearner)
    return { ...person, rows: [], ids: [], ambiguous: ids, records: new Map(), recipient: null }
  const recipient = first ? (seeds.get(first.id)?.recipient ?? null) : null
  const namedAlone = new Set(ids.length > 0 ? [] : completions.map(({ id }) => id))
  return { ...person, ids, ambiguous: [], records, recipient, namedAlone }
}

/** Reads all issuances once. @returns whether something was found by which others may be found */
async function addIssuances(
  sql: Sql,
  environment: string,
  people: readonly PersonToFind[],
  toRecord: (issuance: ScannedIssuance) => PersonRecord | null,
): Promise<boolean> {
  const index = indexOf(people)
  if (index.isEmpty) return false
  let isWider = false
  for await (const issuance of scanIssuances(sql, environment)) {
    const record = toRecord(issuance)
    if (!record) continue
    for (const n of index.find(keysOf(record))) {
      const person = people[n] as PersonToFind
      if (person.records.has(record.id)) continue
      const verdict = verdictOn(record, [...person.records.values()])
      if (verdict === 'unsure' && !person.leftOut.ids.includes(record.id)) person.leftOut.ids.push(record.id)
      if (verdict !== 'same') continue
      person.records.set(record.id, record)
      person.ids.push(record.id)
      isWider = index.add(keysOf(record), n) || isWider
    }
  }
  return isWider
}
