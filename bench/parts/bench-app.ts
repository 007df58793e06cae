// Everything opened as the worker opens it, on a fresh embedded database, for one pipeline to the sandbox's first course.

import { parseFileSettings } from '#config/settings.ts'
import { openApp } from '#src/app.ts'
import { silentLog } from '#src/log/log.ts'
import { Secret } from '#src/secret/secret.ts'
import { hashFile } from '#src/sources/hash-file.ts'
import { systemClock as clock } from '#src/time/clock.ts'
import type { SandboxTold } from './sandbox-child.ts'

export interface BenchAppOptions {
  /** Holds the database, unless another is named. */
  folder: string
  databaseUrl?: Secret
  /** People in a call. */
  size?: number
  /** As in the configuration file. */
  reconcile?: object
  systems?: object
  /** Over what the pipeline has. */
  pipeline?: object
}

export function openBenchApp(
  sandbox: SandboxTold,
  { folder, databaseUrl, size, reconcile, systems, pipeline }: BenchAppOptions,
) {
  const { uuid: course, templateUuid: template, badgeTemplateUuid: badgeTemplate } = sandbox.course
  return openApp(
    {
      configPath: 'bench',
      baseUrl: sandbox.url,
      key: new Secret(sandbox.key),
      secret: new Secret(sandbox.secret),
      databaseUrl: databaseUrl ?? null,
      redisUrl: null,
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
}

type BenchApp = Awaited<ReturnType<typeof openBenchApp>>

/** Hands a list over; the worker, if there is one, takes it from there. Returns the run's id. */
export async function handOver(app: BenchApp, file: string): Promise<string> {
  const source = {
    pipeline: 'bench',
    sourceName: 'people.csv',
    sourcePath: file,
    sourceSha256: await hashFile(file),
  }
  const { run } = await app.ledger.receiveRun(source)
  return run.id
}

/** Waits until the run's rows are as `reached` says. Looks every `everyMs` milliseconds, for counting a long list costs the database something. @throws Error when the run is refused */
export async function untilRun(
  app: BenchApp,
  id: string,
  reached: (now: NonNullable<Awaited<ReturnType<BenchApp['ledger']['runWithStates']>>>) => boolean,
  everyMs = 500,
): Promise<void> {
  for (;;) {
    const now = await app.ledger.runWithStates(id)
    if (now?.run.state === 'refused') throw new Error(now.run.refusal ?? 'refused')
    if (now && reached(now)) return
    await clock.sleep(everyMs)
  }
}
