// The whole worker, as jobs/main.ts runs it, in one simulated process: the real stories, decisions, client and sweeper behind doors.

import type { FileSettings } from '#config/schema.ts'
import { startWorker } from '#jobs/worker.ts'
import type { App } from '#src/app.ts'
import { openArchives } from '#src/downloads/open-archives.ts'
import { openIssuer } from '#src/issuer/issuer.ts'
import { openLearning } from '#src/learning/open-learning.ts'
import type { Ledger } from '#src/ledger/ledger.ts'
import { silentLog } from '#src/log/log.ts'
import { openCourseDesk } from '#src/pipelines/course-desk.ts'
import { openPipelines } from '#src/pipelines/pipelines.ts'
import type { SandboxCore } from '#src/sandbox/open-sandbox-core.ts'
import { Secret } from '#src/secret/secret.ts'
import { openProgress } from '#src/time/progress.ts'
import type { Tuning } from '#src/tuning.ts'
import type { Outbox } from '#src/write-back/outbox.ts'
import type { Dice } from '#test/support/dice.ts'
import type { Backlog } from './backlog.ts'
import type { Process } from './process.ts'
import { openSimGates } from './sim-gates.ts'
import type { VirtualClock } from './virtual-clock.ts'
import type { Weather } from './weather.ts'
import { openWire } from './wire.ts'

export interface Surroundings {
  core: SandboxCore
  time: VirtualClock
  weather: Weather
  backlog: Backlog
  ledger: Ledger
  outbox: Outbox
  file: FileSettings
  tuning: Tuning
  /** One worker at a time, as without Redis. */
  exclusive: boolean
}

/** Starts a worker in `process`. Gives null where another one holds the ledger. */
export function startSimWorker(process: Process, dice: Dice, around: Surroundings) {
  const { core, time, weather, backlog, file, tuning, exclusive } = around
  const { clock } = process
  const gates = openSimGates(clock)
  const http = openWire(process, core, time, dice.of('wire'), weather)
  const { key, secret } = core
  const issuer = openIssuer({
    baseUrl: 'http://127.0.0.1',
    key: new Secret(key),
    secret: new Secret(secret),
    gates,
    clock,
    random: dice.of('jitter').next,
    http,
  })
  const app = {
    ledger: process.door(around.ledger),
    issuer,
    gates,
    queues: { ...backlog.for(process), working: () => [], depths: async () => ({}) },
    courses: openCourseDesk(issuer, clock),
    pipelines: openPipelines(file.pipelines),
    archives: openArchives(file.pipelines, [], clock),
    learning: openLearning(file, nobodyThere(clock)),
    outbox: around.outbox,
    log: silentLog,
    clock,
    tuning,
    instance: instanceOf(process.name),
    configuration: 'simulation',
    // Whoever watches over loops finds none that stands still: virtual time waits for nobody.
    progress: openProgress(clock),
    canConnect: async () => true,
    exclusive,
    storage: 'simulation',
  }
  return startWorker(app as unknown as App)
}

/** No learning system takes part. */
function nobodyThere(clock: Process['clock']) {
  return {
    send: async () => ({ kind: 'failed' as const, code: 'ECONNREFUSED', sent: false }),
    clock,
    random: () => 0,
    gateFor:
      () =>
      <Answer>(work: () => Promise<Answer>) =>
        work(),
  }
}

/** A uuid that follows from the name, so that a run can be repeated. */
function instanceOf(name: string): string {
  const digits = Buffer.from(name.padEnd(16, '.')).subarray(0, 16).toString('hex')
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
