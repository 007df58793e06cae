// Removes what nobody needs any more: lists that nobody issued within a day, parts of lists that never arrived whole,
// and lists that their run has read. Done by the console and by the worker's sweep, so that it does not matter which of
// them still runs on this machine.

import type { App } from '#src/app/app.ts'
import type { WholeLedger } from '#src/app/whole-ledger.ts'
import { lockOfUpload, type Upload, type Uploads } from './open-uploads.ts'

/** How long a list waits for somebody to issue it. */
export const uploadMs = 24 * 3_600_000
/** No browser pauses longer than this in the middle of a list. */
const unfinishedMs = 3_600_000

export async function removeOldUploads({ ledger }: App, uploads: Uploads, now: Date): Promise<void> {
  for (const { id, writtenAt } of await uploads.unfinished())
    if (now.getTime() - writtenAt.getTime() > unfinishedMs) await uploads.remove(id)
  for (const upload of await uploads.list()) {
    const remove = () => removeIfOver(ledger, uploads, upload, now)
    await ledger.locks.withLock(lockOfUpload(upload.id), remove, false)
  }
}

async function removeIfOver(ledger: WholeLedger, uploads: Uploads, upload: Upload, now: Date) {
  const isOld = now.getTime() - Date.parse(upload.at) > uploadMs
  const issued = await ledger.issuedLists.runOf(upload.id)
  const run = issued === null ? null : await ledger.runs.find(issued)
  // A braked run is read again when somebody approves it.
  const isNeeded =
    run !== null && ['received', 'braked'].includes(run.state) && run.sourcePath === uploads.pathOf(upload)
  if (isOld && !isNeeded) return uploads.remove(upload.id)
  if (issued === null) return
  await uploads.removeRehearsal(upload.id)
  if (!isNeeded) await uploads.removeList(upload.id)
}
