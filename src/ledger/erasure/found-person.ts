// What was found of one person, while and after the ledger is searched. In memory.

import { normalizeText } from '#src/domain/credential/identity-hasher.ts'
import type { PersonRecord } from '#src/domain/credential/records-of-person.ts'
import { keysOf } from './person-records.ts'
import { ValueOwners } from './value-owners.ts'

export interface RowName {
  run: string
  row: number
}

/** How a row of a run is told from others. */
export const rowKey = ({ run, row }: RowName) => `${run}:${row}`

export interface EarlierForgotten {
  rows: RowName[]
  completions: number[]
  /** By what the person is recognized without an issuance. */
  traces: number[]
  /** What shares an address or a number, and may be of somebody else. */
  leftOut: { rows: RowName[]; completions: number[] }
  /** When it was forgotten. */
  day: string | null
}

/** What was found of one person. */
export interface FoundPerson {
  /** Issuances, also those that were forgotten before. */
  ids: number[]
  rows: RowName[]
  completions: number[]
  /** What shares an address or a number with the person, and may be of somebody else. */
  leftOut: { ids: number[]; rows: RowName[]; completions: number[] }
  /** What was forgotten of the person before, apart from issuances: a release takes it along. */
  earlier: EarlierForgotten
  /** Issuances of several people match, or it is not certain that they are of one: nothing was chosen. */
  ambiguous: number[]
  /** Systems with a learner of that number who may be somebody else: nothing was chosen. */
  ambiguousSystems?: string[]
  recipient: Readonly<Record<string, string>> | null
}

export interface PersonToFind extends FoundPerson {
  records: Map<number, PersonRecord>
  learners: Set<string>
  /** Completions that WHO names, without any issuance. */
  namedAlone: Set<number>
  /** The rows that WHO names, as `copyKey` has them. */
  copies: Set<string>
}

/** Who of the people has which value. */
export function indexOf(people: readonly PersonToFind[]): ValueOwners {
  const index = new ValueOwners()
  for (const [n, { records }] of people.entries()) index.add([...records.values()].flatMap(keysOf), n)
  return index
}

/**
 * The same for exact copies of a row, which are of the same person even without a name. A row without any address or
 * number may be somebody else's elsewhere, so only copies in lists of its pipeline and course count.
 */
export function copyKey({ cells, pipeline, course }: RowOfSource, identifiers: readonly string[]): string {
  const row = `row ${JSON.stringify(cells.map(normalizeText))}`
  return identifiers.length > 0 ? row : `${row} of ${pipeline} ${course}`
}

/** The keys of all rows of which this one may be a copy. */
export const copyKeys = (row: RowOfSource): string[] => [copyKey(row, ['any']), copyKey(row, [])]

interface RowOfSource {
  cells: readonly string[]
  pipeline: string
  course: string | null
}
