// A failed row with corrected data: nobody has a credential, so nothing is revoked, and the row itself is sent again.

import type { App } from '#src/app.ts'
import type { Correction } from '#src/ledger/revocation.ts'
import { decisionOf } from './decision-of.ts'
import { type ExitCode, UsageError } from './exit-code.ts'
import { issueCorrection } from './issue-correction.ts'
import { answerJson, type Cli, say } from './surroundings.ts'

/** @throws UsageError when it is not failed any more */
export async function sendCorrected(
  cli: Cli,
  app: App,
  { issuanceId, correction }: { issuanceId: number; correction: Correction },
  options: { by?: string; reason?: string; wait?: boolean; json?: boolean },
): Promise<ExitCode> {
  const decision = decisionOf(cli, options)
  if (!(await app.ledger.correctFailed(issuanceId, correction, decision)))
    throw new UsageError(
      `i${issuanceId} is not failed any more. \`credsync explain i${issuanceId}\` tells what became of it.`,
    )
  const { state, credentialId, code } = await issueCorrection(cli, app, issuanceId, options)
  say(cli, `i${issuanceId}: ${state}, with the corrected data.`)
  await cli.doing.writeWantedResults(app)
  if (options.json)
    answerJson(cli, { old: `i${issuanceId}`, revocation: null, new: `i${issuanceId}`, state, credential: credentialId })
  return code
}
