// Where a taken file ends: done or refused, beside processing. May be called again after a kill at any moment.

import { mkdir, rename, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { asInboxError } from './inbox-error.ts'
import { unlessGone } from './open-inbox.ts'

export interface PutAway {
  /** Where it is now; null when it is in neither place, so somebody moved it. */
  path: string | null
}

/**
 * Moves a file from its inbox's processing to `done` or `refused`, with its marker, and a sentence beside it in FILE.reason.txt.
 * @param taken the path in processing, whether the file is still there or was moved already
 * @param marker the ending of its marker file, if it has one
 * @throws InboxError
 */
export async function putAway(
  taken: string,
  where: 'done' | 'refused',
  { sentence, marker }: { sentence: string | null; marker: string | null },
): Promise<PutAway> {
  const inbox = dirname(dirname(taken))
  return asInboxError(inbox, async () => {
    // A path that is not in a processing folder is somebody else's file.
    if (basename(dirname(taken)) !== 'processing') return { path: null }
    const folder = join(inbox, where)
    const path = join(folder, basename(taken))
    await makeFolder(folder, inbox)
    const there = (await unlessGone(stat(taken))) !== null || (await unlessGone(stat(path))) !== null
    if (!there) return { path: null }
    // Whoever sees the file must find the reason, so that comes first.
    if (sentence !== null) await writeFile(`${path}.reason.txt`, `${sentence}\n`)
    if (marker !== null) await unlessGone(rename(taken + marker, path + marker))
    await unlessGone(rename(taken, path))
    return { path }
  })
}

async function makeFolder(folder: string, inbox: string): Promise<void> {
  const { mode } = await stat(inbox)
  await mkdir(folder, { mode: mode & 0o777 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
}
