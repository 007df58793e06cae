// Refuses new rows of people whom the ledger in memory already has under a different Primary Value or identity rule, as
// src/ledger/runs does. The sentences are copies of those in refuse-other-primary-value.ts and refuse-other-identity.ts
// there; the conformance suite compares them. Pure.

import { PersonIndex } from '#src/domain/credential/person-index.ts'
import { isSamePerson } from '#src/domain/credential/same-person.ts'
import type { Publication, StagedRow } from '#src/ledger/runs/intake.ts'
import type { CourseRecord } from './records.ts'
import { keyName, type Tables } from './tables.ts'

const nameFields = ['First Name', 'Last Name']

export function refuseKnownTwice(
  tables: Tables,
  course: CourseRecord,
  rows: readonly StagedRow[],
  varies: NonNullable<Publication['primaryVaries']>,
): StagedRow[] {
  const people = new PersonIndex(nameFields, varies.occurrence)
  for (const issuance of tables.issuances)
    if (issuance.course === course && issuance.recipient) people.add(issuance.id, issuance.recipient)
  return rows.map((row) => {
    const { recipient, issuanceKey } = row
    if (row.violations || !recipient || !issuanceKey || tables.byKey.has(keyName(course, issuanceKey))) return row
    const known = tables.issuances[(people.find(recipient) ?? 0) - 1]
    if (!known) return row
    const how = 'but with a different Primary Value. Remove the row, or use the Primary Value of that row.'
    return refused(row, recipient, known, how)
  })
}

/** Refuses new rows of people whom the ledger in memory has under a different identity rule. */
export function refuseOtherIdentity(
  tables: Tables,
  course: CourseRecord,
  rows: readonly StagedRow[],
  identified: NonNullable<Publication['identified']>,
): StagedRow[] {
  const rule = { ...identified, nameFields }
  const byHash = new Map<string, Tables['issuances'][number]>()
  for (const issuance of tables.issuances)
    if (issuance.course === course && issuance.recipient)
      for (const hash of issuance.matchHashes) if (!byHash.has(hash)) byHash.set(hash, issuance)
  return rows.map((row) => {
    const { recipient, issuanceKey, matchHashes } = row
    if (row.violations || !recipient || !issuanceKey || tables.byKey.has(keyName(course, issuanceKey))) return row
    const known = (matchHashes ?? [])
      .flatMap((hash) => byHash.get(hash.toString('hex')) ?? [])
      .find((each) => each.recipient && isSamePerson(each.recipient, recipient, rule))
    if (!known) return row
    const how =
      'but under a different identity rule. If it is the same person, remove the row; or restore the former `identity` of the pipeline, or the values that the ledger has.'
    return refused(row, recipient, known, how)
  })
}

function refused(
  row: StagedRow,
  recipient: Readonly<Record<string, string>>,
  known: Tables['issuances'][number],
  how: string,
): StagedRow {
  const { run } = known.run
  const sentence = `The row names the same person as row ${known.row} of ${run.sourceName} (run ${run.id.slice(0, 8)}), ${how}`
  const violations = [{ row: row.row, column: '', field: 'Primary Value', rule: 'person_twice', value: '', sentence }]
  const names = Object.fromEntries(Object.entries(recipient).filter(([field]) => nameFields.includes(field)))
  return { ...row, violations, recipient: names, issuanceKey: null, matchHashes: null }
}
