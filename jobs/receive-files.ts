// A file that was taken from an inbox becomes a run, once. Done again after a kill, it finds the run that there is.

import { basename } from 'node:path'
import type { TakenFile } from '#src/inbox/open-inbox.ts'
import type { WatchedInbox } from '#src/inbox/open-inboxes.ts'
import { putAway } from '#src/inbox/put-away.ts'
import { lettersOf } from '#src/inbox/taken-name.ts'
import { faultName } from '#src/log/fault-name.ts'
import { hashFile } from '#src/sources/hash-file.ts'
import type { Tools } from './tools.ts'

type ReceiveTools = Pick<Tools, 'ledger' | 'queues' | 'log'>

/** What was taken and is no run's file: a kill came between, or it is a copy that waits. Gives how many go on waiting. */
export async function receiveLeftBehind(tools: ReceiveTools, inbox: WatchedInbox): Promise<number> {
  const files = await inbox.taken()
  const named = await tools.ledger.inboxes.namedFiles(files.map(({ path }) => path))
  let waiting = 0
  for (const file of files.filter(({ path }) => !named.has(path))) waiting += await receive(tools, inbox, file)
  return waiting
}

/** Gives 1 for a file that has to wait: the copy of one that is just being read, or one that cannot be read now. Else 0. */
export async function receive(
  { ledger, queues, log }: ReceiveTools,
  inbox: WatchedInbox,
  file: TakenFile,
): Promise<number> {
  const { pipeline, marker } = inbox
  const sourceSha256 = await hashFile(file.path).catch((error: Error) => {
    log.event('fault', { where: 'inbox file', pipeline, error: faultName(error) })
    return null
  })
  if (sourceSha256 === null) return 1
  const letters = lettersOf(basename(file.path))
  const source = { pipeline, sourceName: file.name, sourcePath: file.path, sourceSha256, letters }
  const { runId, as, sentence } = await ledger.inboxes.receive(source)
  if (as === 'new') await queues.ask('intake', { runId })
  if (as === 'copy') {
    await putAway(file.path, 'done', { sentence, marker })
    log.event('inbox.copy', { pipeline, run: runId })
  }
  return as === 'waits' ? 1 : 0
}
