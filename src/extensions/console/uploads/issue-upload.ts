// Issues a list exactly as it was rehearsed, or says what has changed since. Two clicks, in one browser or in two, hand
// it over once. Reads and writes the ledger, and calls the service.

import type { App } from '#src/app/app.ts'
import { otherSettingsSentence, workersOfLists } from '#src/app/running-workers.ts'
import { handOverFile } from '#src/issuing/intake/hand-over-file.ts'
import type { NewRun, Run } from '#src/ledger/runs/runs.ts'
import { faultName } from '#src/platform/log/fault-name.ts'
import { safeMessage } from '#src/platform/safe-message.ts'
import { lockOfUpload, type Upload, type Uploads } from './open-uploads.ts'
import { changesSince } from './rehearse-list.ts'

/** What the person saw and decided about. */
export interface SeenRehearsal {
  at: string
  sha256: string
}

export type Issued =
  | { kind: 'handed over'; run: string }
  /** No longer true: the list has to be rehearsed again. */
  | { kind: 'changed'; changes: string[] }
  /** Nothing was done, and the same may work later. */
  | { kind: 'not now'; sentence: string }

export async function issueUpload(
  parts: App,
  uploads: Uploads,
  decision: { upload: Upload; seen: SeenRehearsal; by: string },
): Promise<Issued> {
  const issued = await parts.ledger.locks.withLock(
    lockOfUpload(decision.upload.id),
    () => issueOnce(parts, uploads, decision),
    false,
  )
  return issued ?? { kind: 'not now', sentence: 'The list is being rehearsed or issued right now.' }
}

async function issueOnce(
  parts: App,
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
    return {
      kind: 'not now',
      sentence: `It could not be checked whether the rehearsal is still true. ${safeMessage(error)}`,
    }
  }
  const other = otherSettingsSentence(await workersOfLists(parts), parts.settings)
  if (other !== null) return { kind: 'not now', sentence: `${other}.` }
  const source = { pipeline, sourceName: name, sourcePath: path, sourceSha256: seen.sha256 }
  const { run, resumed } = await handOver(parts, source, { upload: id, by })
  if (resumed) return { kind: 'not now', sentence: sameFileSentence(run) }
  // It has the data of people, and the page of the run takes its place. If it cannot be removed now, it is removed
  // later.
  await uploads.removeRehearsal(id).catch(logFault(parts))
  return { kind: 'handed over', run: run.id }
}

type Received = Awaited<ReturnType<typeof handOverFile>>

/** Why a list is not issued while another run of the same file is not finished, and what to do. Pure. */
export function sameFileSentence({ id, sourceName, state }: Pick<Run, 'id' | 'sourceName' | 'state'>): string {
  const same = `This file has already been submitted (${sourceName}, run ${id.slice(0, 8)}), and that run is not finished`
  if (state === 'braked') return `${same}: decide about it on its page. Submitting it again would issue nothing.`
  if (state === 'received') return `${same}: a worker has yet to read it. Submitting it again would issue nothing.`
  return `${same}. Submitting it again would issue nothing, and nobody else would get a credential. For those whose rows were invalid, download the invalid rows on the page of that run, and hand in that file.`
}

/**
 * @returns the run; `resumed` if it is that of another list with the same content, and nothing was done
 * @throws if the list was not handed over, or nobody can tell right now
 */
async function handOver(parts: App, source: NewRun, who: { upload: string; by: string }): Promise<Received> {
  const { clock, queues } = parts
  const { issuedLists } = parts.ledger
  const receive = (source: NewRun) => issuedLists.receive(source, who, clock.now())
  try {
    const received = await handOverFile({ ledger: { runs: { receive } }, queues }, source)
    const isOwn = received.resumed && (await issuedLists.runOf(who.upload)) === received.run.id
    return isOwn ? { ...received, resumed: false } : received
  } catch (error) {
    // If the database did its work and only the answer was lost, the list was handed over.
    const id = await issuedLists.runOf(who.upload)
    const run = id === null ? null : await parts.ledger.runs.find(id)
    if (run === null) throw error
    logFault(parts)(error)
    return { run, resumed: false }
  }
}

const logFault =
  ({ log }: App) =>
  (error: unknown): void =>
    log.event('fault', { where: 'uploads', error: faultName(error) })
