// credsync start: the long-running worker.

import type { Settings } from '#config/settings.ts'
import { type App, openApp } from '#src/app.ts'
import { labelOf, sentenceOf } from '#src/check/check.ts'
import { checkInboxes } from '#src/check/check-inboxes.ts'
import { runningWorker } from '#src/check/check-worker.ts'
import { fitForWork } from '#src/check/fit-for-work.ts'
import { besideWords } from '#src/check/worker-words.ts'
import type { Metrics } from '#src/web/open-metrics.ts'
import type { Web } from '#src/web/serve-web.ts'
import { type RunningWorker, type WorkName, workNames } from '../doing.ts'
import { type ExitCode, exitCode, UsageError } from '../exit-code.ts'
import { aroundOf, type Cli, say, settingsFor } from '../surroundings.ts'
import { version } from '../version.ts'

export async function startCommand(cli: Cli, options: { config?: string; only?: string }): Promise<ExitCode> {
  const only = readOnly(options.only)
  const settings = await settingsFor(cli, options)
  const metrics = only.includes('web') ? await metricsFor(settings) : null
  const around = aroundOf(cli, settings, 'worker')
  await using app = await openApp(
    settings,
    metrics ? { ...around, meter: metrics.meter, log: metrics.counted(around.log) } : around,
  )
  if (only.includes('intake')) await refuseUnusable(app)
  for (const warning of await fitForWork(app)) say(cli, warning)
  const worker = await cli.doing.startWorker(app, only, { inboxes: true })
  if (!worker) {
    say(cli, besideWords(await runningWorker(app), app.exclusive))
    return exitCode.usage
  }
  await using web = metrics && (await openWeb(app, metrics, worker, options.only !== undefined))
  say(
    cli,
    `credsync works for ${settings.file.service.environment} on ${app.storage}${web ? `; health at ${web.url}/health/ready` : ''}. Ctrl-C stops it.`,
  )
  return await untilStopped(cli, worker, lostWords(app.exclusive), () => web?.unready())
}

/** @throws UsageError with every inbox that cannot be used: a typo would be watched for ever, and nobody would hear of it */
async function refuseUnusable(app: App): Promise<void> {
  const faults = (await checkInboxes(app)).filter((check) => !check.ok)
  if (faults.length === 0) return
  throw new UsageError(faults.map((fault) => `${labelOf(fault)}: ${sentenceOf(fault)}.`).join('\n'))
}

/** Before the app, so that nothing of what it does is missed. Only here, for the libraries behind it take their time to load. */
async function metricsFor({ file, databaseUrl, redisUrl }: Settings): Promise<Metrics> {
  const { openMetrics } = await import('#src/web/open-metrics.ts')
  const storage = redisUrl ? 'postgresql-and-redis' : databaseUrl ? 'postgresql' : 'embedded-postgresql'
  return openMetrics({ version, environment: file.service.environment, storage }, Object.keys(file.pipelines))
}

/** @throws UsageError when the address cannot be had; the worker is stopped first, so that nothing goes on unseen */
async function openWeb(app: App, metrics: Metrics, worker: RunningWorker, chosen: boolean): Promise<Web> {
  const at = app.settings.file.web
  const { serveWeb } = await import('#src/web/serve-web.ts')
  try {
    return await serveWeb(app, metrics, at)
  } catch (error) {
    await worker.stop()
    const { code = '' } = error as NodeJS.ErrnoException
    // Others are faults of ours, and must look like it.
    if (!['EADDRINUSE', 'EADDRNOTAVAIL', 'EACCES', 'ENOTFOUND'].includes(code)) throw error
    throw new UsageError(
      `The health pages cannot listen on ${at.host}, port ${at.port} (${code}). Set web.host and web.port to what is free (port 0 takes any)${chosen ? ', or leave web out of --only' : ''}.`,
    )
  }
}

function lostWords(exclusive: boolean): string {
  return exclusive
    ? 'The connection that makes this the only worker was lost; stopping.'
    : 'A worker without Redis has begun while the database was away from here; stopping. Set the same REDIS_URL for every worker.'
}

async function untilStopped(
  cli: Cli,
  worker: RunningWorker,
  lostWords: string,
  unready: () => void,
): Promise<ExitCode> {
  const signalled = new Promise<'signal'>((resolve) => {
    if (cli.signal.aborted) resolve('signal')
    cli.signal.addEventListener('abort', () => resolve('signal'), { once: true })
  })
  const why = await Promise.race([signalled, worker.lost.then(() => 'lost' as const)])
  unready()
  say(cli, why === 'lost' ? lostWords : 'Stopping: no new calls, waiting for those under way.')
  const { unfinished } = await worker.stop()
  say(
    cli,
    unfinished === 0
      ? 'Stopped; no call was left under way.'
      : `Stopped with ${unfinished} jobs unfinished; the ledger knows them and the next start goes on.`,
  )
  return why === 'lost' ? exitCode.fault : exitCode.ok
}

/** @throws UsageError for a part that there is not */
function readOnly(text: string | undefined): WorkName[] {
  if (text === undefined) return [...workNames]
  const names = text.split(',').map((name) => name.trim())
  const unknown = names.filter((name) => !workNames.some((each) => each === name))
  if (unknown.length > 0)
    throw new UsageError(`--only knows ${workNames.join(', ')}; it does not know ${unknown.join(', ')}.`)
  return workNames.filter((name) => names.includes(name))
}
