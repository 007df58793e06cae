import type { StatusPart } from '#src/cli/status-part.ts'
import { archiveDocument, archiveLines } from '#src/extensions/certificates/archive-lines.ts'
import type { ArchiveStore } from '#src/extensions/certificates/ledger/archives.ts'

/** What `status` says of archives. */
export async function archiveStatus({ archives }: { archives: Pick<ArchiveStore, 'statuses'> }): Promise<StatusPart> {
  const found = await archives.statuses()
  return { lines: archiveLines(found), document: { archives: found.map(archiveDocument) } }
}
