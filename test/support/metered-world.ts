// A world that counts what it does from the first moment on, and serves it, as `credsync start` does.

import { silentLog } from '#src/log/log.ts'
import { openMetrics } from '#src/web/open-metrics.ts'
import { serveWeb, type Web } from '#src/web/serve-web.ts'
import { openWorld, type World, type WorldOptions } from './world.ts'

export interface MeteredWorld extends World {
  web: Web
}

export async function openMeteredWorld(options: WorldOptions = {}): Promise<MeteredWorld> {
  await using stack = new AsyncDisposableStack()
  const metrics = openMetrics({ version: '1.2.3', environment: 'development', storage: 'postgresql' }, ['spring'])
  const around = { meter: metrics.meter, log: metrics.counted(silentLog), ...options.around }
  const world = stack.use(await openWorld({ ...options, around }))
  const web = stack.use(await serveWeb(world.app, metrics, { host: '127.0.0.1', port: 0 }))
  const closing = stack.move()
  return { ...world, web, [Symbol.asyncDispose]: () => closing.disposeAsync() }
}
