// The last step of a file's way through an inbox: when its run has come to rest, it goes where its owner looks for it.

import { basename, dirname, join } from 'node:path'
import { unlessGone } from '#src/inbox/open-inbox.ts'
import type { WatchedInbox } from '#src/inbox/open-inboxes.ts'
import { putAway } from '#src/inbox/put-away.ts'
import type { UnfiledRun } from '#src/ledger/inboxes.ts'
import { hashFile } from '#src/sources/hash-file.ts'
import { reasonText } from '#src/write-back/reason-text.ts'
import type { Tools } from './tools.ts'
import { writeSummary } from './write-back.ts'

type AwayTools = Pick<Tools, 'ledger' | 'log' | 'clock' | 'outbox'>

/** The file of a run that has come to rest goes to done or refused; that of a braked one stays. */
export async function putSettledAway(tools: AwayTools, { pipeline, marker }: WatchedInbox): Promise<void> {
  const { ledger, log } = tools
  for (const run of await ledger.inboxes.unfiled(pipeline)) {
    const changed = run.state !== 'refused' && (await changedSince(run))
    const where = run.state === 'refused' || changed ? 'refused' : 'done'
    const sentence = changed ? grownLater(run.id) : run.refusal && reasonText(run.refusal)
    const { path } = await putAway(run.sourcePath, where, { sentence, marker })
    // A page about it says that it waits for a decision; that has come.
    if (run.state === 'refused' && run.braked) await writeSummary(tools, run.id)
    await ledger.inboxes.noteFiled(run.id, path)
    log.event('inbox.filed', { run: run.id, pipeline, outcome: path ? where : 'not found' })
  }
}

/** A writer that paused for longer than a file needs to settle has people in it whom nobody read. */
async function changedSince({ sourcePath, sourceSha256 }: UnfiledRun): Promise<boolean> {
  const moved = join(dirname(dirname(sourcePath)), 'refused', basename(sourcePath))
  // In refused already: a kill came between moving it and noting that.
  for (const path of [sourcePath, moved]) {
    const now = await unlessGone(hashFile(path))
    if (now !== null) return now !== sourceSha256
  }
  return false
}

function grownLater(runId: string): string {
  return `This file changed after it was taken. What was in it by then was issued (run ${runId}); what came later was not read. Drop it into the inbox again: whoever was issued is known, and the others are taken. Writers that pause need a temporary name or a marker.`
}
