// Determines the outcome of every submitted person from the sandbox's record and the ledger. Only reads.

import { readFile } from 'node:fs/promises'
import { timesIssued, type World } from '#test/support/world.ts'

export interface PersonOutcomes {
  issuedTwice: string[]
  /** Submitted, but neither issued nor waiting for an operator's decision. */
  lost: string[]
  held: string[]
  /**
   * Held although the sandbox has the request, or without two calls of unknown outcome. The program could have decided
   * these.
   */
  heldNeedlessly: string[]
}

interface Row {
  email: string
  state: string
  reason: string | null
  unknowns: number
}

export async function personOutcomes(world: World): Promise<PersonOutcomes> {
  const { rows } = await world.app.database.query<Row>(
    `SELECT i.recipient->>'Email' AS email, i.state, i.reason,
            (SELECT count(*) FROM attempt_item t JOIN attempt a ON a.id = t.attempt_id WHERE t.issuance_id = i.id AND a.outcome = 'unknown') AS unknowns
     FROM issuance i`,
  )
  const requestCounts = timesIssued(world.sandbox)
  const rowsOf = (email: string) => rows.filter((row) => row.email === email).length
  const held = rows.filter((row) => row.state === 'held')
  const settled = new Set(
    rows.filter((row) => row.state === 'issued' && requestCounts.has(row.email)).map((row) => row.email),
  )
  for (const row of rows) if (row.state === 'held' || row.state === 'revoked') settled.add(row.email)
  return {
    // A corrected person has a row for each credential; requester.ts checks that one of them is revoked.
    issuedTwice: [...requestCounts]
      .filter(([email, count]) => count > Math.max(1, rowsOf(email)))
      .map(([email]) => email),
    lost: (await submittedPeople(world)).filter((email) => !settled.has(email)),
    held: held.map((row) => row.email),
    heldNeedlessly: held
      .filter((row) => requestCounts.has(row.email) || row.unknowns < 2)
      .map(
        ({ email, reason, unknowns }) =>
          `${email} after ${unknowns} calls of unknown outcome, issued ${requestCounts.get(email) ?? 0} times: ${reason}`,
      ),
  }
}

/** Read from the files, not from the ledger, so that a row that the ledger never stored counts as lost. */
async function submittedPeople(world: World): Promise<string[]> {
  const people = new Set<string>()
  for (const run of await world.app.ledger.runs.list(100)) {
    // A correction has no file.
    if (run.state === 'refused' || run.sourcePath === '') continue
    const text = await readFile(run.sourcePath, 'utf8')
    for (const [email] of text.matchAll(/^person\.\d+@example\.org/gm)) people.add(email)
  }
  return [...people]
}
