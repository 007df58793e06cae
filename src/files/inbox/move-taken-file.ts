// Moves a taken file from `processing` to its final folder, `done` or `refused`. Can be repeated after a kill at any
// point.

import { lstat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { renameOver } from '#src/platform/rename-over.ts'
import { asInboxError, nullIfMissing } from './inbox-error.ts'
import { openWorkerFolder } from './worker-folder.ts'
import { writeTextSafely } from './write-text-safely.ts'

export interface MovedFile {
  /** The current path; null if the file is in neither folder, because somebody moved it. */
  path: string | null
}

/**
 * Moves a file from its inbox's `processing` to `done` or `refused`, with its marker. If a sentence is given, writes it
 * to FILE.reason.txt in the destination folder.
 * @param taken the path in `processing`, even if the file was already moved
 * @param marker the extension of the file's marker, if it has one
 * @throws InboxError
 */
export async function moveTakenFile(
  taken: string,
  destination: 'done' | 'refused',
  { sentence, marker }: { sentence: string | null; marker: string | null },
): Promise<MovedFile> {
  const inbox = dirname(dirname(taken))
  return asInboxError(inbox, async () => {
    // A file outside `processing` was not taken, so it is not moved.
    if (basename(dirname(taken)) !== 'processing') return { path: null }
    const name = basename(taken)
    await using processing = await openWorkerFolder(inbox, 'processing')
    await using folder = await openWorkerFolder(inbox, destination)
    const [from, to] = [processing.pathOf(name), folder.pathOf(name)]
    const exists = (await nullIfMissing(lstat(from))) !== null || (await nullIfMissing(lstat(to))) !== null
    if (!exists) return { path: null }
    // The reason is written first, so that anyone who sees the file also finds the reason.
    if (sentence !== null)
      await writeTextSafely(folder, `${name}.reason.txt`, { text: `${sentence}\n`, mode: folder.fileMode })
    if (marker !== null) await nullIfMissing(renameOver(from + marker, to + marker))
    await nullIfMissing(renameOver(from, to))
    return { path: join(folder.path, name) }
  })
}
