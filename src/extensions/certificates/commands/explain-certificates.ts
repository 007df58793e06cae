// What `explain` shows of certificates: where the certificate of an issuance is kept.

import { join } from 'node:path'
import type { ExplainedBeside } from '#src/cli/extension-parts.ts'
import type { ArchiveStore, ShownCertificate } from '#src/extensions/certificates/ledger/archives.ts'

export async function explainCertificates(
  { archives }: { archives: Pick<ArchiveStore, 'ofIssuances'> },
  issuances: readonly { id: number }[],
): Promise<ExplainedBeside> {
  const archived = await archives.ofIssuances(issuances.map(({ id }) => id))
  return {
    documentOf: (id) => ({ archived: archived.get(id) ?? null }),
    factsOf: (id) => [['certificate', whereKept(archived.get(id))]],
  }
}

function whereKept(archived: ShownCertificate | undefined): string | null {
  if (!archived) return null
  if (archived.folder && archived.file) return join(archived.folder, archived.file)
  return `not archived, tried ${archived.tries === 1 ? 'once' : `${archived.tries} times`}: ${archived.problem}`
}
