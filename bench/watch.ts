// Measures the cost of one round of the watch over issued credentials, in report calls and in CPU time, for each way
// of watching.
// Run by hand: node bench/watch.ts [issued] [revoked]

import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { openWholeLedger } from '#src/app/whole-ledger.ts'
import type { ItemAsShown } from '#src/issuing/reconcile/read-report-item.ts'
import { watchIssued } from '#src/issuing/reconcile/watch-issued.ts'
import { migrate } from '#src/ledger/migrate.ts'
import { openDatabase } from '#src/platform/database/database.ts'
import { openEmbeddedPostgres } from '#src/platform/database/embedded-postgres.ts'
import { silentLog } from '#src/platform/log/log.ts'
import { systemClock } from '#src/platform/time/clock.ts'
import { fillLedger } from './parts/fill-ledger.ts'
import { newFolder } from './parts/new-folder.ts'

const issued = Number(process.argv[2] ?? 1_000_000)
const revoked = Number(process.argv[3] ?? 2_000)
const days = 730
const pageSize = 500
const pace = { withinMs: 30 * 86_400_000, periodMs: 86_400_000 }
const today = Math.floor(systemClock.now().getTime() / 86_400_000)
const dateDaysAgo = (back: number) => new Date((today - back) * 86_400_000).toISOString().slice(0, 10)

const daysSinceRequest = (n: number) => days - 1 - Math.floor((n * days) / issued)

/**
 * Returns the n-th request, oldest first. Revoked ones are spread evenly; their revocation dates follow another order.
 */
function item(n: number): ItemAsShown {
  const back = daysSinceRequest(n)
  return {
    fname: 'Ada',
    lname: 'Lovelace',
    email_: `person.${n}@example.org`,
    contact_number: null,
    certificate_name: 'Welding',
    issued_status: 'Request Completed',
    issue_date: dateDaysAgo(back),
    valid_till: null,
    revoked_date: isRevoked(n) ? dateDaysAgo((Math.imul(n, 2_654_435_761) >>> 0) % 300) : null,
    request_date: dateDaysAgo(back),
    entity_uuid: `entity-${n}`,
    credential_id: `C-${n}`,
    reg_no: null,
    uid: null,
    cert_no: null,
    unique_no: null,
    membership_id: null,
    public_verifier_link: null,
  }
}

type ReportKind = 'sorted' | 'takes days' | 'takes neither'
const byRequest = Array.from({ length: issued }, (_, n) => n)
const isRevoked = (n: number) => n % Math.floor(issued / revoked) === 7
const revokedOf = (n: number) => item(n).revoked_date ?? ''
const byRevocation = [
  ...byRequest.filter(isRevoked).toSorted((a, b) => revokedOf(b).localeCompare(revokedOf(a))),
  ...byRequest.filter((n) => !isRevoked(n)),
]

function openReport(reportKind: ReportKind) {
  const counts = { calls: 0 }
  async function* reportPages(query: {
    search: Record<string, unknown>
    sortBy: string
    sortOrder: 'asc' | 'desc'
    recordsPerPage: number
    firstPage?: number
  }) {
    const range =
      reportKind !== 'takes neither' && (query.search.date_range as { start: string; end: string } | undefined)
    const ordered = query.sortBy === 'revoked_date' && reportKind === 'sorted' ? byRevocation : byRequest
    const found = range
      ? ordered.filter(
          (n) => dateDaysAgo(daysSinceRequest(n)) >= range.start && dateDaysAgo(daysSinceRequest(n)) <= range.end,
        )
      : ordered
    const descends = query.sortOrder === 'desc' && ordered === byRequest
    for (let page = query.firstPage ?? 1; ; page++) {
      counts.calls++
      const from = (page - 1) * query.recordsPerPage
      const part = descends
        ? found.slice(Math.max(0, found.length - from - query.recordsPerPage), found.length - from).reverse()
        : found.slice(from, from + query.recordsPerPage)
      const walk = from + query.recordsPerPage >= found.length ? ('complete' as const) : ('more' as const)
      yield { items: part.map(item), filteredRecords: found.length, walk }
      if (walk === 'complete') return
    }
  }
  const reportPage = async ({ search }: { search: Record<string, unknown> }) => {
    counts.calls++
    return { items: [item(Number(String(search.credential_id).slice(2)))] }
  }
  return { counts, issuer: { reportPages, reportPage } }
}

const dataDir = await newFolder('watch')
const postgres = await openEmbeddedPostgres({ dataDir, clock: systemClock })
const database = openDatabase(postgres.url)
try {
  await migrate(database, randomBytes(32))
  await fillLedger(database, { rows: issued, kind: 'settled' })
  await database.transaction(async (sql) => {
    await sql.query('SET LOCAL statement_timeout = 0')
    await sql.query(
      `INSERT INTO report_claim (environment, item_key, issuance_id, fingerprint) SELECT 'development', 'entity-' || row_number, id, 'f' || id FROM issuance`,
    )
    await sql.query(
      `INSERT INTO sighting (environment, item_key, request_date) SELECT 'development', 'entity-' || n, $2::date - ($3::int - 1 - (n::bigint * $3::int / $1::int))::int FROM generate_series(0, $1::int - 1) n`,
      [issued, dateDaysAgo(0), days],
    )
  })
  await database.query('VACUUM ANALYZE')
  const ledger = await openWholeLedger(database, 'development')
  await ledger.watching.begin(systemClock.now())
  for (const reportKind of ['sorted', 'takes days', 'takes neither'] as const) {
    await database.query('UPDATE credential_watch SET sorted_at = NULL, round_began_at = NULL')
    for (const turn of ['first', 'second']) console.log(`${reportKind}, ${turn} round: ${await oneRound(reportKind)}`)
  }
  await ledger.watching.requestAll()
  console.log(`check of all credentials: ${await oneRound('takes days')}`)

  async function oneRound(reportKind: ReportKind): Promise<string> {
    const { counts, issuer } = openReport(reportKind)
    const tally = { pages: 0, items: 0, revoked: 0 }
    const tools = { ledger, issuer, log: silentLog, clock: systemClock, pageSize, policy: {} as never }
    const [startedAt, cpu] = [systemClock.monotonicMs(), process.cpuUsage()]
    const method = await watchIssued(tools, await ledger.watching.status(), pace, tally)
    await ledger.watching.endCheck(method, systemClock.now())
    const used = process.cpuUsage(cpu)
    const seconds = (ms: number) => (ms / 1_000).toFixed(1)
    return `by ${method}: ${counts.calls} calls, ${tally.items} rows read, ${seconds(systemClock.monotonicMs() - startedAt)} s without the service, ${seconds((used.user + used.system) / 1_000)} s of CPU time`
  }
} finally {
  await database.close()
  await postgres.release()
  await rm(dataDir, { recursive: true, force: true })
}
