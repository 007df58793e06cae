// credsync trust-ledger: records a person's decision that this ledger may send again, after it was restored to an
// earlier state or was mistaken for a copy.

import { sendingStoppedMessage } from '#src/ledger/attempts/sending-stopped-message.ts'
import { appFor, type Cli, printJson, say, settingsFor } from '../cli-context.ts'
import { confirm } from '../confirm.ts'
import { type ExitCode, exitCode, UsageError } from '../exit-code.ts'
import { operatorDecision } from '../operator-decision.ts'

interface TrustOptions {
  config?: string
  json?: boolean
  by?: string
  reason?: string
  yes?: boolean
}

export async function trustLedgerCommand(cli: Cli, options: TrustOptions): Promise<ExitCode> {
  if (!options.reason?.trim())
    throw new UsageError(
      'Use --reason to say why this ledger can be trusted again; the reason is recorded for later questions.',
    )
  await using app = await appFor(cli, await settingsFor(cli, options))
  const { ledger, mark } = app
  const { stop, last } = await ledger.sendingStops.compare(await mark.read())
  if (stop) say(cli, `${sendingStoppedMessage(stop)}.`)
  else say(cli, 'Sending is not stopped: the ledger has a record of every call that was made. Nothing was changed.')
  const trusted = stop !== null && (await confirm(cli, 'Send again with this ledger as it is?', options))
  if (trusted) {
    // The mark is raised first: while it is ahead of the ledger, sending stays stopped, even if the next step fails.
    await mark.put({ ...last, era: last.era + 1 })
    await ledger.sendingStops.trust(operatorDecision(cli, options))
    say(
      cli,
      'The ledger is trusted again. Rows that are due are sent while `credsync start` runs, or by the next `credsync issue`.',
    )
  }
  if (options.json) printJson(cli, { stopped: stop !== null && !trusted, trusted })
  return stop !== null && !trusted ? exitCode.usage : exitCode.ok
}
