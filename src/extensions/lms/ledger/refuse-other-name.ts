// Refuses completions whose address, or other identity, belongs to a credential that came from a file or from another
// system and has a different name. It is unknown whether this is the same person; if it is not, the learner's profile
// would show somebody else's credential. Reads and writes staged rows within the caller's transaction.

import { foldedName } from '#src/domain/credential/folded-text.ts'
import { maskValue } from '#src/domain/recipient/mask-value.ts'
import type { Sql } from '#src/platform/database/database.ts'
import { formerLearner } from './refuse-other-learner.ts'

interface RowOfKnown {
  row: number
  system: string
  learner: string
  known: number
  source: string
  fresh: Readonly<Record<string, string>>
  knownAs: Readonly<Record<string, string>>
}

/**
 * Refuses the completions, so that an operator decides, and records the learner's id in the history of the credential.
 * Names are compared as in refuse-identity-conflicts.ts. A name field that is empty in either of the two is not
 * compared.
 */
export async function refuseOtherName(
  sql: Sql,
  runId: string,
  { environment, course, nameFields }: { environment: string; course: string; nameFields: readonly string[] },
): Promise<void> {
  const { rows } = await sql.query<RowOfKnown>(
    `SELECT s.row_number AS row, c.system, c.learner, i.id AS known, known.source_name AS source, s.recipient AS fresh, i.recipient AS "knownAs"
     FROM completion c JOIN staged_row s ON s.run_id = c.run_id AND s.row_number = c.row_number AND s.violations IS NULL
     JOIN issuance i ON i.environment = $2 AND i.course_uuid = $3 AND i.issuance_key = s.issuance_key AND i.recipient <> s.recipient
     JOIN run known ON known.id = i.run_id LEFT JOIN ${formerLearner('i.id', 'c.system')} k ON true
     WHERE c.run_id = $1 AND k.learner IS NULL ORDER BY s.row_number`,
    [runId, environment, course],
  )
  for (const each of rows) {
    const comparedFields = nameFields.filter((field) => each.fresh[field] && each.knownAs[field])
    const nameIn = (recipient: RowOfKnown['fresh']) => foldedName(comparedFields.map((field) => recipient[field] ?? ''))
    if (nameIn(each.fresh) !== nameIn(each.knownAs)) await refuseRow(sql, runId, each, comparedFields)
  }
}

async function refuseRow(sql: Sql, runId: string, row: RowOfKnown, nameFields: readonly string[]): Promise<void> {
  const violation = { column: '', field: '', rule: 'other_learner', value: '', known: row.known }
  const violations = [{ row: row.row, ...violation, sentence: sentenceOf(row, nameFields) }]
  await sql.query(
    `WITH noted AS (
       INSERT INTO history (issuance_id, event, evidence)
       SELECT $3, 'another learner has the same identity', $4::jsonb
       WHERE NOT EXISTS (SELECT FROM history h WHERE h.issuance_id = $3 AND h.evidence = $4::jsonb))
     UPDATE staged_row SET recipient = NULL, issuance_key = NULL, identity_hash = NULL, match_hashes = NULL, violations = $5
     WHERE run_id = $1 AND row_number = $2`,
    [
      ...[runId, row.row, row.known],
      JSON.stringify({ system: row.system, other: numberOf(row.learner) }),
      JSON.stringify(violations),
    ],
  )
}

function sentenceOf(
  { system, learner, known, source, fresh, knownAs }: RowOfKnown,
  nameFields: readonly string[],
): string {
  const differingFields = nameFields.filter(
    (field) => foldedName([fresh[field] ?? '']) !== foldedName([knownAs[field] ?? '']),
  )
  const maskedNames = (recipient: RowOfKnown['fresh']) =>
    differingFields.map((field) => `${field} ${maskValue(recipient[field] ?? '')}`).join(', ')
  const number = numberOf(learner)
  const who = number === null ? 'the learner' : `learner ${number}`
  return `The credential i${known}, from ${source}, has this address or number, but a different name: ${maskedNames(knownAs)} in the credential, ${maskedNames(fresh)} for ${who} of ${system}. No credential was issued, and nothing is written to the learner's profile. If they are the same person, correct the name in ${system}, or in the credential (credsync correct i${known}). If not, give ${who} a separate address in ${system}.`
}

/**
 * The learner's id if it is a number; null for an id that may be an address or a name, which must not be in a message.
 */
const numberOf = (learner: string) => (/^[0-9]{1,19}$/.test(learner) ? learner : null)
