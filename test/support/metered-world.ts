// Opens a world whose metrics are counted from the start and served over HTTP, as `credsync start` does.

import { silentLog } from '#src/platform/log/log.ts'
import type { Clock } from '#src/platform/time/clock.ts'
import { openMetrics } from '#src/web/open-metrics.ts'
import { serveWeb, type Web } from '#src/web/serve-web.ts'
import { openWorld, type World, type WorldOptions } from './world.ts'

export interface MeteredWorld extends World {
  web: Web
}

/** @param options.webClock the clock of the web server; that of the app by default */
export async function openMeteredWorld(options: WorldOptions & { webClock?: Clock } = {}): Promise<MeteredWorld> {
  await using stack = new AsyncDisposableStack()
  const metrics = openMetrics({ version: '1.2.3', environment: 'development', storage: 'postgresql' }, ['spring'])
  const appOptions = { meter: metrics.meter, log: metrics.countEvents(silentLog), ...options.appOptions }
  const world = stack.use(await openWorld({ ...options, appOptions }))
  const webApp = { ...world.app, clock: options.webClock ?? world.app.clock }
  const web = stack.use(await serveWeb(webApp, metrics, { host: '127.0.0.1', port: 0 }))
  const closing = stack.move()
  return { ...world, web, [Symbol.asyncDispose]: () => closing.disposeAsync() }
}
