// Exports figures of this process that are read when the page is requested: its gates, its loops, the clock of the
// service, and the depths of the queues.

import { Counter, Gauge, type Registry } from 'prom-client'
import type { App } from '#src/app/app.ts'
import type { QueueDepth, QueueName } from '#src/platform/queue/open-queues.ts'

type GaugeSources = Pick<App, 'gates' | 'progress' | 'issuer' | 'settings'>

/** Returns a function that shows the figures, with the depths of the queues unless their store did not answer. */
export function openWorkerGauges(registry: Registry, app: GaugeSources) {
  const gauge = (name: string, help: string, labelNames: string[]) =>
    new Gauge({ name: `credsync_${name}`, help, labelNames, registers: [registry] })
  const showGates = openGateGauges(registry, app)
  const loops = gauge('loop_age_seconds', 'Seconds since the last iteration of each loop of this worker.', ['loop'])
  const offset = gauge(
    'service_clock_offset_seconds',
    "The service's clock minus this worker's, according to the service's last response.",
    [],
  )
  const jobs = gauge('queue_jobs', 'Jobs in each queue, by state.', ['queue', 'state'])
  return (depths: Record<QueueName, QueueDepth> | null): void => {
    showGates()
    loops.reset()
    for (const { name, idleMs } of app.progress.loops()) loops.set({ loop: name }, idleMs / 1_000)
    offset.remove()
    const ms = app.issuer.clockOffsetMs()
    if (ms !== null) offset.set(ms / 1_000)
    jobs.reset()
    for (const [queue, depth] of Object.entries(depths ?? {}))
      for (const [state, count] of Object.entries(depth)) jobs.set({ queue, state }, count)
  }
}

function openGateGauges(registry: Registry, { gates, settings }: GaugeSources): () => void {
  const gauge = (name: string, help: string) =>
    new Gauge({ name: `credsync_gate_${name}`, help, labelNames: ['gate'], registers: [registry] })
  const sent = new Counter({
    name: 'credsync_gate_sent_total',
    help: 'Calls that this worker let through each gate. The gate of both token endpoints is `auth`.',
    labelNames: ['gate'],
    registers: [registry],
  })
  const waiting = gauge('waiting', 'Calls waiting at each gate of this worker.')
  const running = gauge('running', 'Calls that are in progress.')
  const paused = gauge('paused', '1 while the gate is closed because of a 429 or because Redis is unavailable.')
  const limit = gauge('limit_per_second', 'Calls per second that the configuration allows for all workers together.')
  const { general, auth } = settings.file.service.limits
  return () => {
    sent.reset()
    for (const [name, counts] of Object.entries(gates.report())) {
      const labels = { gate: name }
      sent.inc(labels, counts.sent)
      waiting.set(labels, counts.waiting)
      running.set(labels, counts.running)
      paused.set(labels, Number(counts.paused))
      limit.set(labels, name === 'auth' ? auth : general)
    }
  }
}
