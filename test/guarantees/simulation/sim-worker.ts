// The whole worker, as jobs/main.ts runs it, in one simulated process: the real jobs, decisions, client and sweep.

import type { FileSettings } from '#config/schema.ts'
import { startWorker } from '#jobs/worker.ts'
import type { SandboxCore } from '#sandboxes/service/open-sandbox-core.ts'
import type { App } from '#src/app/app.ts'
import { openSenders } from '#src/app/open-core.ts'
import type { Tuning } from '#src/app/tuning.ts'
import type { WholeLedger } from '#src/app/whole-ledger.ts'
import { openArchives } from '#src/extensions/certificates/open-archives.ts'
import { openLearningSystems } from '#src/extensions/lms/sync/open-learning-systems.ts'
import { openNotices } from '#src/extensions/notices/open-notices.ts'
import { openIssuer } from '#src/issuer/issuer.ts'
import { openCourseCache } from '#src/issuing/pipelines/course-cache.ts'
import { openPipelines } from '#src/issuing/pipelines/pipelines.ts'
import type { Outbox } from '#src/issuing/results/outbox.ts'
import type { MarkKeeper } from '#src/ledger/mark/keeper.ts'
import { openMark } from '#src/ledger/mark/open-mark.ts'
import { silentLog } from '#src/platform/log/log.ts'
import { Secret } from '#src/platform/secret.ts'
import { openLoopProgress } from '#src/platform/time/loop-progress.ts'
import type { Dice } from '#test/support/seeded-random.ts'
import { openSimGates } from './sim-gates.ts'
import { openWire } from './simulated-network.ts'
import type { Process } from './simulated-process.ts'
import type { Backlog } from './simulated-queue.ts'
import type { VirtualClock } from './virtual-clock.ts'
import type { Weather } from './weather.ts'

export interface SimulationContext {
  core: SandboxCore
  time: VirtualClock
  weather: Weather
  backlog: Backlog
  ledger: WholeLedger
  /** Keeps the high-water mark, which outlives the processes. */
  keeper: MarkKeeper
  outbox: Outbox
  file: FileSettings
  tuning: Tuning
  /** Whether only one worker may run at a time, as without Redis. */
  exclusive: boolean
}

/** Starts a worker in `process`. Returns null if another one has the ledger's lock. */
export function startSimWorker(process: Process, dice: Dice, context: SimulationContext) {
  const { core, time, weather, backlog, file, tuning, exclusive } = context
  const { clock } = process
  const gates = openSimGates(clock)
  const http = openWire(process, core, time, dice.split('wire'), weather)
  const { key, secret } = core
  const issuer = openIssuer({
    baseUrl: 'http://127.0.0.1',
    key: new Secret(key),
    secret: new Secret(secret),
    gates,
    clock,
    random: dice.split('jitter').next,
    http,
  })
  const app = {
    ledger: withPausableVerbs(process, context.ledger),
    mark: openMark([process.withPauses(context.keeper)], {
      ...{ ledger: context.ledger.id, environment: context.ledger.environment, service: 'http://127.0.0.1' },
      onFault: () => {},
    }),
    issuer,
    gates,
    queues: { ...backlog.for(process), working: () => [], depths: async () => ({}) },
    senders: openSenders(tuning, clock),
    courses: openCourseCache(issuer, clock),
    pipelines: openPipelines(file.pipelines),
    archives: openArchives(file.pipelines),
    learning: openLearningSystems(file, noLearningSystem(clock)),
    rowsOf: () => null,
    outcomeTargets: { request: async () => {} },
    notices: openNotices(file, noLearningSystem(clock), []),
    outbox: context.outbox,
    // Nobody is forgotten, so no erasure is listed.
    erasuresFile: {
      path: '/erasures.jsonl',
      read: async () => ({ erasures: [], damaged: [], isCutShort: false }),
      append: async () => {},
    },
    log: silentLog,
    clock,
    tuning,
    instance: instanceOf(process.name),
    configuration: 'simulation',
    // The loop watchdog never fires, because virtual time does not pass during blocking work.
    progress: openLoopProgress(clock),
    canConnect: async () => true,
    exclusive,
    storage: 'simulation',
  }
  return startWorker(app as unknown as App)
}

/**
 * Groups of verbs before and after which a simulated process may stop. The twin answers all other verbs immediately.
 */
const acting = [
  ...(['runs', 'intake', 'knownRows', 'brake', 'writeBacks', 'attempts', 'courses', 'work'] as const),
  ...(['scans', 'poller', 'report', 'absence', 'probes', 'decisions', 'locks'] as const),
]

function withPausableVerbs(process: Process, ledger: WholeLedger): WholeLedger {
  const groups = acting.map((name) => [name, process.withPauses(ledger[name], name)])
  const { join, record, ...heartbeat } = ledger.workers
  return {
    ...ledger,
    ...Object.fromEntries(groups),
    workers: { ...heartbeat, ...process.withPauses({ join, record }) },
  }
}

/** No learning system takes part. */
function noLearningSystem(clock: Process['clock']) {
  return {
    send: async () => ({ kind: 'failed' as const, code: 'ECONNREFUSED', sent: false }),
    clock,
    gateFor:
      () =>
      <Answer>(work: () => Promise<Answer>) =>
        work(),
  }
}

/** A uuid derived from the name, so that a run can be repeated. */
function instanceOf(name: string): string {
  const digits = Buffer.from(name.padEnd(16, '.')).subarray(0, 16).toString('hex')
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
