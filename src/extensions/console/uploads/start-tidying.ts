// The console's own timer: removes old lists and downloads, and goes on with what a process before this one left
// behind.

import type { App } from '#src/app/app.ts'
import { faultName } from '#src/platform/log/fault-name.ts'
import { removeAbandonedDownloads } from '../make-download.ts'
import type { Rehearsals } from './open-rehearsals.ts'
import type { Uploads } from './open-uploads.ts'
import { removeOldUploads } from './remove-old-uploads.ts'

const everyMs = 60_000

export function startTidying(
  parts: App,
  { uploads, rehearsals }: { uploads: Uploads; rehearsals: Rehearsals },
): { stop(): Promise<void> } {
  const { clock, log, settings } = parts
  const controller = new AbortController()
  async function loop(): Promise<void> {
    while (!controller.signal.aborted) {
      await removeAbandonedDownloads(settings.dataDir, clock.now())
        .then(() => removeOldUploads(parts, uploads, clock.now()))
        .then(() => rehearsals.resume())
        .catch((error: Error) => log.event('fault', { where: 'uploads', error: faultName(error) }))
      await clock.sleep(everyMs, controller.signal).catch(() => {})
    }
  }
  const looping = loop()
  return {
    async stop() {
      controller.abort()
      await looping
    },
  }
}
