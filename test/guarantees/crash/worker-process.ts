// The worker as a process of its own that dies where it is told to: the real app and the real stories, with seams between them.
// SIGTERM stops it as `start` does. Without an order it ends at once, which fills the compile cache.

import { parseFileSettings } from '#config/settings.ts'
import { startWorker } from '#jobs/worker.ts'
import { type App, openApp } from '#src/app.ts'
import { Secret } from '#src/secret/secret.ts'
import { systemClock } from '#src/time/clock.ts'
import type { Tuning } from '#src/tuning.ts'
import { type Armed, openFailpoint } from './failpoint.ts'
import { watchStatements, watchWire, withSeams } from './seams.ts'

export interface Order {
  armed: Armed | null
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

async function run(order: Order): Promise<void> {
  const stopping = new Promise<void>((resolve) => process.once('SIGTERM', resolve))
  const reach = openFailpoint(order.armed)
  watchStatements(order.armed?.point ?? '', reach)
  watchWire(reach)
  const app = await openApp(
    {
      configPath: 'test',
      baseUrl: order.baseUrl,
      key: new Secret(order.key),
      secret: new Secret(order.secret),
      databaseUrl: new Secret(order.databaseUrl),
      redisUrl: order.redisUrl ? new Secret(order.redisUrl) : null,
      dataDir: order.dataDir,
      file: parseFileSettings(order.file),
    },
    {
      clock: systemClock,
      log: { event: (name, fields) => void process.stderr.write(`${name} ${JSON.stringify(fields ?? {})}\n`) },
      random: () => 0.5,
      tuning: order.tuning,
    },
  )
  const worker = await startWhenAlone(withSeams(app, reach))
  await stopping
  await worker.stop()
}

/** The dead worker's lock goes with its connection, which the server notices a moment later. */
async function startWhenAlone(app: App) {
  for (;;) {
    const worker = await startWorker(app)
    if (worker) return worker
    await app.clock.sleep(20)
  }
}
