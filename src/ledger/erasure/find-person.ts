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
import { type Named, resolvePeople, type Who, withKnownSystems } from './resolve-people.ts'
import { cellsOfCompletions, cellsOfRows, verdictOnCellsOf } from './row-values.ts'
import { readIssuances, type ScannedIssuance, scanIssuances } from './scan-people.ts'
import { ValueOwners } from './value-owners.ts'

/** @returns one entry for each WHO, in the same order */
export async function findPeople(
  sql: Sql,
  environment: string,
  asked: readonly Who[],
  { comparisonOf, hasher }: { comparisonOf: ComparisonOf; hasher: Hasher },
): Promise<FoundPerson[]> {
  const whos = await withKnownSystems(sql, environment, asked)
  const toRecord = (issuance: ScannedIssuance) => personRecordOf(issuance, comparisonOf)
  const named = await resolvePeople(sql, environment, whos, { comparisonOf, hasher })
  await addByValue(sql, environment, { whos, named, toRecord })
  const seeds = await readIssuances(
    sql,
    environment,
    named.flatMap(({ issuances }) => [...issuances]),
  )
  const people: PersonToFind[] = []
  for (const each of named) people.push(await personOf(sql, each, seeds, { toRecord, comparisonOf }))
  await addNamedRows(sql, people, named, comparisonOf)
  while (await addIssuances(sql, environment, people, toRecord));
  await addLearners(sql, people)
  await addInvalidRows(sql, environment, people, whos, { comparisonOf, hasher })
  await addCompletions(sql, environment, people, whos, comparisonOf)
  await addEarlier(sql, environment, { people, whos, named }, hasher)
  for (const { leftOut, ids } of people) leftOut.ids = leftOut.ids.filter((id) => !ids.includes(id))
  return people.map((person) => (person.ambiguousSystems ? { ...person, ...nothing() } : person))
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
  { issuances, rows, completions, systems }: Named,
  seeds: ReadonlyMap<number, ScannedIssuance>,
  of: { toRecord: (issuance: ScannedIssuance) => PersonRecord | null; comparisonOf: ComparisonOf },
): Promise<PersonToFind> {
  const { toRecord, comparisonOf } = of
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
  // A number of one system may be that of somebody else in another system, or in a field of a list.
  const unjoined: string[] = []
  if (systems.size + ids.length > 1)
    for (const [system, isIssued] of systems) {
      const own = completions.filter((each) => each.system === system)
      if (!isIssued && !(await areOf(sql, own, [...records.values()], comparisonOf))) unjoined.push(system)
    }
  const person = {
    ...{ ...nothing(), rows: [...rows] },
    learners: new Set<string>(),
    namedAlone: new Set<number>(),
    copies: new Set<string>(),
  }
  if (!isOne || unjoined.length > 0) {
    const ambiguousSystems = unjoined.length > 0 ? { ambiguousSystems: [...systems.keys()].toSorted() } : {}
    return { ...person, ...ambiguousSystems, rows: [], ids: [], ambiguous: ids, records: new Map(), recipient: null }
  }
  const recipient = first ? (seeds.get(first.id)?.recipient ?? null) : null
  const namedAlone = new Set(ids.length > 0 ? [] : completions.map(({ id }) => id))
  return { ...person, ids, ambiguous: [], records, recipient, namedAlone }
}

/** Nothing was chosen of what WHO may mean. */
const nothing = () => ({
  ...{ rows: [], completions: [], leftOut: { ids: [], rows: [], completions: [] } },
  earlier: { rows: [], completions: [], traces: [], leftOut: { rows: [], completions: [] }, day: null },
})

/** Whether completions that led to no issuance are certainly of the person. Of forgotten ones nothing says so. */
async function areOf(
  sql: Sql,
  completions: Named['completions'],
  person: readonly PersonRecord[],
  comparisonOf: ComparisonOf,
): Promise<boolean> {
  const rows = completions.flatMap(({ row }) => row ?? [])
  const ids = completions.map(({ id }) => id)
  const cells = [...(await cellsOfRows(sql, rows)), ...(await cellsOfCompletions(sql, ids))]
  return cells.length > 0 && cells.every((each) => verdictOnCellsOf(each, person, comparisonOf) === 'same')
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
