// What became of every person who was handed over, by the sandbox's book and by the ledger.

import { readFile } from 'node:fs/promises'
import { timesIssued, type World } from '#test/support/world.ts'

export interface Fate {
  issuedTwice: string[]
  /** Handed over, and neither issued nor in a person's hands. */
  lost: string[]
  held: string[]
  /** Held although the sandbox has their request, or without two calls of unknown outcome: not undecidable. */
  heldWrongly: string[]
}

interface Row {
  email: string
  state: string
  unknowns: number
}

export async function fateOf(world: World): Promise<Fate> {
  const { rows } = await world.app.database.query<Row>(
    `SELECT i.recipient->>'Email' AS email, i.state,
            (SELECT count(*) FROM attempt_item t JOIN attempt a ON a.id = t.attempt_id WHERE t.issuance_id = i.id AND a.outcome = 'unknown') AS unknowns
     FROM issuance i`,
  )
  const times = timesIssued(world.sandbox)
  const rowsOf = (email: string) => rows.filter((row) => row.email === email).length
  const held = rows.filter((row) => row.state === 'held')
  const settled = new Set(rows.filter((row) => row.state === 'issued' && times.has(row.email)).map((row) => row.email))
  for (const row of rows) if (row.state === 'held' || row.state === 'revoked') settled.add(row.email)
  return {
    // Whoever was corrected has a row for each credential; that one of them is revoked is the desk's to see.
    issuedTwice: [...times].filter(([email, count]) => count > Math.max(1, rowsOf(email))).map(([email]) => email),
    lost: (await handedOver(world)).filter((email) => !settled.has(email)),
    held: held.map((row) => row.email),
    heldWrongly: held.filter((row) => times.has(row.email) || row.unknowns < 2).map((row) => row.email),
  }
}

/** From the files, not from the ledger: a row that the ledger has never heard of is lost as well. */
async function handedOver(world: World): Promise<string[]> {
  const people = new Set<string>()
  for (const run of await world.app.ledger.listRuns(100)) {
    // A correction has no file.
    if (run.state === 'refused' || run.sourcePath === '') continue
    const text = await readFile(run.sourcePath, 'utf8')
    for (const [email] of text.matchAll(/^person\.\d+@example\.org/gm)) people.add(email)
  }
  return [...people]
}
