// Issues a list exactly as it was rehearsed, or says what has changed since. Two clicks, in one browser or in two, hand it
// over once. Reads and writes the ledger, and calls the service.

import { olderSettingsSentence, runningWorker } from '#src/app/running-workers.ts'
import { handOverFile } from '#src/issuing/intake/hand-over-file.ts'
import { safeMessage } from '#src/platform/safe-message.ts'
import { lockOfUpload, type Upload, type Uploads } from './open-uploads.ts'
import { changesSince, type RehearsalParts } from './rehearse-list.ts'

/** What the person saw and decided about. */
export interface SeenRehearsal {
  at: string
  sha256: string
}

export type Issued =
  | { kind: 'handed over'; run: string; isNew: boolean }
  /** Not true any more. The list is to be rehearsed again. */
  | { kind: 'changed'; changes: string[] }
  /** Nothing was done, and the same may work later. */
  | { kind: 'not now'; sentence: string }

export async function issueUpload(
  parts: RehearsalParts,
  uploads: Uploads,
  decision: { upload: Upload; seen: SeenRehearsal; by: string },
): Promise<Issued> {
  const issued = await parts.ledger.locks.withLock(
    lockOfUpload(decision.upload.id),
    () => issueOnce(parts, uploads, decision),
    false,
  )
  return issued ?? { kind: 'not now', sentence: 'The list is being rehearsed or issued just now.' }
}

async function issueOnce(
  parts: RehearsalParts,
  uploads: Uploads,
  { upload, seen, by }: { upload: Upload; seen: SeenRehearsal; by: string },
): Promise<Issued> {
  const { id, pipeline, name } = upload
  const before = await uploads.issuedAs(id)
  if (before) return { kind: 'handed over', run: before.run, isNew: false }
  const rehearsal = await uploads.rehearsalOf(id)
  if (rehearsal?.kind !== 'finished' || rehearsal.at !== seen.at || rehearsal.basis.sha256 !== seen.sha256)
    return { kind: 'not now', sentence: 'This list has been rehearsed again since you opened the page.' }
  const path = uploads.pathOf(upload)
  try {
    const changes = await changesSince(parts, rehearsal, upload, path)
    if (changes.length > 0) return { kind: 'changed', changes }
  } catch (error) {
    return { kind: 'not now', sentence: `It cannot be told whether the rehearsal is still true. ${safeMessage(error)}` }
  }
  const worker = await runningWorker(parts)
  const older = worker && olderSettingsSentence(worker, parts.settings)
  if (older) return { kind: 'not now', sentence: `${older}.` }
  const source = { pipeline, sourceName: name, sourcePath: path, sourceSha256: seen.sha256 }
  const { run } = await handOverFile(parts, source)
  const now = parts.clock.now()
  await uploads.keepIssued(id, { run: run.id, by, at: now.toISOString() })
  // It has the data of people, and the page of the run takes its place.
  await uploads.removeRehearsal(id)
  await parts.ledger.consoleActs.note({ by, act: 'issued a list', run: run.id }, now)
  return { kind: 'handed over', run: run.id, isNew: true }
}
