// The composition root: opens the core and what the extensions need, and joins them.

import type { Settings } from '#config/settings.ts'
import { certificateHosts } from '#src/extensions/certificates/certificate-download.ts'
import { openArchives } from '#src/extensions/certificates/open-archives.ts'
import { learningParts } from '#src/extensions/lms/sync/learning-parts.ts'
import { openLearningSystems } from '#src/extensions/lms/sync/open-learning.ts'
import { openNotices } from '#src/extensions/notices/open-notices.ts'
import { openErasuresFile } from '#src/extensions/privacy/erasures-file.ts'
import { openLmsHttp } from '#src/platform/http/http-client.ts'
import { openBottleneckGate } from '#src/platform/limits/bottleneck-gate.ts'
import { openLocalSlots } from '#src/platform/limits/local-slots.ts'
import type { Clock } from '#src/platform/time/clock.ts'
import { type AppOptions, openCore } from './open-core.ts'
import { makeDataDir } from './storage.ts'
import { openWholeLedger } from './whole-ledger.ts'

export type App = Awaited<ReturnType<typeof openApp>>

/**
 * Opens all parts. Disposing of the app (`await using`) releases every connection, and stops the embedded database if
 * no other process uses it.
 */
export async function openApp(settings: Settings, appOptions: AppOptions) {
  await using stack = new AsyncDisposableStack()
  const core = stack.use(await openCore(settings, appOptions, openWholeLedger))
  const { clock } = core
  const wire = openLmsHttp(clock)
  stack.defer(() => wire.close())
  const learning = openLearningSystems(settings.file, {
    send: wire.send,
    clock,
    random: appOptions.random,
    gateFor: (name, limits) => openSystemLimiter(name, limits, clock),
  })
  const closing = stack.move()
  return {
    ...core,
    wire,
    ...learningParts(core, learning),
    notices: openNotices(settings.file, { send: wire.send, clock }, learning.targets),
    archives: openArchives(settings.file.pipelines, certificateHosts(settings)),
    erasuresFile: openErasuresFile(settings.dataDir, () => makeDataDir(settings.dataDir)),
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  }
}

/**
 * Opens the limiter of this process for one learning system, so that our requests do not slow it down for its learners.
 */
function openSystemLimiter(name: string, { perSecond, atOnce }: { perSecond: number; atOnce: number }, clock: Clock) {
  const slots = openLocalSlots({ limit: perSecond, marginMs: 0 }, clock)
  const gate = openBottleneckGate({ name, limit: perSecond, maxConcurrent: atOnce, slots, clock })
  return <Answer>(work: () => Promise<Answer>) => gate.pass(work)
}
