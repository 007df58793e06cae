// A ledger for one test, with the few steps that jobs take: hand over a file, send a batch, read the report.

import { randomUUID } from 'node:crypto'
import { openWholeLedger, type WholeLedger } from '#src/app/whole-ledger.ts'
import type { IdentityRule } from '#src/domain/credential/person-hashes.ts'
import type { State } from '#src/domain/credential/state.ts'
import { type AnsweredCall, afterSending } from '#src/issuing/reconcile/decide-after-sending.ts'
import type { ItemAsShown } from '#src/issuing/reconcile/read-report-item.ts'
import { type ScanResult, scanReport } from '#src/issuing/reconcile/scan-report.ts'
import type { CommittedClaim } from '#src/ledger/attempts/commit-claim.ts'
import type { StagedRow } from '#src/ledger/runs/intake.ts'
import { type Database, openDatabase } from '#src/platform/database/database.ts'
import { silentLog } from '#src/platform/log/log.ts'
import { steppedClock } from './clock.ts'
import { testDatabase } from './database.ts'
import { aCourse, aPolicy, aStagedRow, byPrimaryValue, type Recipient } from './domain-objects.ts'
import { prepareOne } from './prepare-one.ts'

export interface FileOptions {
  name?: string
  /** Two files with the same content have the same id. */
  sha256?: string
  pipeline?: string
  course?: string
  rule?: IdentityRule
  /** Rows in addition to those of the people, such as refused rows. */
  more?: StagedRow[]
}

/** The columns of an issuance that tests read. */
export interface IssuanceColumns {
  id: number
  row: number
  state: State
  reason: string | null
  attempt: number | null
  resends: number
  batchCap: number | null
  looks: number
  surplus: number
  credential: string | null
  entity: string | null
  link: string | null
  label: string | null
  due: 'now' | 'later' | 'out of sight'
}

export interface TestLedger extends AsyncDisposable {
  ledger: WholeLedger
  database: Database
  url: string
  /** Hands over a file of `people` and publishes it. Rows are numbered from 2. Returns the run's id. */
  publish(people: readonly Recipient[], options?: FileOptions): Promise<string>
  /** Puts the next due rows into an attempt and claims it. */
  send(size?: number, pipeline?: string): Promise<number>
  /** Ends an attempt as the issue job does. Returns the number of rows moved. */
  answer(attempt: number, outcome: Partial<AnsweredCall> & Pick<AnsweredCall, 'class'>, size?: number): Promise<number>
  /** Reads a report that shows `items`, in pages of two hundred. */
  scan(items?: readonly ItemAsShown[], since?: string): Promise<ScanResult>
  /** Simulates a wait of `ms` by moving the times of all calls, scans and report items back. */
  timePasses(ms: number): Promise<void>
  /** Returns every issuance, in sending order. */
  issuances(): Promise<IssuanceColumns[]>
  states(): Promise<State[]>
  /** Runs a query. Returns its first row. */
  queryOne<Row extends object>(sql: string, values?: unknown[]): Promise<Row>
}

/** In milliseconds. */
export const hour = 3_600_000

export async function openTestLedger(): Promise<TestLedger> {
  await using stack = new AsyncDisposableStack()
  const { url } = stack.use(await testDatabase())
  const database = stack.use(openDatabase(url))
  const ledger = await openWholeLedger(database, 'development')
  const closing = stack.move()
  return {
    ledger,
    database,
    url,
    publish: (people, options) => publish(ledger, people, options),
    send: (size, pipeline) => send(ledger, size, pipeline),
    async answer(attempt, outcome, size) {
      const rows = size ?? (await sizeOf(database, attempt))
      const fullOutcome = { status: null, code: null, words: 'words', retryAfterMs: null, ...outcome }
      const claim = await sendingClaimOf(database, { attempt })
      return (await ledger.attempts.end({ attemptId: attempt, claim }, fullOutcome, afterSending(fullOutcome, rows)))
        .rows
    },
    scan: (items = [], since = '2000-01-01') => scan(ledger, items, since),
    timePasses: (ms) => timePasses(database, ms),
    issuances: () => readIssuances(database),
    states: async () => (await readIssuances(database)).map((each) => each.state),
    async queryOne<Row extends object>(sql: string, values: unknown[] = []) {
      const { rows } = await database.query<Row>(sql, values)
      return rows[0] as Row
    },
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  }
}

export async function publish(
  ledger: WholeLedger,
  people: readonly Recipient[],
  options: FileOptions = {},
): Promise<string> {
  const { name = 'people.csv', sha256 = randomUUID(), pipeline = 'spring' } = options
  const { course = aCourse, rule = byPrimaryValue, more = [] } = options
  const source = { pipeline, sourceName: name, sourcePath: `/inbox/${name}`, sourceSha256: sha256 }
  const { run } = await ledger.runs.receive(source)
  await ledger.intake.clear(run.id)
  const rows = people.map((person, index) => aStagedRow(index + 2, person, ledger.hasher, { course, rule }))
  await ledger.intake.stage(run.id, [...rows, ...more])
  const publication = { courseUuid: course, format: 'csv', header: ['e_mail'], notices: [] }
  await ledger.intake.publish(run.id, publication, rows.length + more.length)
  return run.id
}

async function send(ledger: WholeLedger, size = 100, pipeline = 'spring'): Promise<number> {
  const attemptId = await prepareOne(ledger, pipeline, size)
  if (attemptId === null) throw new Error('Nothing is due.')
  await ledger.attempts.claim({ attemptId, instance: randomUUID(), requestSha256: 'sha', deadlineMs: 90_000 })
  return attemptId
}

/** The claim of the last call of an attempt or a revocation, or an unknown claim if it was never claimed. */
export async function sendingClaimOf(
  database: Database,
  { attempt = null, revocation = null }: { attempt?: number | null; revocation?: number | null },
): Promise<CommittedClaim> {
  const { rows } = await database.query<CommittedClaim>(
    `SELECT era, number, token, at, NULL AS before, '' AS what FROM claim WHERE attempt_id = $1 OR revocation_id = $2 ORDER BY number DESC LIMIT 1`,
    [attempt, revocation],
  )
  return rows[0] ?? { era: 0, number: 0, token: randomUUID(), at: new Date(0), before: null, what: '' }
}

async function sizeOf(database: Database, attempt: number): Promise<number> {
  const { rows } = await database.query<{ size: number }>('SELECT size FROM attempt WHERE id = $1', [attempt])
  return rows[0]?.size ?? 0
}

function scan(ledger: WholeLedger, items: readonly ItemAsShown[], since: string): Promise<ScanResult> {
  async function* reportPages() {
    for (let at = 0; at === 0 || at < items.length; at += 200) {
      const walk = at + 200 < items.length ? ('more' as const) : ('complete' as const)
      yield { items: items.slice(at, at + 200), filteredRecords: items.length, walk }
    }
  }
  const tools = {
    ledger,
    issuer: { reportPages },
    log: silentLog,
    clock: steppedClock(),
    pageSize: 200,
    policy: aPolicy(),
  }
  return scanReport(tools, since)
}

/** Moves the times of all calls, scans and report items back. */
export async function timePasses(database: Database, ms: number): Promise<void> {
  const back = `- make_interval(secs => $1)`
  const columns = {
    attempt: ['sending_at', 'deadline_at', 'ended_at'],
    issuance: ['first_sent_at', 'last_sent_at', 'last_look_at', 'due_at'],
    sighting: ['first_seen_at'],
    scan: ['started_at', 'ended_at'],
    report_claim: ['claimed_at', 'looked_at'],
    credential_watch: ['due_at', 'sorted_at', 'round_began_at', 'ended_at', 'looked_since'],
  }
  for (const [table, names] of Object.entries(columns))
    await database.query(`UPDATE ${table} SET ${names.map((name) => `${name} = ${name} ${back}`).join(', ')}`, [
      ms / 1_000,
    ])
}

async function readIssuances(database: Database): Promise<IssuanceColumns[]> {
  const { rows } = await database.query<IssuanceColumns>(
    `SELECT id, row_number AS row, state, reason, attempt_id AS attempt, resends, batch_cap AS "batchCap", looks, surplus_items AS surplus,
            credential_id AS credential, entity_uuid AS entity, verifier_link AS link, report_status AS label,
            CASE WHEN due_at = 'infinity' THEN 'out of sight' WHEN due_at <= clock_timestamp() THEN 'now' ELSE 'later' END AS due
     FROM issuance ORDER BY id`,
  )
  return rows
}
