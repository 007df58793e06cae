// Reads for `status` what of people's data is still to be deleted.

import type { WholeLedger } from '#src/app/whole-ledger.ts'
import { type Cli, settingsFor } from '#src/cli/cli-context.ts'
import { configuredRetentions } from '#src/extensions/privacy/configured-retentions.ts'
import { deletionLines } from './deletion-lines.ts'

/** Without a readable configuration only erasures are shown: `status` works without one. */
export async function openDeletions(cli: Cli, options: { config?: string }, ledger: WholeLedger): Promise<string[]> {
  const settings = await settingsFor(cli, options).catch(() => null)
  const retentions = configuredRetentions(settings?.file.pipelines ?? {}, cli.clock.now())
  const left = settings ? await ledger.retention.left(retentions, settings.file.service.environment) : []
  return deletionLines(await ledger.erasures.open(), left)
}
