// credsync reconcile: makes a full pass over the credential report now and, with --all, also checks every issued
// credential.

import type { App } from '#src/app/app.ts'
import { type Cli, callingAppFor, printJson, say, settingsFor } from '#src/cli/cli-context.ts'
import { type ExitCode, exitCode } from '#src/cli/exit-code.ts'
import { countOf } from '#src/issuing/results/run-summary.ts'
import { sendingStoppedMessage } from '#src/ledger/attempts/sending-stopped-message.ts'
import type { Stop } from '#src/ledger/attempts/sending-stops.ts'
import { safeMessage } from '#src/platform/safe-message.ts'

const waitForWorkerMs = 10 * 60_000

export async function reconcileCommand(
  cli: Cli,
  options: { config?: string; all?: boolean; json?: boolean },
): Promise<ExitCode> {
  const settings = await settingsFor(cli, options)
  await using app = await callingAppFor(cli, settings)
  const revocations = await app.ledger.revocations.open()
  if (revocations.length > 0) await continueRevocations(cli, app, revocations)
  const before = await app.ledger.poller.read()
  const complete = before.open === 0 ? true : await fullPass(cli, app)
  const all = options.all ? await checkAllIssued(cli, app) : null
  await cli.jobs.carryOutErasures(app)
  const after = await app.ledger.poller.read()
  const unsent = await countUnsent(app)
  if (options.json)
    printJson(cli, { complete, openBefore: before.open, openAfter: after.open, unsent, ...(all && { all }) })
  if (before.open === 0) say(cli, `${unsent === 0 ? 'Nothing is open: every' : 'Every'} sent row has settled.`)
  else if (complete)
    say(
      cli,
      `The report was read. ${before.open - after.open} of ${before.open} open rows settled, ${after.open} are still open.`,
    )
  else
    say(
      cli,
      'The report could not be read completely; no conclusions were drawn from missing items. Try again in a minute.',
    )
  if (unsent > 0) say(cli, unsentLine(unsent, await app.ledger.sendingStops.stops()))
  const held = (await app.ledger.decisions.heldRows()).length
  if (held > 0)
    say(cli, `${countOf(held, 'held row')} ${held === 1 ? 'needs' : 'need'} a decision: \`credsync held\` lists them.`)
  if (all) for (const line of allIssuedLines(all)) say(cli, line)
  return complete && all?.complete !== false ? exitCode.ok : exitCode.service
}

function unsentLine(unsent: number, [stop]: readonly Stop[]): string {
  const [wait, them] = unsent === 1 ? ['waits', 'it'] : ['wait', 'them']
  const rows = `${countOf(unsent, 'row')} ${wait} to be sent`
  if (stop) return `${rows}. ${sendingStoppedMessage(stop)}.`
  return `${rows}: \`credsync start\` sends ${them}; \`credsync status\` shows which runs they belong to.`
}

/** Counts rows that were never sent or must be sent again, such as the new row of a correction. Reads the database. */
async function countUnsent({ database, ledger }: App): Promise<number> {
  const { rows } = await database.query<{ rows: number }>(
    `SELECT count(*) AS rows FROM issuance WHERE environment = $1 AND state = 'pending'`,
    [ledger.environment],
  )
  return rows[0]?.rows ?? 0
}

async function continueRevocations(cli: Cli, app: App, ids: readonly number[]): Promise<void> {
  const faults = await cli.jobs.processRevocations(app, ids)
  for (const fault of faults.values()) say(cli, `A revocation could not be processed: ${safeMessage(fault)}`)
  await cli.jobs.writeWantedResults(app)
  const openCount = (await app.ledger.revocations.open()).length
  say(cli, `${ids.length - openCount} of ${countOf(ids.length, 'open revocation')} settled.`)
}

/**
 * Runs under the worker's lock if it is free. Otherwise the running worker makes the pass, because the rate limits are
 * in its memory, and this process waits for it.
 */
async function fullPass(cli: Cli, app: App): Promise<boolean> {
  const worker = app.exclusive ? await app.ledger.locks.hold('worker') : null
  if (app.exclusive && !worker) return askWorker(cli, app)
  try {
    await app.ledger.attempts.markLost(app.exclusive ? app.instance : null)
    const scan = await app.ledger.locks.withLock('scan', () => cli.jobs.readReportOnce(app))
    await cli.jobs.writeWantedResults(app)
    return scan?.complete ?? true
  } finally {
    await worker?.release()
  }
}

async function askWorker(cli: Cli, app: App): Promise<boolean> {
  say(cli, 'A worker is running on this ledger; requesting that it read the report now.')
  const { rows } = await app.database.query<{ now: Date }>('SELECT clock_timestamp() AS now')
  const requestedAt = rows[0]?.now ?? app.clock.now()
  await app.ledger.poller.schedule(0, 0)
  for (let waited = 0; waited < waitForWorkerMs && !cli.signal.aborted; waited += 500) {
    if (await app.ledger.scans.completeSince(requestedAt)) return true
    await app.clock.sleep(500, cli.signal).catch(() => {})
  }
  return false
}

interface AllIssuedChecked {
  /** False if it was interrupted; the worker continues. */
  complete: boolean
  issued: number
  /** Found revoked by this check. */
  revoked: number
  /** Issued credentials that the report no longer shows. */
  missing: number
}

/** Checks every issued credential now, in this process or in the running worker. */
async function checkAllIssued(cli: Cli, app: App): Promise<AllIssuedChecked> {
  const { ledger, clock } = app
  const wanted = await ledger.watching.requestAll()
  const [before] = await ledger.watching.shown()
  say(cli, 'Checking every issued credential, which reads the whole report.')
  const isDone = () => ledger.watching.allDoneSince(wanted)
  // Without Redis, the rate limits are in the worker's memory, so only the worker may call the service. With Redis, any
  // process may do so, one at a time.
  const worker = app.exclusive ? await ledger.locks.hold('worker') : null
  try {
    if (app.exclusive && !worker) say(cli, 'A worker is already running on this ledger; it will do the check.')
    while (!cli.signal.aborted && !(await isDone())) {
      if (worker || !app.exclusive) await cli.jobs.watchIssued(app)
      if (await isDone()) break
      await clock.sleep(500, cli.signal).catch(() => {})
    }
    await cli.jobs.writeWantedResults(app)
  } finally {
    await worker?.release()
  }
  const [after] = await ledger.watching.shown()
  const revoked = (after?.revoked ?? 0) - (before?.revoked ?? 0)
  return { complete: await isDone(), issued: after?.issued ?? 0, revoked, missing: after?.missing ?? 0 }
}

function allIssuedLines({ complete, issued, revoked, missing }: AllIssuedChecked): string[] {
  const found = `${countOf(revoked, 'credential')} ${revoked === 1 ? 'was' : 'were'} found to be revoked`
  if (!complete) return [`Not all issued credentials were checked: ${found} so far. The worker continues.`]
  const lines = [`All issued credentials were checked: ${found}; ${issued} ${issued === 1 ? 'is' : 'are'} valid.`]
  if (missing > 0)
    lines.push(`${countOf(missing, 'issued credential')} ${missing === 1 ? 'is' : 'are'} no longer in the report.`)
  return lines
}
