// The auditor: compares what the sandbox did, what the ledger says and what the source was told. Its judge of "once each" is the
// sandbox's own book, which the worker cannot see; a test that asked only the ledger would prove nothing.
// I1 to I6 name the invariants that docs/architecture.md lists.

import { readFile } from 'node:fs/promises'
import { parse } from 'csv-parse/sync'
import { expect } from 'vitest'
import { finalStates, type State } from '#src/issuance/state.ts'
import type { World } from './world.ts'

interface Row {
  id: number
  state: State
  email: string
  entityUuid: string | null
  credentialId: string | null
  claims: number
  open: boolean
  due: boolean
  events: { event: string; to: State | null }[]
}

/** Fails with the rows that break an invariant, each under its name. */
export async function audit(world: World): Promise<void> {
  const rows = await readRows(world)
  expect({
    'issued twice': issuedTwice(world),
    'sent twice without proof between (I1)': rows.filter(sentWithoutProof).map(name),
    'final without a cause (I3)': rows.filter(finalWithoutCause).map(name),
    'unfinished and nobody will look (I4)': rows.filter((row) => !row.due).map(name),
    "issued, and it is somebody else's credential (I6)": rows
      .filter((row) => row.state === 'issued' && !isTheirs(world, row))
      .map(name),
    'told issued and is not (I5)': await toldWrongly(world, rows),
    balanced: await unbalanced(world),
  }).toEqual({
    'issued twice': [],
    'sent twice without proof between (I1)': [],
    'final without a cause (I3)': [],
    'unfinished and nobody will look (I4)': [],
    "issued, and it is somebody else's credential (I6)": [],
    'told issued and is not (I5)': [],
    balanced: [],
  })
}

async function readRows({ app }: World): Promise<Row[]> {
  const { rows } = await app.database.query<Row>(
    `SELECT i.id, i.state, i.recipient->>'Email' AS email, i.entity_uuid AS "entityUuid", i.credential_id AS "credentialId",
            (SELECT count(*) FROM claim c WHERE c.issuance_id = i.id) AS claims,
            EXISTS (SELECT FROM attempt_item t WHERE t.issuance_id = i.id AND t.open) AS open,
            i.state NOT IN ('pending', 'sending') OR i.due_at < 'infinity' OR EXISTS (
              SELECT FROM attempt_item t JOIN attempt a ON a.id = t.attempt_id WHERE t.issuance_id = i.id AND t.open AND a.phase IN ('prepared', 'sending')) AS due,
            (SELECT json_agg(json_build_object('event', h.event, 'to', h.to_state) ORDER BY h.id) FROM history h WHERE h.issuance_id = i.id) AS events
     FROM issuance i ORDER BY i.id`,
  )
  return rows
}

const name = (row: Row) => `i${row.id} ${row.state}`

function issuedTwice({ sandbox }: World): string[] {
  const times = new Map<string, number>()
  for (const request of sandbox.requests()) {
    const who = `${request.course} ${String(request.student.Email).toLowerCase()}`
    times.set(who, (times.get(who) ?? 0) + 1)
  }
  return [...times].filter(([, count]) => count > 1).map(([who, count]) => `${who}: ${count}`)
}

/** Between two sendings there stands a word that the first was not applied: the wire's, the service's, the report's or a person's. */
function sentWithoutProof({ events }: Row): boolean {
  const proofs = /^(call (not_sent|throttled|too_large|refused)|proven not applied|a person decided)/
  let doubtful = false
  for (const { event, to } of events) {
    if (to === 'sending') {
      if (doubtful) return true
      doubtful = true
    } else if (proofs.test(event)) doubtful = false
  }
  return false
}

function finalWithoutCause(row: Row): boolean {
  if (!finalStates.includes(row.state)) return false
  const refused = row.events.some(({ event, to }) => to === 'failed' && /^call (refused|too_large)/.test(event))
  return row.claims !== 1 && !refused
}

function isTheirs({ sandbox }: World, row: Row): boolean {
  const request = sandbox.requests().find((each) => each.entityUuid === row.entityUuid)
  return request !== undefined && request.student.Email === row.email && request.credentialId === row.credentialId
}

/** Every results file that was written: *issued* is said of rows that the ledger holds as issued, with that credential, and of no other. */
async function toldWrongly({ app }: World, rows: readonly Row[]): Promise<string[]> {
  const wrong: string[] = []
  for (const run of await app.ledger.listRuns(100)) {
    if (!run.resultsPath) continue
    const lines: Record<string, string>[] = parse(await readFile(run.resultsPath), { columns: true, bom: true })
    for (const line of lines) {
      const told = line.status === 'issued' ? line.credential_id : null
      const row = rows.find((each) => each.email === line.e_mail)
      if (told && (row?.state !== 'issued' || row.credentialId !== told))
        wrong.push(`${run.sourceName}: ${line.e_mail}`)
    }
  }
  return wrong
}

async function unbalanced({ app }: World): Promise<string[]> {
  const { rows } = await app.database.query<{ id: string }>(
    `SELECT run.id FROM run WHERE rows <> invalid + skipped + accepted OR accepted <> (SELECT count(*) FROM issuance i WHERE i.run_id = run.id)`,
  )
  return rows.map((row) => row.id)
}
