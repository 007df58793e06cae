// credsync correct: revokes a credential and issues another in its place, as one linked action, or sends a failed row
// again with corrected data. Without WHO, it lists the rows that are waiting for a correction.

import type { App } from '#src/app/app.ts'
import { type Cli, callingAppFor, print, printJson, say, settingsFor } from '#src/cli/cli-context.ts'
import { confirm } from '#src/cli/confirm.ts'
import { type ExitCode, exitCode, exitCodeOf, UsageError } from '#src/cli/exit-code.ts'
import { findRunId } from '#src/cli/find-run-id.ts'
import { issueCorrection } from '#src/cli/issue-correction.ts'
import { operatorDecision } from '#src/cli/operator-decision.ts'
import { indentedLine } from '#src/cli/text/terminal-text.ts'
import { findCorrectionTarget } from '#src/issuing/decisions/correction-target.ts'
import { correctionToolsFor, proposeChange, type WantedChange } from '#src/issuing/decisions/propose-change.ts'
import { refuseWhileStopped } from '#src/issuing/decisions/refused-decision-error.ts'
import { whyNotIssuable } from '#src/issuing/decisions/why-not-issuable.ts'
import { maskedPerson } from '#src/issuing/descriptions/masked-person.ts'
import { revocationStatus } from '#src/issuing/descriptions/revocation-status.ts'
import { type CorrectionTools, correctionLines, readCorrections } from '#src/issuing/intake/propose-correction.ts'
import type { Correction } from '#src/ledger/revocations/revocation.ts'
import type { RevocationTarget } from '#src/ledger/revocations/revocation-targets.ts'
import type { WaitingChange } from '#src/ledger/runs/waiting-changes.ts'
import { safeMessage } from '#src/platform/safe-message.ts'

interface CorrectOptions {
  set?: string[]
  fromRow?: string
  reason?: string
  by?: string
  yes?: boolean
  wait?: boolean
  json?: boolean
  config?: string
}

export async function correctCommand(cli: Cli, who: string | undefined, options: CorrectOptions): Promise<ExitCode> {
  const hasValues = Boolean(options.set?.length) || options.fromRow !== undefined
  if (who === undefined && hasValues)
    throw new UsageError(
      'Name the credential to correct: an issuance id such as i42, an e-mail address, or another identifier.',
    )
  if (who !== undefined && Boolean(options.set?.length) === (options.fromRow !== undefined))
    throw new UsageError(
      'Give the correct values: --set "FIELD=VALUE", as often as needed, or --from-row RUN:ROW. `credsync correct` alone lists the rows that are waiting.',
    )
  await using app = await callingAppFor(cli, await settingsFor(cli, options))
  if (who === undefined) return await listWaiting(cli, app, options)
  await refuseWhileStopped(app)
  const target = await findCorrectionTarget(app, who)
  const { issuanceId, recipient, credentialId, pipeline } = target
  const tools = await correctionToolsFor(app, target)
  const change = await changeOf(app, options, tools.fields)
  const { correction, source } = await proposeChange(app, target, tools, change)
  const what = credentialId ? `credential ${credentialId}` : 'failed, without a credential,'
  say(cli, `i${issuanceId}: ${maskedPerson(recipient)}; ${what} of ${pipeline}`)
  for (const line of correctionLines(recipient, correction.recipient, tools.fields)) say(cli, `  ${line}`)
  if (correction.imageSha256) say(cli, `  ${correction.changedFields.at(-1)}: the image from row ${source} is sent`)
  else if (target.image) say(cli, '  The image of the row is sent again, unchanged.')
  const whyNot = await whyNotIssuable(app.issuer, target.courseUuid, tools.pipeline)
  if (whyNot !== null)
    throw new UsageError(
      `Nothing was changed: the corrected credential could not be issued now, because ${whyNot}. Run the command again when it can be issued.`,
    )
  if (!credentialId) {
    if (
      !(await confirm(cli, 'No credential has been issued yet. Send the row again with the corrected data?', options))
    )
      return exitCode.usage
    return await sendCorrectedRow(cli, app, { issuanceId, correction }, options)
  }
  const first =
    target.state === 'revoked'
      ? 'The credential is already revoked.'
      : `Credential ${credentialId} is revoked first, which cannot be undone.`
  if (!(await confirm(cli, `${first} Issue the corrected credential in its place?`, options))) return exitCode.usage
  return await carryOut(cli, app, { target: { ...target, credentialId }, correction }, options)
}

async function listWaiting(cli: Cli, app: App, options: CorrectOptions): Promise<ExitCode> {
  const waiting = await app.ledger.revocations.waitingChanges()
  if (options.json)
    printJson(cli, {
      waiting: waiting.map(({ recipient: _, ...each }) => ({ ...each, issuanceId: `i${each.issuanceId}` })),
    })
  else if (waiting.length === 0) print(cli, 'No changed row is waiting for a correction.')
  else for (const entry of waiting) for (const line of changeLines(entry)) print(cli, indentedLine(line))
  return exitCode.ok
}

function changeLines(change: WaitingChange): string[] {
  const { issuanceId, state, recipient, changedFields, row, source, run, received } = change
  return [
    `i${issuanceId}: ${maskedPerson(recipient)}; ${changedFields.join(', ')} ${changedFields.length === 1 ? 'differs' : 'differ'}${state === 'failed' ? '; it failed, so there is no credential yet' : ''}`,
    `  in row ${row} of ${source}, received ${received.toISOString().slice(0, 10)} (run ${run})`,
    `    credsync correct i${issuanceId} --from-row ${run.slice(0, 8)}:${row}`,
  ]
}

async function changeOf(
  app: App,
  { set = [], fromRow }: CorrectOptions,
  fields: CorrectionTools['fields'],
): Promise<WantedChange> {
  if (fromRow === undefined) return { values: readCorrections(set, fields) }
  const [, run, row] = /^([0-9a-f-]{8,36}):(\d{1,9})$/i.exec(fromRow) ?? []
  if (!run) throw new UsageError(`--from-row ${fromRow} is not RUN:ROW, such as 1a2b3c4d:17.`)
  return { run: await findRunId(app.ledger, run), row: Number(row) }
}

async function carryOut(
  cli: Cli,
  app: App,
  { target, correction }: { target: RevocationTarget & { credentialId: string }; correction: Correction },
  options: CorrectOptions,
): Promise<ExitCode> {
  const { issuanceId, credentialId } = target
  const decision = operatorDecision(cli, options)
  const wanted = { credentialId, issuanceId, correction, decision }
  const { id, status, sameData } = await app.ledger.revocations.request(wanted)
  if (!sameData) return reportOtherCorrection(cli, app, { id, issuanceId }, options)
  if (status === 'corrected already' || status === 'open')
    say(cli, `i${issuanceId}: a correction is already in progress; continuing with it.`)
  const faults = await cli.jobs.processRevocations(app, [id])
  const fault = faults.get(id)
  const now = await app.ledger.revocations.find(id)
  const sentence = now ? revocationStatus(now) : 'the ledger has no record of the revocation'
  say(cli, `i${issuanceId}: ${sentence}${fault ? ` (${safeMessage(fault)})` : ''}.`)
  const correctedAs = now?.correctedAs ?? null
  const issued = correctedAs === null ? null : await issueCorrection(cli, app, correctedAs, options)
  if (correctedAs === null) say(cli, 'The corrected credential is issued only after the old one has been revoked.')
  else say(cli, `i${correctedAs} takes its place: ${issued?.state ?? 'pending'}.`)
  await cli.jobs.writeWantedResults(app)
  if (options.json)
    printJson(cli, {
      old: `i${issuanceId}`,
      revocation: now?.state ?? null,
      new: correctedAs === null ? null : `i${correctedAs}`,
      state: issued?.state ?? null,
      credential: issued?.credentialId ?? null,
    })
  if (now?.state === 'wanted' || [...faults.values()].some((each) => exitCodeOf(each) === exitCode.service))
    return exitCode.service
  return issued?.code ?? exitCode.needsPerson
}

/**
 * Reports that somebody else entered a different correction while this person was being asked to confirm. The other
 * correction is processed, and this one is not.
 */
async function reportOtherCorrection(
  cli: Cli,
  app: App,
  { id, issuanceId }: { id: number; issuanceId: number },
  { json = false }: CorrectOptions,
): Promise<ExitCode> {
  const now = await app.ledger.revocations.find(id)
  const correctedAs = now?.correctedAs ?? null
  const whenToRepeat = correctedAs === null ? 'when that one is done' : `as a correction of i${correctedAs}`
  say(
    cli,
    `i${issuanceId}: somebody else has corrected it in the meantime, with different data. Your data was not used, and nothing was changed. Check \`credsync explain i${issuanceId}\`, and run the command again ${whenToRepeat} if your data is right.`,
  )
  if (json)
    printJson(cli, { old: `i${issuanceId}`, revocation: now?.state ?? null, new: null, state: null, credential: null })
  return exitCode.needsPerson
}

/**
 * Sends a failed row again with corrected data. Nothing is revoked, because the person has no credential.
 * @throws UsageError if the row is no longer failed
 */
async function sendCorrectedRow(
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
