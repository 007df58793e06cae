// Opens the app as the worker does, with one pipeline to the sandbox's first course, on a new database: an embedded one,
// or one on the server of DATABASE_URL, then with the Redis of REDIS_URL if there is one.

import { parseFileSettings } from '#config/settings.ts'
import { openApp } from '#src/app/app.ts'
import { hashFile } from '#src/files/tables/hash-file.ts'
import { silentLog } from '#src/platform/log/log.ts'
import { Secret } from '#src/platform/secret.ts'
import { systemClock as clock } from '#src/platform/time/clock.ts'
import { newDatabaseOn } from './postgres-statement-costs.ts'
import type { SandboxStarted } from './sandbox-child.ts'

export interface BenchAppOptions {
  /** The folder of the database, if it is an embedded one. */
  folder: string
  databaseUrl?: Secret
  /** The number of people per call. */
  size?: number
  /** The `reconcile` section of the configuration file. */
  reconcile?: object
  systems?: object
  /** Overrides settings of the pipeline. */
  pipeline?: object
}

export async function openBenchApp(
  sandbox: SandboxStarted,
  { folder, databaseUrl, size, reconcile, systems, pipeline }: BenchAppOptions,
) {
  const { uuid: course, templateUuid: template, badgeTemplateUuid: badgeTemplate } = sandbox.course
  const { DATABASE_URL, REDIS_URL } = process.env
  const created = DATABASE_URL && !databaseUrl ? await newDatabaseOn(DATABASE_URL) : null
  const app = await openApp(
    {
      configPath: 'bench',
      baseUrl: sandbox.url,
      key: new Secret(sandbox.key),
      secret: new Secret(sandbox.secret),
      databaseUrl: created ? new Secret(created.url) : (databaseUrl ?? null),
      redisUrl: DATABASE_URL && REDIS_URL ? new Secret(REDIS_URL) : null,
      dataDir: folder,
      file: parseFileSettings({
        service: { environment: 'development' },
        pipelines: {
          bench: {
            course,
            template,
            badgeTemplate,
            columns: { 'Primary Value': { value: 'Email' } },
            ...(size && { batch: { size } }),
            ...pipeline,
          },
        },
        ...(reconcile && { reconcile }),
        ...(systems && { systems }),
      }),
    },
    { clock, log: silentLog, random: Math.random },
  )
  const dispose = async () => {
    await app[Symbol.asyncDispose]()
    await created?.release()
  }
  return { ...app, [Symbol.asyncDispose]: dispose }
}

type BenchApp = Awaited<ReturnType<typeof openBenchApp>>

/** Submits a list to the worker, if one is running, as `credsync issue` does. Returns the id of the run. */
export async function handOver(app: BenchApp, file: string): Promise<string> {
  const source = {
    pipeline: 'bench',
    sourceName: 'people.csv',
    sourcePath: file,
    sourceSha256: await hashFile(file),
  }
  const { run } = await app.ledger.runs.receive(source)
  await app.queues.enqueue('intake', { runId: run.id })
  return run.id
}

/**
 * Waits until `reached` returns true for the run. Checks only every `everyMs` milliseconds, because counting the rows
 * of a long list takes database time.
 * @throws Error if the run is refused
 */
export async function untilRun(
  app: BenchApp,
  id: string,
  reached: (now: NonNullable<Awaited<ReturnType<BenchApp['ledger']['runs']['withStates']>>>) => boolean,
  everyMs = 500,
): Promise<void> {
  for (;;) {
    const now = await app.ledger.runs.withStates(id)
    if (now?.run.state === 'refused') throw new Error(now.run.refusal ?? 'refused')
    if (now && reached(now)) return
    await clock.sleep(everyMs)
  }
}
