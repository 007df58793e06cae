// Rows of one file that name one person by two names: nobody here can tell which is right, so they go back to their owner.

import { foldedName } from '#src/issuance/folded-text.ts'
import type { StagedRow } from '#src/ledger/intake.ts'

/** Every row of the person becomes an invalid one. */
export function refuseConflicts(rows: readonly StagedRow[]): StagedRow[] {
  const people = new Map<string, { names: Set<string>; rows: number[] }>()
  for (const row of rows) {
    const who = whoOf(row)
    if (who === null) continue
    const person = people.get(who) ?? { names: new Set(), rows: [] }
    person.names.add(nameOf(row.recipient))
    person.rows.push(row.row)
    people.set(who, person)
  }
  return rows.map((row) => {
    const person = people.get(whoOf(row) ?? '')
    if (!person || person.names.size === 1) return row
    const more = person.rows.length > 5 ? ` and ${person.rows.length - 5} more` : ''
    const few = person.rows.slice(0, 5).join(', ') + more
    return asConflict(
      row,
      `The rows ${few} name the same person by different names. Correct the names or the identity, and issue the rows again.`,
    )
  })
}

function whoOf(row: StagedRow): string | null {
  return row.identityHash?.toString('latin1') ?? null
}

function nameOf(recipient: StagedRow['recipient']): string {
  return foldedName(['First Name', 'Last Name'].map((field) => recipient?.[field] ?? ''))
}

function asConflict(row: StagedRow, sentence: string): StagedRow {
  const violation = { row: row.row, column: '', field: '', rule: 'identity_conflict', value: '', sentence }
  const violations = [...(row.violations ?? []), violation]
  return { ...row, violations, recipient: null, issuanceKey: null, identityHash: null, matchHashes: null }
}
