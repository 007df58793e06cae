// Finds everything that the ledger holds of people who are to be forgotten, for many of them in one reading of the
// recipients. What may belong to somebody else is left out and named. Reads the database only.

import { valuesInCells } from '#src/domain/credential/erased-person.ts'
import {
  type Likeness,
  type PersonRecord,
  recordOf,
  verdictOn,
  verdictOnCells,
} from '#src/domain/credential/records-of-person.ts'
import type { Sql } from '#src/platform/database/database.ts'
import { erasedAlike } from './erased-alike.ts'
import { type ComparisonOf, comparisonByRoles } from './request-erasure.ts'
import { type Named, resolvePeople, type Who } from './resolve-people.ts'
import { readIssuances, type ScannedIssuance, scanCompletions, scanInvalidRows, scanIssuances } from './scan-people.ts'
import { ValueOwners } from './value-owners.ts'

interface RowName {
  run: string
  row: number
}

/** What was found of one person. */
export interface FoundPerson {
  /** Issuances, also those that were forgotten before. */
  ids: number[]
  rows: RowName[]
  completions: number[]
  /** What shares an address or a number with the person, and may be of somebody else. */
  leftOut: { ids: number[]; rows: RowName[]; completions: number[] }
  /** Issuances of several people match, or it is not certain that they are of one: nothing was chosen. */
  ambiguous: number[]
  recipient: Readonly<Record<string, string>> | null
}

interface Person extends FoundPerson {
  records: Map<number, PersonRecord>
  learners: Set<string>
}

/** @returns one entry for each WHO, in the same order */
export async function findPeople(
  sql: Sql,
  environment: string,
  whos: readonly Who[],
  comparisonOf: ComparisonOf,
): Promise<FoundPerson[]> {
  const toRecord = (issuance: ScannedIssuance): PersonRecord | null => {
    if (!issuance.recipient) return null
    const { pipeline, course, recipient, corrects } = issuance
    const comparison = comparisonOf(pipeline, course) ?? comparisonByRoles(recipient)
    return recordOf({ ...issuance, recipient, linked: corrects === null ? [] : [corrects] }, comparison)
  }
  const named = await resolvePeople(sql, environment, whos)
  await addByValue(sql, environment, { whos, named, toRecord })
  const seeds = await readIssuances(
    sql,
    environment,
    named.flatMap(({ issuances }) => [...issuances]),
  )
  const people: Person[] = []
  for (const each of named) people.push(await personOf(sql, each, seeds, toRecord))
  while (await addIssuances(sql, environment, people, toRecord));
  await addLearners(sql, people)
  await addInvalidRows(sql, environment, people)
  await addCompletions(sql, environment, people, named)
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
): Promise<Person> {
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
    learners: new Set<string>(),
  }
  if (!isOne || !isOneLearner)
    return { ...person, rows: [], ids: [], ambiguous: ids, records: new Map(), recipient: null }
  const recipient = first ? (seeds.get(first.id)?.recipient ?? null) : null
  return { ...person, ids, ambiguous: [], records, recipient }
}

/** Reads all issuances once. @returns whether something was found by which others may be found */
async function addIssuances(
  sql: Sql,
  environment: string,
  people: readonly Person[],
  toRecord: (issuance: ScannedIssuance) => PersonRecord | null,
): Promise<boolean> {
  const index = indexOf(people)
  if (index.isEmpty) return false
  let isWider = false
  for await (const issuance of scanIssuances(sql, environment)) {
    const record = toRecord(issuance)
    if (!record) continue
    for (const n of index.find(keysOf(record))) {
      const person = people[n] as Person
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

/** Adds the accounts by which learning systems name the people. */
async function addLearners(sql: Sql, people: readonly Person[]): Promise<void> {
  const { rows } = await sql.query<{ issuance: number; system: string; learner: string }>(
    `SELECT r.issuance_id AS issuance, c.system, c.learner FROM run_row r JOIN completion c ON c.run_id = r.run_id AND c.row_number = r.row_number
     WHERE r.issuance_id = ANY($1::bigint[]) AND r.outcome = 'accepted'`,
    [people.flatMap(({ ids }) => ids)],
  )
  const byIssuance = Map.groupBy(rows, ({ issuance }) => issuance)
  for (const { ids, learners, records } of people)
    for (const { system, learner } of ids.flatMap((id) => byIssuance.get(id) ?? [])) {
      // An address is no account of its own: somebody else may complete another course under it.
      const [value = ''] = valuesInCells([learner])
      if (![...records.values()].some(({ identifiers }) => identifiers.includes(value)))
        learners.add(accountOf(system, learner))
    }
}

const accountOf = (system: string, learner: string) => JSON.stringify([system, learner])

async function addInvalidRows(sql: Sql, environment: string, people: readonly Person[]): Promise<void> {
  const index = indexOf(people)
  if (index.isEmpty) return
  for await (const { run, row, cells } of scanInvalidRows(sql, environment))
    for (const n of index.find(valuesInCells(cells))) {
      const { rows, leftOut, records } = people[n] as Person
      if (rows.some((known) => known.run === run && known.row === row)) continue
      put(verdictOnCells(cells, [...records.values()]), { run, row }, rows, leftOut.rows)
    }
}

async function addCompletions(
  sql: Sql,
  environment: string,
  people: readonly Person[],
  named: readonly Named[],
): Promise<void> {
  const index = indexOf(people)
  for (const [n, { learners }] of people.entries()) index.add([...learners], n)
  const isNamedAlone = (n: number, id: number) =>
    people[n]?.ids.length === 0 &&
    people[n].ambiguous.length === 0 &&
    named[n]?.completions.some((each) => each.id === id)
  for (const [n, { completions }] of named.entries())
    index.add(
      completions.map(({ id }) => `completion ${id}`),
      n,
    )
  if (index.isEmpty) return
  for await (const { id, system, learner, cells } of scanCompletions(sql, environment)) {
    const texts = [...Object.values(cells), learner]
    const account = accountOf(system, learner)
    for (const n of index.find([account, `completion ${id}`, ...valuesInCells(texts)])) {
      const { completions, leftOut, learners, records } = people[n] as Person
      const isOwn = learners.has(account) || isNamedAlone(n, id)
      put(isOwn ? 'same' : verdictOnCells(texts, [...records.values()]), id, completions, leftOut.completions)
    }
  }
}

function put<Item>(verdict: Likeness, item: Item, same: Item[], unsure: Item[]): void {
  if (verdict === 'same') same.push(item)
  if (verdict === 'unsure') unsure.push(item)
}

const keysOf = ({ identifiers, identityHash }: PersonRecord) => [...identifiers, `identity ${identityHash}`]

function indexOf(people: readonly Person[]): ValueOwners {
  const index = new ValueOwners()
  for (const [n, { records }] of people.entries()) index.add([...records.values()].flatMap(keysOf), n)
  return index
}
