import type { WholeLedger } from '#src/app/whole-ledger.ts'
import { type Cli, settingsFor } from '#src/cli/cli-context.ts'
import type { StatusPart } from '#src/cli/extension-parts.ts'
import { configuredRetentions } from '#src/extensions/privacy/configured-retentions.ts'
import type { OpenErasure } from '#src/extensions/privacy/ledger/erasures.ts'
import { countLimit, type RetentionLeft } from '#src/extensions/privacy/ledger/retention.ts'
import { countOf } from '#src/issuing/results/run-summary.ts'

/** What `status` says of deletions that are open. */
export async function deletionStatus(...of: Parameters<typeof openDeletions>): Promise<StatusPart> {
  const deletions = await openDeletions(...of)
  return { lines: deletions, document: { deletions } }
}

// Describes for `status` what of people's data is still to be deleted: erasures that somebody asked for, and what is
// older than its pipeline keeps data. Pure.

export function deletionLines(open: readonly OpenErasure[], left: readonly RetentionLeft[]): string[] {
  const requested = open.filter(({ kind }) => kind === 'request')
  const [oldest] = requested
  return [
    ...(oldest
      ? [
          `${countOf(requested.length, 'erasure')} ${requested.length === 1 ? 'is' : 'are'} open, the oldest since ${oldest.requestedAt.toISOString().slice(0, 10)}: \`credsync erasures\` says what ${requested.length === 1 ? 'it waits' : 'they wait'} for`,
        ]
      : []),
    ...left.map(({ pipeline, lists, waitingLists, people }) => {
      const waiting =
        waitingLists > 0
          ? `, ${waitingLists} of which ${waitingLists === 1 ? 'waits' : 'wait'} for results or another list`
          : ''
      const counted =
        people >= countLimit ? `${countLimit} or more people` : people === 1 ? '1 person' : `${people} people`
      return `${pipeline}: older than retentionDays and still to be deleted: ${countOf(lists, 'list')}${waiting}, and data of ${counted} who may wait for a decision or a system`
    }),
  ]
}

// Reads for `status` what of people's data is still to be deleted.

/** Without a readable configuration only erasures are shown: `status` works without one. */
async function openDeletions(cli: Cli, options: { config?: string }, ledger: WholeLedger): Promise<string[]> {
  const settings = await settingsFor(cli, options).catch(() => null)
  const retentions = configuredRetentions(settings?.file.pipelines ?? {}, cli.clock.now())
  const left = settings ? await ledger.retention.left(retentions, settings.file.service.environment) : []
  return deletionLines(await ledger.erasures.open(), left)
}
