// Runs of completions that a learning system reports, and erasures of their learners.

import type { CompletionSource, NewCompletion } from '#src/extensions/lms/ledger/completions.ts'
import type { Database } from '#src/platform/database/database.ts'
import { aBadRow, aCourse, aStagedRow } from '#test/support/domain-objects.ts'
import type { TestLedger } from '#test/support/test-ledger.ts'
import { writeErasure } from '#test/support/write-erasure.ts'

export const at = (day: number) => new Date(Date.UTC(2026, 2, day))
export const cellsOf = (learner: string) => ({
  email: `l${learner}@example.org`,
  firstname: `Ada${learner}`,
  username: `u${learner}`,
})
export const aCompletion = (learner: string, on = 1, more: Partial<NewCompletion> = {}): NewCompletion => ({
  ...{ learner, course: 'FIRE-1', completedAt: at(on), cells: cellsOf(learner) },
  ...more,
})

export const ingest = (
  { ledger }: TestLedger,
  batch: NewCompletion[],
  more: Partial<CompletionSource> = {},
  by: 'event' | 'poll' = 'poll',
) => ledger.completions.ingest({ system: 'campus', pipeline: 'spring', renewAfterMs: null, ...more }, batch, by)

/** Puts what is ready into a run and stages it: learner `n` is person `n`; the learners of `invalid` have bad rows. */
export async function stageRun({ ledger }: TestLedger, invalid: readonly string[] = [], pipeline = 'spring') {
  const run = (await ledger.completions.createRun(pipeline)) ?? ''
  const rows = []
  for await (const batch of ledger.completions.rowsOf(run))
    for (const { row, cells, occasion } of batch) {
      const recipient = { Email: cells.email ?? '', 'First Name': cells.firstname ?? '', 'Last Name': 'Lovelace' }
      const isBad = invalid.includes((cells.username ?? '').slice(1)) || recipient.Email === ''
      const rule = { identity: [], occurrence: occasion ? ['Day'] : [], correlation: null }
      const person = { ...recipient, 'Primary Value': 'Email', ...(occasion && { Day: occasion.toISOString() }) }
      rows.push(
        isBad ? { ...aBadRow(row), cells: Object.values(cells) } : aStagedRow(row, person, ledger.hasher, { rule }),
      )
    }
  await ledger.intake.stage(run, rows)
  const publication = { courseUuid: aCourse, format: 'csv', header: ['email'], notices: [], rulesHash: 'rules' }
  return { run, publish: (more = {}) => ledger.intake.publish(run, { ...publication, ...more }, rows.length) }
}

export async function publishRun(
  testLedger: TestLedger,
  invalid: readonly string[] = [],
  pipeline = 'spring',
): Promise<string> {
  const { run, publish } = await stageRun(testLedger, invalid, pipeline)
  await publish()
  return run
}

interface Asked {
  ids?: number[]
  completions?: number[]
  rows?: { run: string; row: number }[]
  releases?: boolean
}

export const request = ({ ledger }: TestLedger, asked: Asked): Promise<string> => writeErasure(ledger, asked)

export async function forget(testLedger: TestLedger, asked: Asked): Promise<boolean> {
  const { erasures } = testLedger.ledger
  const id = await request(testLedger, asked)
  while ((await erasures.emptyNext(id)) > 0);
  return erasures.end(id)
}

/** Takes the issuances to their end, without the service. */
export const settle = ({ database }: TestLedger) =>
  database.query(`UPDATE issuance SET state = 'failed' WHERE state = 'pending'`)

export const isAnyLockAwaited = async (database: Database) =>
  (
    await database.query(
      `SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    )
  ).rowCount > 0
