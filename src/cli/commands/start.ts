// credsync start: runs the worker until it is stopped.

import type { Settings } from '#config/settings.ts'
import { type App, openApp } from '#src/app/app.ts'
import { runningWorker } from '#src/app/running-workers.ts'
import { runStartupChecks } from '#src/check/startup-checks.ts'
import { openConsole, refuseMissingConsole } from '#src/extensions/console/commands/open-console.ts'
import { inboxFaults } from '#src/files/inbox/inbox-faults.ts'
import { otherWorkerSentence } from '#src/issuing/descriptions/describe-worker.ts'
import { sendingStoppedMessage } from '#src/ledger/attempts/sending-stopped-message.ts'
import { type ConnectionGuard, openConnectionGuard } from '#src/platform/connection-guard.ts'
import { version } from '#src/platform/version.ts'
import type { Metrics } from '#src/web/open-metrics.ts'
import type { Web } from '#src/web/serve-web.ts'
import { appOptionsFor, type Cli, say, settingsFor } from '../cli-context.ts'
import { type ExitCode, exitCode, UsageError } from '../exit-code.ts'
import { type RunningWorker, type WorkName, workNames } from '../job-actions.ts'
import { orRefuse } from '../listen-or-stop.ts'

export async function startCommand(cli: Cli, options: { config?: string; only?: string }): Promise<ExitCode> {
  const only = parseOnly(options.only)
  const settings = await settingsFor(cli, options)
  if (options.only !== undefined) refuseMissingConsole(only, settings.file)
  const metrics = only.includes('web') ? await metricsFor(settings) : null
  const appOptions = appOptionsFor(cli, settings, 'worker')
  await using app = await openApp(
    settings,
    metrics ? { ...appOptions, meter: metrics.meter, log: metrics.countEvents(appOptions.log) } : appOptions,
  )
  if (only.includes('intake')) await refuseUnusableInboxes(cli, app)
  for (const warning of await runStartupChecks(app)) say(cli, warning)
  await using worker = await cli.jobs.startWorker(app, only, { inboxes: true })
  if (!worker) {
    say(cli, otherWorkerSentence(await runningWorker(app), app.exclusive))
    return exitCode.usage
  }
  // The worker is already running, so a database that has just become unavailable does not end it. `status` shows
  // stops, too.
  const stops = await app.ledger.sendingStops.stops().catch(() => [])
  for (const stop of stops) say(cli, `${sendingStoppedMessage(stop)}.`)
  const guard = openConnectionGuard()
  await using web = metrics && (await openWeb(app, metrics, worker, guard, options.only !== undefined))
  await using pages = only.includes('console') ? await openConsole(app, worker, guard) : null
  const running = [`credsync is running for ${settings.file.service.environment} on ${app.storage}`]
  if (web) running.push(`health at ${web.url}/health/ready`)
  if (pages) running.push(`console at ${pages.url}`)
  say(cli, `${running.join('; ')}. Ctrl-C stops it.`)
  return await untilStopped(cli, worker, lostMessage(app.exclusive), (why) => web?.unready(why))
}

/**
 * Reports inboxes that cannot be used because somebody else created one of their sub-folders: a person who may drop
 * files into one inbox must not be able to prevent the whole worker from starting.
 * @throws UsageError listing every inbox that cannot be used: a typo would otherwise be watched forever, unnoticed
 */
async function refuseUnusableInboxes(cli: Cli, { inboxes }: App): Promise<void> {
  const faults = await Promise.all(
    inboxes.all.map(async ({ pipeline, folder }) =>
      (await inboxFaults(folder)).map((fault) => ({ ...fault, reported: `inbox ${pipeline}: ${fault.sentence}.` })),
    ),
  )
  const mistakes = faults.flat().filter(({ foreign }) => !foreign)
  if (mistakes.length > 0) throw new UsageError(mistakes.map(({ reported }) => reported).join('\n'))
  for (const { reported } of faults.flat())
    say(cli, `${reported} No files are taken from that inbox until the problem is fixed.`)
}

/**
 * Opens the metrics before the app, so that they cover all of its work. They are imported only here, because their
 * libraries take a long time to load.
 */
async function metricsFor({ file, databaseUrl, redisUrl }: Settings): Promise<Metrics> {
  const { openMetrics } = await import('#src/web/open-metrics.ts')
  const storage = redisUrl ? 'postgresql-and-redis' : databaseUrl ? 'postgresql' : 'embedded-postgresql'
  return openMetrics({ version, environment: file.service.environment, storage }, Object.keys(file.pipelines))
}

/**
 * @throws UsageError if the address is not available; the worker is stopped first, so that it does not run unmonitored
 */
async function openWeb(
  app: App,
  metrics: Metrics,
  worker: RunningWorker,
  guard: ConnectionGuard,
  hasOnly: boolean,
): Promise<Web> {
  const address = app.settings.file.web
  const { serveWeb } = await import('#src/web/serve-web.ts')
  return orRefuse(worker, () => serveWeb(app, metrics, address, guard), {
    what: 'The health pages',
    setting: 'web',
    address,
    otherwise: hasOnly ? ', or leave web out of --only' : '',
  })
}

function lostMessage(exclusive: boolean): string {
  return exclusive
    ? 'The connection that makes this the only worker was lost; stopping.'
    : 'A worker without Redis started while the database was unavailable to this worker; stopping. Set the same REDIS_URL for every worker.'
}

async function untilStopped(
  cli: Cli,
  worker: RunningWorker,
  lostMessage: string,
  unready: (why: string | null) => void,
): Promise<ExitCode> {
  const signalled = new Promise<'signal'>((resolve) => {
    if (cli.signal.aborted) resolve('signal')
    cli.signal.addEventListener('abort', () => resolve('signal'), { once: true })
  })
  const why = await Promise.race([signalled, worker.lost.then((error) => error?.message ?? lostMessage)])
  const isSignal = why === 'signal'
  unready(isSignal ? null : why)
  say(cli, isSignal ? 'Stopping: no new calls are made; waiting for the current ones.' : why)
  const { unfinished } = await worker.stop()
  say(
    cli,
    unfinished === 0
      ? 'Stopped; no call was in progress.'
      : `Stopped with ${unfinished} jobs unfinished; they are in the ledger, and the next start continues them.`,
  )
  return isSignal ? exitCode.ok : exitCode.fault
}

/** @throws UsageError for a part that does not exist */
function parseOnly(text: string | undefined): WorkName[] {
  if (text === undefined) return [...workNames]
  const names = text.split(',').map((name) => name.trim())
  const unknown = names.filter((name) => !workNames.some((workName) => workName === name))
  if (unknown.length > 0) throw new UsageError(`--only accepts ${workNames.join(', ')}, but not ${unknown.join(', ')}.`)
  return workNames.filter((name) => names.includes(name))
}
