// Finds the rows that were skipped as those of a known or forgotten person, but have another name: if people are
// identified by an address, somebody else may share it. Reads the database only.

import { hasNameInCells, nameIn } from '#src/domain/credential/erased-person.ts'
import type { Hasher } from '#src/domain/credential/identity-hasher.ts'
import { isNameInCells } from '#src/domain/credential/records-of-person.ts'
import type { Sql } from '#src/platform/database/database.ts'
import { eachOf } from '#src/platform/database/each-of.ts'
import { hashedNames, recipientsOfLine } from '../forgotten-people.ts'
import { type RowName, rowKey } from './found-person.ts'
import { type ComparisonOf, comparisonByRoles } from './person-records.ts'

/** Rows of runs, as the columns of a query. */
export interface RowNames {
  runs: string[]
  rows: number[]
}

/**
 * A row whose name differed from that of the credential, and is not the name of what the credential corrects either.
 * If nothing is known of a name, the key decides, as it did when the row was skipped.
 * @param ids issuances that are written as erased
 */
export async function rowsOfOthers(sql: Sql, hasher: Hasher, ids: readonly number[]): Promise<RowNames> {
  const { rows: renamed } = await sql.query<{ run: string; row: number; cells: string[]; names: Buffer[] }>(
    `SELECT r.run_id AS run, r.row_number AS row, r.cells, ${hashedNames('r.issuance_id')} AS names
     FROM run_row r JOIN erased_issuance e ON e.issuance_id = r.issuance_id
     WHERE r.issuance_id = ${eachOf('$1')} AND r.forgotten_at IS NULL AND r.changed_fields ?| e.name_fields`,
    [ids],
  )
  const isOther = ({ cells, names }: (typeof renamed)[number]) =>
    names.length > 0 && !names.some((name) => hasNameInCells(cells, name, hasher))
  const others = renamed.filter(isOther)
  return { runs: others.map(({ run }) => run), rows: others.map(({ row }) => row) }
}

interface SkippedRow extends RowName {
  cells: string[]
  changed: string[]
  pipeline: string
  course: string
  recipients: Readonly<Record<string, string>>[]
  names: Buffer[]
  nameFields: string[] | null
}

/**
 * The same for any rows, whether the person whom they were skipped as is erased or not.
 * @returns the rows that may be somebody else's, by `rowKey`
 */
export async function othersAmong(
  sql: Sql,
  rows: readonly RowName[],
  { comparisonOf, hasher }: { comparisonOf: ComparisonOf; hasher: Hasher },
): Promise<Set<string>> {
  if (rows.length === 0) return new Set()
  const { rows: skipped } = await sql.query<SkippedRow>(
    `SELECT r.run_id AS run, r.row_number AS row, r.cells, r.changed_fields AS changed, i.pipeline, i.course_uuid AS course,
            to_jsonb(${recipientsOfLine('i.id')}) AS recipients, ${hashedNames('i.id')} AS names, e.name_fields AS "nameFields"
     FROM unnest($1::uuid[], $2::int[]) n(run, row) JOIN run_row r ON r.run_id = n.run AND r.row_number = n.row
     JOIN issuance i ON i.id = r.issuance_id LEFT JOIN erased_issuance e ON e.issuance_id = i.id
     WHERE r.outcome = 'skipped' AND r.changed_fields IS NOT NULL`,
    [rows.map(({ run }) => run), rows.map(({ row }) => row)],
  )
  const isOther = ({ cells, changed, pipeline, course, recipients, names, nameFields }: SkippedRow) => {
    const fields = comparisonOf(pipeline, course)?.nameFields ?? nameFields ?? rolesIn(recipients)
    const known = recipients.map((recipient) => nameIn(recipient, fields)).filter((name) => name !== '')
    return (
      changed.some((field) => fields.includes(field)) &&
      known.length + names.length > 0 &&
      !known.some((name) => isNameInCells(cells, name)) &&
      !names.some((name) => hasNameInCells(cells, name, hasher))
    )
  }
  return new Set(skipped.filter(isOther).map(rowKey))
}

const rolesIn = ([recipient = {}]: SkippedRow['recipients']) => comparisonByRoles(recipient).nameFields
