// The console's own timer: removes old lists, and goes on with what a process before this one left behind.

import { faultName } from '#src/platform/log/fault-name.ts'
import type { Rehearsals } from './open-rehearsals.ts'
import type { Uploads } from './open-uploads.ts'
import type { RehearsalParts } from './rehearse-list.ts'
import { removeOldUploads } from './remove-old-uploads.ts'

const everyMs = 60_000

export function startTidying(
  parts: Pick<RehearsalParts, 'ledger' | 'clock' | 'log'>,
  { uploads, rehearsals }: { uploads: Uploads; rehearsals: Rehearsals },
): { stop(): Promise<void> } {
  const { clock, log } = parts
  const controller = new AbortController()
  async function loop(): Promise<void> {
    while (!controller.signal.aborted) {
      await removeOldUploads(parts, uploads, clock.now())
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
