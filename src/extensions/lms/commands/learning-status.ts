// What `status` says about learning systems.

import type { WholeLedger } from '#src/app/whole-ledger.ts'
import { type Cli, settingsFor } from '#src/cli/cli-context.ts'
import type { StatusPart } from '#src/cli/extension-parts.ts'
import { lmsProblemLines } from '#src/extensions/lms/describe-learning-systems.ts'
import type { DeliveryCounts } from '#src/extensions/lms/ledger/delivery-counts.ts'

export async function learningStatus(cli: Cli, options: { config?: string }, ledger: WholeLedger): Promise<StatusPart> {
  const lines = lmsProblemLines(await ledger.learningSystems.statuses(), await deliveriesToShow(cli, options, ledger))
  return { lines, document: { learning: lines } }
}

/**
 * Leaves out deliveries to targets that are no longer in writeBack, because no one has to act on them. Without a
 * readable configuration all are shown: `status` works without one.
 */
async function deliveriesToShow(
  cli: Cli,
  options: { config?: string },
  ledger: WholeLedger,
): Promise<DeliveryCounts[]> {
  const counts = await ledger.deliveries.counts()
  if (counts.length === 0) return counts
  const { targetsOf } = await import('#src/extensions/lms/sync/targets-of-pipeline.ts')
  const settings = await settingsFor(cli, options).catch(() => null)
  if (!settings) return counts
  const targets = Object.entries(settings.file.pipelines).flatMap(([name, pipeline]) => targetsOf(name, pipeline))
  return counts.filter(({ pipeline, target }) =>
    targets.some((each) => each.pipeline === pipeline && each.name === target),
  )
}
