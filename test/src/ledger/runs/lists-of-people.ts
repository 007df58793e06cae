// Lists of people for tests: each is published after a dry run, which must have said the same.

import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import type { FieldsOf } from '#src/extensions/privacy/ledger/person-records.ts'
import { dryRunRows } from '#src/issuing/intake/dry-run-rows.ts'
import { openRowCheck } from '#src/issuing/intake/row-check.ts'
import type { Publication, StagedRow } from '#src/ledger/runs/intake.ts'
import { knownByOtherIdentity } from '#src/ledger/runs/refuse-other-identity.ts'
import { findForgotten, hasForgotten } from '#src/ledger/runs/skip-forgotten.ts'
import { courseFields } from '#test/src/domain/recipient/fields.ts'
import { aCourse } from '#test/support/domain-objects.ts'
import type { TestLedger } from '#test/support/test-ledger.ts'

const titles = ['Email', 'First Name', 'Last Name', 'Register Number', 'Birth Date']
const fields = [
  ...courseFields.filter((field) => field.displayName !== 'Register Number'),
  { ...(courseFields[0] as (typeof courseFields)[number]), displayName: 'Register Number', name: 'reg_no', id: 'reg' },
].map((field) => ({ ...field, unique: false, regex: '', required: field.displayName === 'Last Name' }))
const columns = { 'Primary Value': { value: 'Email' } }
export type Person = [email: string, first: string, last: string, register: string, born: string]
/** With cells of further columns, which fill no field of the course. */
export type PersonWithMore = readonly [...Person, ...string[]]
export interface Rule {
  /** The titles of these columns. */
  moreTitles?: string[]
  identity?: string[]
  occurrence?: string[]
  course?: string
  more?: Partial<Publication>
}

/** Publishes a list after a dry run, and expects the same of both. @returns the lines of its results */
export async function publish(
  { ledger, database }: TestLedger,
  people: readonly (Person | PersonWithMore)[],
  { moreTitles = [], identity = ['Email'], occurrence = [], course = aCourse, more = {} }: Rule = {},
) {
  const header = [...titles, ...moreTitles]
  const rows = people.map((cells, index) => ({ row: index + 2, cells: [...cells] }))
  const pipeline = { columns, identity, occurrence, correlation: undefined }
  const check = () => openRowCheck({ pipeline, fields, header, course, hasher: ledger.hasher })
  const { nameFields, primaryVaries, identified } = check()
  const scope = { environment: ledger.environment, course, rule: { nameFields, ...identified }, hasher: ledger.hasher }
  async function* batches() {
    yield rows
  }
  const recognize = (await hasForgotten(database, scope))
    ? (staged: readonly StagedRow[]) => findForgotten(database, scope, staged)
    : null
  const dryRun = await dryRunRows(batches(), { ...check(), recognize }, async (good) => {
    const found = await ledger.knownRows.compare(course, good)
    const otherwise = await knownByOtherIdentity(database, scope, good)
    return found.map((entry, at) => (entry === 'unknown' && otherwise[at] ? 'person twice' : entry))
  })
  const source = { pipeline: 'spring', sourceName: 'a.csv', sourcePath: '/a', sourceSha256: randomUUID() }
  const { run } = await ledger.runs.receive(source)
  await ledger.intake.stage(run.id, rows.map(check().row))
  const publication = { courseUuid: course, format: 'csv', header, notices: [], nameFields, primaryVaries, identified }
  await ledger.intake.publish(run.id, { ...publication, ...more }, rows.length)
  const published = await ledger.runs.find(run.id)
  if (published?.state === 'published')
    expect({ new: dryRun.new, known: dryRun.known, invalid: dryRun.invalid }).toEqual({
      ...{ new: published.accepted, known: published.known, invalid: published.invalid },
    })
  const { rows: lines } = await database.query<Line>(
    `SELECT outcome, cells, raw, violations->0->>'rule' AS rule, violations->0->>'sentence' AS sentence, issuance_id AS issuance, reason,
            forgotten_at IS NOT NULL AS forgotten FROM run_row WHERE run_id = $1 ORDER BY row_number`,
    [run.id],
  )
  return { lines, outcomes: lines.map(({ outcome, forgotten }) => (forgotten ? 'forgotten' : outcome)), run: published }
}

interface Line {
  outcome: string
  cells: string[]
  raw: unknown
  rule: string | null
  sentence: string | null
  issuance: number | null
  reason: string | null
  forgotten: boolean
}

export const fieldsOf =
  ({ identity = ['Email'] }: Rule = {}): FieldsOf =>
  () => ({ identity, columns: {} })

interface Whom {
  ids?: number[]
  rows?: { run: string; row: number }[]
  completions?: number[]
}

/** @param whom ids of issuances, or also rows and completions */
export async function request(
  { ledger }: TestLedger,
  whom: number[] | Whom,
  rule: Rule = {},
  releases = false,
): Promise<string> {
  const content = { ids: [], rows: [], completions: [], ...(Array.isArray(whom) ? { ids: whom } : whom) }
  return ledger.erasures.write(content, { by: 'ada', reason: 'a letter', revokes: false, releases }, fieldsOf(rule))
}

export async function forget(
  testLedger: TestLedger,
  whom: number[] | Whom,
  rule: Rule = {},
  releases = false,
): Promise<string> {
  const { erasures } = testLedger.ledger
  const id = await request(testLedger, whom, rule, releases)
  while ((await erasures.emptyNext(id)) > 0);
  expect(await erasures.end(id)).toBe(true)
  return id
}
