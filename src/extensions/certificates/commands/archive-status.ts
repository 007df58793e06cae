// Describes the archives for `status`: how many certificates are archived, how many are waiting, and any problem.

import type { StatusPart } from '#src/cli/extension-parts.ts'
import type { ArchiveStatus, ArchiveStore } from '#src/extensions/certificates/ledger/archives.ts'

/** The lines and the JSON of `status` about the archives. */
export async function archiveStatus({ archives }: { archives: Pick<ArchiveStore, 'statuses'> }): Promise<StatusPart> {
  const found = await archives.statuses()
  return { lines: archiveLines(found), document: { archives: found.map(archiveDocument) } }
}

/** One line for each archive. Pure. */
export function archiveLines(archives: readonly ArchiveStatus[]): string[] {
  return archives.map((archive) => {
    const { pipeline, folder, watched, archived, waiting, troubled } = archive
    const parts = [`${archived} archived`]
    if (watched || troubled > 0) parts.push(`${waiting} waiting`)
    if (troubled > 0) parts.push(`${troubled} of them failing`)
    if (!watched) parts.push('no longer archived by the current configuration')
    const reason = problemOf(archive)
    return `archive ${pipeline} (${folder}): ${parts.join(', ')}${reason ? `. ${reason}` : ''}`
  })
}

function problemOf({ problem, example, watched }: ArchiveStatus): string | null {
  if (!watched) return null
  return problem ?? (example && `i${example.issuance}: ${example.problem}`)
}

/** The archive's entry in `status --json`. */
function archiveDocument({ example, ...archive }: ArchiveStatus) {
  return { ...archive, example: example && { ...example, issuance: `i${example.issuance}` } }
}
