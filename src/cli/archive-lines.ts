// The archives as `status` tells of them: what is there, what waits, and what stands in its way. Pure.

import type { ArchiveStanding } from '#src/ledger/archives.ts'

export function archiveLines(archives: readonly ArchiveStanding[]): string[] {
  return archives.map((archive) => {
    const { pipeline, folder, watched, archived, waiting, troubled } = archive
    const parts = [`${archived} archived`]
    if (watched || troubled > 0) parts.push(`${waiting} waiting`)
    if (troubled > 0) parts.push(`${troubled} of them in trouble`)
    if (!watched) parts.push('not archived any more by the present configuration')
    const reason = troubleOf(archive)
    return `archive ${pipeline} (${folder}): ${parts.join(', ')}${reason ? `. ${reason}` : ''}`
  })
}

function troubleOf({ problem, example, watched }: ArchiveStanding): string | null {
  if (!watched) return null
  return problem ?? (example && `i${example.issuance}: ${example.problem}`)
}

/** What `status --json` tells of an archive. */
export function archiveDocument({
  environment,
  pipeline,
  folder,
  watched,
  archived,
  waiting,
  troubled,
  ...of
}: ArchiveStanding) {
  const example = of.example && { ...of.example, issuance: `i${of.example.issuance}` }
  return { environment, pipeline, folder, watched, archived, waiting, troubled, problem: of.problem, example }
}
