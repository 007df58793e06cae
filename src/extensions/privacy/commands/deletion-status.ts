import type { StatusPart } from '#src/cli/status-part.ts'
import { openDeletions } from './open-deletions.ts'

/** What `status` says of deletions that are open. */
export async function deletionStatus(...of: Parameters<typeof openDeletions>): Promise<StatusPart> {
  const deletions = await openDeletions(...of)
  return { lines: deletions, document: { deletions } }
}
