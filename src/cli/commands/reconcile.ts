// credsync reconcile: a full pass over the credential report, now.

import type { App } from '#src/app.ts'
import { speakable } from '#src/check/speakable.ts'
import { countOf } from '#src/write-back/count-of.ts'
import { type ExitCode, exitCode } from '../exit-code.ts'
import { answerJson, appFor, type Cli, say, settingsFor } from '../surroundings.ts'

const waitForWorkerMs = 10 * 60_000

export async function reconcileCommand(cli: Cli, options: { config?: string; json?: boolean }): Promise<ExitCode> {
  const settings = await settingsFor(cli, options)
  await using app = await appFor(cli, settings)
  const revocations = await app.ledger.revocations.open()
  if (revocations.length > 0) await tendThem(cli, app, revocations)
  const before = await app.ledger.readWatch()
  const complete = before.open === 0 ? true : await fullPass(cli, app)
  const after = await app.ledger.readWatch()
  const unsent = await countUnsent(app)
  if (options.json) answerJson(cli, { complete, openBefore: before.open, openAfter: after.open, unsent })
  if (before.open === 0)
    say(cli, `${unsent === 0 ? 'Nothing is open: every' : 'Every'} row that was sent has come to rest.`)
  else if (complete)
    say(
      cli,
      `The report was read. ${before.open - after.open} of ${before.open} open rows came to rest, ${after.open} are still open.`,
    )
  else
    say(
      cli,
      'The report could not be read to its end; nothing was concluded from what it did not show. Try again in a minute.',
    )
  if (unsent > 0)
    say(
      cli,
      `${countOf(unsent, 'row')} ${unsent === 1 ? 'waits' : 'wait'} to be sent: \`credsync start\` sends them; \`credsync status\` says of which runs.`,
    )
  const held = (await app.ledger.heldRows()).length
  if (held > 0)
    say(cli, `${countOf(held, 'held row')} ${held === 1 ? 'needs' : 'need'} a person: \`credsync held\` lists them.`)
  return complete ? exitCode.ok : exitCode.service
}

/** Rows that were never sent, or go out again: a correction that was just settled leaves one. */
async function countUnsent({ database, ledger }: App): Promise<number> {
  const { rows } = await database.query<{ rows: number }>(
    `SELECT count(*) AS rows FROM issuance WHERE environment = $1 AND state = 'pending'`,
    [ledger.environment],
  )
  return rows[0]?.rows ?? 0
}

async function tendThem(cli: Cli, app: App, ids: readonly number[]): Promise<void> {
  const faults = await cli.doing.tendRevocations(app, ids)
  for (const fault of faults.values()) say(cli, `A revocation could not be looked after: ${speakable(fault)}`)
  await cli.doing.writeWantedResults(app)
  const left = (await app.ledger.revocations.open()).length
  say(cli, `${ids.length - left} of ${countOf(ids.length, 'open revocation')} settled.`)
}

/** Under the worker's lock when it is free; else the running worker is asked and waited for, since the limits are kept in its memory. */
async function fullPass(cli: Cli, app: App): Promise<boolean> {
  const worker = app.exclusive ? await app.ledger.holdLock('worker') : null
  if (app.exclusive && !worker) return askWorker(cli, app)
  try {
    await app.ledger.loseAttempts(app.exclusive ? app.instance : null)
    const scan = await app.ledger.withLock('scan', () => cli.doing.lookOnce(app))
    await cli.doing.writeWantedResults(app)
    return scan?.complete ?? true
  } finally {
    await worker?.release()
  }
}

async function askWorker(cli: Cli, app: App): Promise<boolean> {
  say(cli, 'A worker runs on this ledger; it is asked to read the report now.')
  const { rows } = await app.database.query<{ now: Date }>('SELECT clock_timestamp() AS now')
  const asked = rows[0]?.now ?? app.clock.now()
  await app.ledger.schedulePoller(0, 0)
  for (let waited = 0; waited < waitForWorkerMs && !cli.signal.aborted; waited += 500) {
    if (await app.ledger.completeScanSince(asked)) return true
    await app.clock.sleep(500, cli.signal).catch(() => {})
  }
  return false
}
