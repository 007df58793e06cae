// Finds the invalid rows and the completions of people who are to be forgotten. Reads the database only.

import { valuesInCells } from '#src/domain/credential/erased-person.ts'
import type { Hasher } from '#src/domain/credential/identity-hasher.ts'
import type { Likeness } from '#src/domain/credential/records-of-person.ts'
import type { Sql } from '#src/platform/database/database.ts'
import { accountOf, readAccounts } from './accounts.ts'
import { copyKey, copyKeys, indexOf, type PersonToFind, rowKey } from './found-person.ts'
import type { ComparisonOf } from './person-records.ts'
import type { Named, Who } from './resolve-people.ts'
import { cellsOfCompletions, cellsOfRows, recordOfCells, verdictOnCellsOf } from './row-values.ts'
import { othersAmong } from './rows-of-others.ts'
import { type ScannedCells, scanCompletions, scanRowsOfTheirOwn } from './scan-people.ts'
import type { ValueOwners } from './value-owners.ts'

/**
 * Adds the rows of the completions that WHO names, and what all named rows and completions say of their person: a list
 * may bring the same invalid row every night. They are records with ids that no issuance has.
 */
export async function addNamedRows(
  sql: Sql,
  people: readonly PersonToFind[],
  named: readonly Named[],
  comparisonOf: ComparisonOf,
): Promise<void> {
  // A completion that was refused is an invalid row, too.
  for (const [n, { rows, namedAlone }] of people.entries())
    for (const { id, row } of named[n]?.completions ?? []) if (row && namedAlone.has(id)) rows.push(row)
  const read = await cellsOfRows(
    sql,
    people.flatMap(({ rows }) => rows),
  )
  const readRows = Map.groupBy(read, ({ run, row }) => `${run}:${row}`)
  const alone = people.flatMap(({ namedAlone }) => [...namedAlone])
  const readCompletions = Map.groupBy(await cellsOfCompletions(sql, alone), ({ completion }) => completion)
  for (const { rows, namedAlone, records, copies } of people)
    for (const source of [
      ...rows.flatMap((row) => readRows.get(rowKey(row)) ?? []),
      ...[...namedAlone].flatMap((id) => readCompletions.get(id) ?? []),
    ]) {
      const id = -1 - records.size
      const record = recordOfCells(source, comparisonOf, id)
      records.set(id, record)
      copies.add(copyKey(source, record.identifiers))
    }
}

/** Adds the accounts by which learning systems name the people. */
export async function addLearners(sql: Sql, people: readonly PersonToFind[]): Promise<void> {
  const accounts = await readAccounts(sql, { ids: people.flatMap(({ ids }) => ids) })
  const byIssuance = Map.groupBy(accounts, ({ issuance }) => issuance)
  for (const { ids, learners, records } of people)
    for (const account of ids.flatMap((id) => byIssuance.get(id) ?? [])) {
      // An address is no account of its own: somebody else may complete another course under it.
      const [value = ''] = valuesInCells([account.learner])
      if (![...records.values()].some(({ identifiers }) => identifiers.includes(value)))
        learners.add(accountOf(account))
    }
}

/**
 * Of somebody of whom nothing else is known, rows and completions with the address or number are only listed: they may be
 * of several people.
 */
export async function addInvalidRows(
  sql: Sql,
  environment: string,
  people: readonly PersonToFind[],
  whos: readonly Who[],
  of: { comparisonOf: ComparisonOf; hasher: Hasher },
): Promise<void> {
  const { comparisonOf } = of
  const index = indexWithWhos(people, whos)
  for (const [n, { copies }] of people.entries()) index.add([...copies], n)
  if (index.isEmpty) return
  for await (const scanned of scanRowsOfTheirOwn(sql, environment)) {
    const { run, row, cells, isSkipped } = scanned
    const keys = copyKeys(scanned)
    const found = index.find([...keys, ...valuesInCells(cells)])
    if (found.size > 0 && isSkipped && (await othersAmong(sql, [scanned], of)).size === 0) continue
    for (const n of found) {
      const { rows, leftOut, records, copies } = people[n] as PersonToFind
      if (rows.some((known) => known.run === run && known.row === row)) continue
      const isCopy = keys.some((key) => copies.has(key))
      const verdict = isCopy ? 'same' : verdictOn(scanned, records, comparisonOf)
      put(verdict, { run, row }, rows, leftOut.rows)
    }
  }
}

export async function addCompletions(
  sql: Sql,
  environment: string,
  people: readonly PersonToFind[],
  whos: readonly Who[],
  comparisonOf: ComparisonOf,
): Promise<void> {
  const index = indexWithWhos(people, whos)
  for (const [n, { learners, namedAlone }] of people.entries())
    index.add([...learners, ...[...namedAlone].map((id) => `completion ${id}`)], n)
  if (index.isEmpty) return
  for await (const scanned of scanCompletions(sql, environment)) {
    const { id, learner, cells } = scanned
    const account = accountOf(scanned)
    for (const n of index.find([account, `completion ${id}`, ...valuesInCells([...cells, learner])])) {
      const { completions, leftOut, learners, namedAlone, records } = people[n] as PersonToFind
      const isOwn = learners.has(account) || namedAlone.has(id)
      put(isOwn ? 'same' : verdictOn(scanned, records, comparisonOf), id, completions, leftOut.completions)
    }
  }
}

function indexWithWhos(people: readonly PersonToFind[], whos: readonly Who[]): ValueOwners {
  const index = indexOf(people)
  for (const [n, { records, ambiguous }] of people.entries())
    if (records.size + ambiguous.length === 0) index.add(whos[n]?.values ?? [], n)
  return index
}

const verdictOn = (cells: ScannedCells, records: PersonToFind['records'], comparisonOf: ComparisonOf): Likeness =>
  records.size === 0 ? 'unsure' : verdictOnCellsOf(cells, [...records.values()], comparisonOf)

function put<Item>(verdict: Likeness, item: Item, same: Item[], unsure: Item[]): void {
  if (verdict === 'same') same.push(item)
  if (verdict === 'unsure') unsure.push(item)
}
