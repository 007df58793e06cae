// Finds rows of one file that give one person two names. The program cannot know which is right, so the rows are
// refused.

import { foldedName } from '#src/domain/credential/person-index.ts'
import type { StagedRow } from '#src/ledger/runs/intake.ts'

/** Makes every row of the person invalid. */
export function refuseIdentityConflicts(rows: readonly StagedRow[]): StagedRow[] {
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
    return asConflict(row, `Rows ${few} give the same person different names. Correct the names or the identity.`)
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
