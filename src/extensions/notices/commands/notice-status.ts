import type { WholeLedger } from '#src/app/whole-ledger.ts'
import type { Cli } from '#src/cli/cli-context.ts'
import type { StatusPart } from '#src/cli/extension-parts.ts'
import { isTrouble, noticeSummaryLines } from './notice-lines.ts'

/** What `status` says of notices. */
export async function noticeStatus({ clock }: Cli, { notices }: Pick<WholeLedger, 'notices'>): Promise<StatusPart> {
  const shown = await notices.shown()
  const lines = noticeSummaryLines(shown, await notices.recipients(), clock.now())
  return { lines, document: { notices: { open: shown.filter(isTrouble).length, lines } } }
}
