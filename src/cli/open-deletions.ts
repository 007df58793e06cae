// Reads for `status` what of people's data is still to be deleted.

import { configuredRetentions } from '#src/issuing/erasures/configured-retentions.ts'
import type { Ledger } from '#src/ledger/ledger.ts'
import { type Cli, settingsFor } from './cli-context.ts'
import { deletionLines } from './text/deletion-lines.ts'

/** Without a readable configuration only erasures are shown: `status` works without one. */
export async function openDeletions(cli: Cli, options: { config?: string }, ledger: Ledger): Promise<string[]> {
  const settings = await settingsFor(cli, options).catch(() => null)
  const retentions = configuredRetentions(settings?.file.pipelines ?? {}, cli.clock.now())
  const left = settings ? await ledger.retention.left(retentions, settings.file.service.environment) : []
  return deletionLines(await ledger.erasures.open(), left)
}
