// Finds the records of people whom an operator names: issuances, rows that led to none, and completions. Records are
// found by equality of an identifier; those that share one and have another name are somebody else's, and are only
// listed. One account of a learning system is one person, whatever its addresses. Reads the database only.

import { identifiersInText } from '#src/domain/credential/forgotten-person.ts'
import type { Hasher } from '#src/domain/credential/identity-hasher.ts'
import type { Sql } from '#src/platform/database/database.ts'
import {
  type Earlier,
  earlierOf,
  findForgottenBefore,
  isOfOnePerson,
  type LeftRecord,
  recordsLeft,
} from './forgotten-before.ts'
import { type FieldsOf, type PersonRecord, PersonRecords, type Records, recordsOf, type Who } from './person-records.ts'

export interface FoundPerson extends Records {
  /** What shares an identifier with the person and has another name. */
  others: Records
  /** If WHO may be several people: their records. Nothing is chosen then. */
  ambiguous: Records
  /** What was forgotten of the person before, and when: a release takes it along. */
  earlier: Earlier
  recipient: Readonly<Record<string, string>> | null
}

export async function findPeople(
  sql: Sql,
  environment: string,
  whos: readonly Who[],
  { fieldsOf, hasher }: { fieldsOf: FieldsOf; hasher: Hasher },
): Promise<FoundPerson[]> {
  const known = new PersonRecords(sql, environment, fieldsOf)
  const named = await known.named(whos)
  const valuesOf = ({ text }: Who) => identifiersInText(text)
  const isText = ({ issuance, row, learner }: Who) => issuance === null && row === null && learner === null
  await known.search(whos.flatMap((who) => (isText(who) ? valuesOf(who) : [])))
  const people = whos.map((who, n): Choice => {
    const records = named[n] ?? []
    // The id of a credential may be the number of somebody else.
    const more = isText(who) ? known.withIdentifier(valuesOf(who)).filter((each) => !records.includes(each)) : []
    const seeds = [...records, ...more].toSorted((a, b) => Number(b.name !== '') - Number(a.name !== ''))
    return { seeds, isNamed: named[n] !== undefined && more.length === 0, chosen: new Set(), others: new Set() }
  })
  // Each round may bring an address or an account that was not known before.
  do
    for (const { seeds, isNamed, chosen, others } of people)
      known.gather(isNamed ? seeds : seeds.slice(0, 1), chosen, others)
  while (await known.follow(people.flatMap(({ seeds, chosen }) => [...seeds, ...chosen])))
  const issuances = people.map(({ seeds, isNamed }, n) => {
    const own = whos[n]?.issuance ?? null
    return own === null ? recordsOf(isNamed && whos[n]?.learner === null ? seeds : []).ids : [own]
  })
  const traces = people.flatMap(({ chosen, isNamed }, n) =>
    [...chosen].flatMap(({ name, identifiers }) =>
      name === ''
        ? []
        : identifiers.map((value) => ({ n, isNamed, hash: hasher.identifier(value), name: hasher.name(name) })),
    ),
  )
  const before = await findForgottenBefore(sql, environment, whos, { issuances, traces, hasher })
  return people.map((person, n) => {
    const left = (before[n] ?? []).filter(({ isNamed }) => isNamed || !person.isNamed)
    const isClear = isOnePerson(person, left, hasher)
    const [chosen, others] = isClear ? [person.chosen, person.others] : [[], []]
    return {
      ...recordsOf(chosen),
      others: recordsOf(others),
      ambiguous: isClear ? recordsOf([]) : withLeft(recordsOf(person.seeds), recordsLeft(left)),
      earlier: earlierOf(isClear ? left : []),
      recipient: [...chosen].find(({ kind }) => kind === 'issuance')?.recipient ?? null,
    }
  })
}

const withLeft = (one: Records, other: Records): Records => ({
  ids: [...new Set([...one.ids, ...other.ids])].sort((a, b) => a - b),
  rows: [...one.rows, ...other.rows],
  completions: [...new Set([...one.completions, ...other.completions])],
})

interface Choice {
  /** With a name before those without. */
  seeds: readonly PersonRecord[]
  /** Whether WHO names the records themselves, and not an address or a number. */
  isNamed: boolean
  chosen: Set<PersonRecord>
  others: Set<PersonRecord>
}

/** An address may be of a family or an office: if its records have several names, or none, nobody is chosen. */
function isOnePerson({ seeds, isNamed, chosen }: Choice, left: readonly LeftRecord[], hasher: Hasher): boolean {
  if (isNamed) return true
  if (!seeds.every((seed) => chosen.has(seed)) || !isOfOnePerson(left)) return false
  const names = new Set(seeds.map(({ name }) => (name === '' ? null : hasher.name(name).toString('hex'))))
  return seeds.length === 0 || left.every(({ name }) => name !== null && names.has(name))
}
