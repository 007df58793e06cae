// What a person can do with a list that was rehearsed: issue it, rehearse it again, or discard it.

import { issueUpload } from '../../uploads/issue-upload.ts'
import { lockOfUpload, type Upload } from '../../uploads/open-uploads.ts'
import { type Answer, type Console, note, type Visit } from '../../visit.ts'
import { shownUpload } from './rehearsal.ts'

/** Issues exactly the list and the rehearsal that the person saw. */
export async function issueList(console: Console, { form, visitor }: Visit, upload: Upload): Promise<Answer> {
  const seen = { at: form.get('rehearsed') ?? '', sha256: form.get('sha256') ?? '' }
  const issued = await issueUpload(console.parts, console.uploads, { upload, seen, by: visitor.name })
  if (issued.kind === 'handed over') return { kind: 'redirect', to: `/runs/${issued.run}` }
  if (issued.kind === 'not now') return shownUpload(console, upload, { fault: issued.sentence, status: 409 })
  await beginAgain(console, upload, issued.changes)
  return { kind: 'redirect', to: `/upload/${upload.id}` }
}

export async function rehearseAgain(console: Console, _visit: Visit, upload: Upload): Promise<Answer> {
  await beginAgain(console, upload, [])
  return { kind: 'redirect', to: `/upload/${upload.id}` }
}

/** Does nothing if the list is being rehearsed or issued just now. */
async function beginAgain({ parts, uploads, rehearsals }: Console, upload: Upload, because: string[]): Promise<void> {
  const clear = async () => {
    if ((await parts.ledger.issuedLists.runOf(upload.id)) !== null) return
    await uploads.keepRehearsal(upload.id, { kind: 'under way', tries: 0, because })
    return true
  }
  if (await parts.ledger.locks.withLock(lockOfUpload(upload.id), clear, false)) rehearsals.start(upload)
}

export async function discardUpload(console: Console, visit: Visit, upload: Upload): Promise<Answer> {
  const { parts, uploads, rehearsals } = console
  const { id, pipeline } = upload
  await rehearsals.stop(id)
  const discard = async () => {
    // Its run may still have to read it.
    if ((await parts.ledger.issuedLists.runOf(id)) !== null) return false
    await uploads.remove(id)
    return true
  }
  const isGone = await parts.ledger.locks.withLock(lockOfUpload(id), discard, false)
  if (!isGone)
    return shownUpload(console, upload, { fault: 'The list is being rehearsed or issued right now.', status: 409 })
  await note(console, visit, 'discarded a list', { detail: `for ${pipeline}` })
  return { kind: 'redirect', to: '/upload' }
}
