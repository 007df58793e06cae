// Sends a failed row again with corrected data. Nothing is revoked, because the person has no credential.

import type { App } from '#src/app/app.ts'
import type { Correction } from '#src/ledger/revocations/revocation.ts'
import { type Cli, printJson, say } from './cli-context.ts'
import { type ExitCode, UsageError } from './exit-code.ts'
import { issueCorrection } from './issue-correction.ts'
import { operatorDecision } from './operator-decision.ts'

/** @throws UsageError if the row is no longer failed */
export async function sendCorrectedRow(
  cli: Cli,
  app: App,
  { issuanceId, correction }: { issuanceId: number; correction: Correction },
  options: { by?: string; reason?: string; wait?: boolean; json?: boolean },
): Promise<ExitCode> {
  const decision = operatorDecision(cli, options)
  if (!(await app.ledger.decisions.correct(issuanceId, correction, decision)))
    throw new UsageError(
      `i${issuanceId} is no longer failed. \`credsync explain i${issuanceId}\` shows what happened to it.`,
    )
  const { state, credentialId, code } = await issueCorrection(cli, app, issuanceId, options)
  say(cli, `i${issuanceId}: ${state}, with the corrected data.`)
  await cli.jobs.writeWantedResults(app)
  if (options.json)
    printJson(cli, { old: `i${issuanceId}`, revocation: null, new: `i${issuanceId}`, state, credential: credentialId })
  return code
}
