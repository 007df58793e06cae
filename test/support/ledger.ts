// A ledger of its own for a test, and the few things that the jobs do with one: hand over a file, send a batch, read the report.

import { randomUUID } from 'node:crypto'
import { type Database, openDatabase } from '#src/database/database.ts'
import type { IdentityRule } from '#src/issuance/person.ts'
import type { State } from '#src/issuance/state.ts'
import type { StagedRow } from '#src/ledger/intake.ts'
import { type Ledger, openLedger } from '#src/ledger/ledger.ts'
import { silentLog } from '#src/log/log.ts'
import { type AnsweredCall, afterSending } from '#src/reconcile/after-sending.ts'
import type { ReportItemShown } from '#src/reconcile/read-item.ts'
import { type ScanResult, scanReport } from '#src/reconcile/scan-report.ts'
import { aCourse, aPolicy, aStagedRow, byPrimaryValue, type Recipient } from './build.ts'
import { steppedClock } from './clock.ts'
import { testDatabase } from './database.ts'

export interface FileOptions {
  name?: string
  /** Two files with one content have one. */
  sha256?: string
  pipeline?: string
  course?: string
  rule?: IdentityRule
  /** Rows beside those of the people, such as refused ones. */
  more?: StagedRow[]
}

/** The columns of an issuance that tests ask about. */
export interface Standing {
  id: number
  row: number
  state: State
  reason: string | null
  attempt: number | null
  resends: number
  cap: number | null
  looks: number
  surplus: number
  credential: string | null
  entity: string | null
  link: string | null
  label: string | null
  due: 'now' | 'later' | 'out of sight'
}

export interface TestLedger extends AsyncDisposable {
  ledger: Ledger
  database: Database
  url: string
  /** Hands a file of `people` over and publishes it, rows numbered from 2. Gives the run's id. */
  publish(people: readonly Recipient[], options?: FileOptions): Promise<string>
  /** Puts the next due rows into an attempt and takes it through the door. */
  send(size?: number, pipeline?: string): Promise<number>
  /** Ends an attempt as the issue job does. Gives how many rows moved. */
  answer(attempt: number, outcome: Partial<AnsweredCall> & Pick<AnsweredCall, 'class'>, size?: number): Promise<number>
  /** Reads a report that shows `items`, in pages of two hundred. */
  scan(items?: readonly ReportItemShown[], since?: string): Promise<ScanResult>
  /** Lets `ms` pass for all that was sent, looked for and seen, by moving it back in time. */
  timePasses(ms: number): Promise<void>
  /** Every issuance, in the order of sending. */
  standing(): Promise<Standing[]>
  states(): Promise<State[]>
  one<Row extends object>(sql: string, values?: unknown[]): Promise<Row>
}

export const hour = 3_600_000

export async function openTestLedger(): Promise<TestLedger> {
  await using stack = new AsyncDisposableStack()
  const { url } = stack.use(await testDatabase())
  const database = stack.use(openDatabase(url))
  const ledger = await openLedger(database, 'development')
  const closing = stack.move()
  return {
    ledger,
    database,
    url,
    publish: (people, options) => publish(ledger, people, options),
    send: (size, pipeline) => send(ledger, size, pipeline),
    async answer(attempt, outcome, size) {
      const held = size ?? (await sizeOf(database, attempt))
      const whole = { status: null, code: null, words: 'words', authRefused: false, retryAfterMs: null, ...outcome }
      return ledger.endAttempt(attempt, whole, afterSending(whole, held))
    },
    scan: (items = [], since = '2000-01-01') => scan(ledger, items, since),
    timePasses: (ms) => timePasses(database, ms),
    standing: () => standing(database),
    states: async () => (await standing(database)).map((each) => each.state),
    async one<Row extends object>(sql: string, values: unknown[] = []) {
      const { rows } = await database.query<Row>(sql, values)
      return rows[0] as Row
    },
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  }
}

async function publish(ledger: Ledger, people: readonly Recipient[], options: FileOptions = {}): Promise<string> {
  const { name = 'people.csv', sha256 = randomUUID(), pipeline = 'spring' } = options
  const { course = aCourse, rule = byPrimaryValue, more = [] } = options
  const source = { pipeline, sourceName: name, sourcePath: `/inbox/${name}`, sourceSha256: sha256 }
  const { run } = await ledger.receiveRun(source)
  await ledger.clearStaged(run.id)
  const rows = people.map((person, index) => aStagedRow(index + 2, person, ledger.hasher, { course, rule }))
  await ledger.stageRows(run.id, [...rows, ...more])
  const publication = { courseUuid: course, format: 'csv', header: ['e_mail'], notices: [] }
  await ledger.publishRun(run.id, publication, rows.length + more.length)
  return run.id
}

async function send(ledger: Ledger, size = 100, pipeline = 'spring'): Promise<number> {
  const attemptId = await ledger.prepareAttempt(pipeline, size)
  if (attemptId === null) throw new Error('Nothing is due.')
  await ledger.passDoor({ attemptId, instance: randomUUID(), requestSha256: 'sha', deadlineMs: 90_000 })
  return attemptId
}

async function sizeOf(database: Database, attempt: number): Promise<number> {
  const { rows } = await database.query<{ size: number }>('SELECT size FROM attempt WHERE id = $1', [attempt])
  return rows[0]?.size ?? 0
}

function scan(ledger: Ledger, items: readonly ReportItemShown[], since: string): Promise<ScanResult> {
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

async function timePasses(database: Database, ms: number): Promise<void> {
  const back = `- make_interval(secs => $1)`
  const columns = {
    attempt: ['sending_at', 'deadline_at', 'ended_at'],
    issuance: ['first_sent_at', 'last_sent_at', 'last_look_at', 'due_at'],
    sighting: ['first_seen_at'],
    scan: ['started_at', 'ended_at'],
  }
  for (const [table, names] of Object.entries(columns))
    await database.query(`UPDATE ${table} SET ${names.map((name) => `${name} = ${name} ${back}`).join(', ')}`, [
      ms / 1_000,
    ])
}

async function standing(database: Database): Promise<Standing[]> {
  const { rows } = await database.query<Standing>(
    `SELECT id, row_number AS row, state, reason, attempt_id AS attempt, resends, batch_cap AS cap, looks, surplus_items AS surplus,
            credential_id AS credential, entity_uuid AS entity, verifier_link AS link, report_status AS label,
            CASE WHEN due_at = 'infinity' THEN 'out of sight' WHEN due_at <= clock_timestamp() THEN 'now' ELSE 'later' END AS due
     FROM issuance ORDER BY id`,
  )
  return rows
}
