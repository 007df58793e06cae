// Issues a list exactly as it was rehearsed, or says what has changed since. Two clicks, in one browser or in two, hand it
// over once. Reads and writes the ledger, and calls the service.

import { olderSettingsSentence, runningWorker } from '#src/app/running-workers.ts'
import { handOverFile } from '#src/issuing/intake/hand-over-file.ts'
import type { NewRun } from '#src/ledger/runs/runs.ts'
import { faultName } from '#src/platform/log/fault-name.ts'
import { safeMessage } from '#src/platform/safe-message.ts'
import { lockOfUpload, type Upload, type Uploads } from './open-uploads.ts'
import { changesSince, type RehearsalParts } from './rehearse-list.ts'

/** What the person saw and decided about. */
export interface SeenRehearsal {
  at: string
  sha256: string
}

export type Issued =
  | { kind: 'handed over'; run: string }
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
  const before = await parts.ledger.issuedLists.runOf(id)
  if (before !== null) return { kind: 'handed over', run: before }
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
  const run = await handOver(parts, source, { upload: id, by })
  // It has the data of people, and the page of the run takes its place. If it cannot be removed now, it is removed later.
  await uploads.removeRehearsal(id).catch(logFault(parts))
  return { kind: 'handed over', run }
}

/**
 * @returns the id of the run
 * @throws if the list was not handed over, or nobody can tell just now
 */
async function handOver(parts: RehearsalParts, source: NewRun, who: { upload: string; by: string }): Promise<string> {
  const { clock, queues } = parts
  const { issuedLists } = parts.ledger
  const receive = (source: NewRun) => issuedLists.receive(source, who, clock.now())
  try {
    const { run } = await handOverFile({ ledger: { runs: { receive } }, queues }, source)
    return run.id
  } catch (error) {
    // It is handed over all the same if the database did its work and only the answer was lost.
    const run = await issuedLists.runOf(who.upload)
    if (run === null) throw error
    logFault(parts)(error)
    return run
  }
}

const logFault =
  ({ log }: Pick<RehearsalParts, 'log'>) =>
  (error: unknown): void =>
    log.event('fault', { where: 'uploads', error: faultName(error) })
