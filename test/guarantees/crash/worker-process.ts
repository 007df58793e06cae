// Runs the worker as a process that is killed at a given point: the real app and jobs, with seams between them. SIGTERM
// stops the worker, as it stops `credsync start`. Without instructions it exits immediately, which fills the compile
// cache.

import { parseFileSettings } from '#config/settings.ts'
import { startWorker } from '#jobs/worker.ts'
import { type App, openApp } from '#src/app/app.ts'
import type { Tuning } from '#src/app/tuning.ts'
import { Secret } from '#src/platform/secret.ts'
import { systemClock } from '#src/platform/time/clock.ts'
import { type ArmedPoint, openFailpoint } from './failpoint.ts'
import { watchReading, watchStatements, watchWire, withSeams } from './seams.ts'

export interface WorkerInstructions {
  armed: ArmedPoint | null
  file: unknown
  baseUrl: string
  key: string
  secret: string
  databaseUrl: string
  redisUrl: string | null
  dataDir: string
  tuning: Partial<Tuning>
}

const text = process.env.CRASH_ORDER
if (text) await run(JSON.parse(text))
process.exit(0)

async function run(instructions: WorkerInstructions): Promise<void> {
  const stopping = new Promise<void>((resolve) => process.once('SIGTERM', resolve))
  const reach = openFailpoint(instructions.armed)
  watchStatements(instructions.armed?.point ?? '', reach)
  watchWire(reach)
  watchReading(reach)
  const app = await openApp(
    {
      configPath: 'test',
      baseUrl: instructions.baseUrl,
      key: new Secret(instructions.key),
      secret: new Secret(instructions.secret),
      databaseUrl: new Secret(instructions.databaseUrl),
      redisUrl: instructions.redisUrl ? new Secret(instructions.redisUrl) : null,
      dataDir: instructions.dataDir,
      file: parseFileSettings(instructions.file),
    },
    {
      clock: systemClock,
      log: { event: (name, fields) => void process.stderr.write(`${name} ${JSON.stringify(fields ?? {})}\n`) },
      random: () => 0.5,
      tuning: instructions.tuning,
    },
  )
  const worker = await startWhenAlone(withSeams(app, reach))
  await stopping
  await worker.stop()
}

/** The dead worker's lock is released with its connection, which the server notices a moment later. */
async function startWhenAlone(app: App) {
  for (;;) {
    const worker = await startWorker(app)
    if (worker) return worker
    await app.clock.sleep(20)
  }
}
