// The composition root: opens the core and what the extensions need, and joins them.

import type { Settings } from '#config/settings.ts'
import { openArchives } from '#src/extensions/certificates/open-archives.ts'
import { learningParts, openLearning } from '#src/extensions/lms/sync/learning-parts.ts'
import { openNotices } from '#src/extensions/notices/open-notices.ts'
import { openErasuresFile } from '#src/extensions/privacy/erasures-file.ts'
import { openLmsHttp } from '#src/platform/http/http-client.ts'
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
  const learning = openLearning(core, { send: wire.send })
  const closing = stack.move()
  return {
    ...core,
    wire,
    ...learningParts(core, learning),
    notices: openNotices(settings.file, { send: wire.send, clock }, learning.targets),
    archives: openArchives(settings.file.pipelines),
    erasuresFile: openErasuresFile(settings.dataDir, () => makeDataDir(settings.dataDir)),
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  }
}
