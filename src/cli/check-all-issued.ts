// credsync reconcile --all: checks every issued credential now, in this process or in the running worker.

import type { App } from '#src/app/app.ts'
import { countOf } from '#src/issuing/results/counted-noun.ts'
import { type Cli, say } from './cli-context.ts'

export interface AllIssuedChecked {
  /** False if it was interrupted; the worker continues. */
  complete: boolean
  issued: number
  /** Found revoked by this check. */
  revoked: number
  /** Issued credentials that the report no longer shows. */
  missing: number
}

export async function checkAllIssued(cli: Cli, app: App): Promise<AllIssuedChecked> {
  const { ledger, clock } = app
  const wanted = await ledger.watching.wantAll()
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

export function allIssuedLines({ complete, issued, revoked, missing }: AllIssuedChecked): string[] {
  const found = `${countOf(revoked, 'credential')} ${revoked === 1 ? 'was' : 'were'} found to be revoked`
  if (!complete) return [`Not all issued credentials were checked: ${found} so far. The worker continues.`]
  const lines = [`All issued credentials were checked: ${found}; ${issued} ${issued === 1 ? 'is' : 'are'} valid.`]
  if (missing > 0)
    lines.push(`${countOf(missing, 'issued credential')} ${missing === 1 ? 'is' : 'are'} no longer in the report.`)
  return lines
}
