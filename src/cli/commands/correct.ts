// credsync correct: one credential is revoked and another takes its place, as one linked action. Without WHO: the rows that wait for one.

import type { App } from '#src/app.ts'
import { speakable } from '#src/check/speakable.ts'
import {
  type CorrectionTools,
  differenceLines,
  proposeCorrection,
  proposeFromRow,
  readSettings,
} from '#src/intake/propose-correction.ts'
import type { Correction } from '#src/ledger/revocation.ts'
import type { RevocationTarget } from '#src/ledger/revocation-targets.ts'
import { confirm } from '../confirm.ts'
import { correctable } from '../correctable.ts'
import { decisionOf } from '../decision-of.ts'
import { type ExitCode, exitCode, exitCodeOf, UsageError } from '../exit-code.ts'
import { issueCorrection } from '../issue-correction.ts'
import { namedRun } from '../named-run.ts'
import { maskedPerson, standingOf } from '../revocation-words.ts'
import { sendCorrected } from '../send-corrected.ts'
import { answer, answerJson, appFor, type Cli, say, settingsFor } from '../surroundings.ts'
import { changeLines } from '../waiting-lines.ts'
import { whyNotIssuable } from '../why-not-issuable.ts'

export interface CorrectOptions {
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
  const isChange = Boolean(options.set?.length) || options.fromRow !== undefined
  if (who === undefined && isChange)
    throw new UsageError('Say whose credential: an issuance id such as i42, an e-mail address, or another identifier.')
  if (who !== undefined && Boolean(options.set?.length) === (options.fromRow !== undefined))
    throw new UsageError(
      'Say what is right: --set "FIELD=VALUE", as often as needed, or --from-row RUN:ROW. `credsync correct` alone lists the rows that wait.',
    )
  await using app = await appFor(cli, await settingsFor(cli, options))
  if (who === undefined) return await listWaiting(cli, app, options)
  const target = await correctable(app, who)
  const { issuanceId, recipient, credentialId, pipeline } = target
  const tools = await toolsFor(app, target)
  const { correction, source } = await propose(app, target, tools, options)
  const what = credentialId ? `credential ${credentialId}` : 'failed, without a credential,'
  say(cli, `i${issuanceId}: ${maskedPerson(recipient)}; ${what} of ${pipeline}`)
  for (const line of differenceLines(recipient, correction.recipient, tools.fields)) say(cli, `  ${line}`)
  if (correction.imageSha256)
    say(cli, `  ${correction.changedFields.at(-1)}: the one that came with row ${source} goes with it`)
  else if (target.image) say(cli, '  Its photo goes with it as it came before.')
  const whyNot = await whyNotIssuable(app.issuer, target.courseUuid, tools.pipeline)
  if (whyNot !== null)
    throw new UsageError(
      `Nothing was changed: the corrected credential could not be issued now, because ${whyNot}. Say it again when it can be.`,
    )
  if (!credentialId) {
    if (!(await confirm(cli, 'Nobody has a credential. Send it again with the corrected data?', options)))
      return exitCode.usage
    return await sendCorrected(cli, app, { issuanceId, correction }, options)
  }
  const first =
    target.state === 'revoked'
      ? 'It is revoked already.'
      : `Credential ${credentialId} is revoked first, which cannot be taken back.`
  if (!(await confirm(cli, `${first} Issue the corrected one in its place?`, options))) return exitCode.usage
  return await carryOut(cli, app, { target: { ...target, credentialId }, correction }, options)
}

async function listWaiting(cli: Cli, app: App, options: CorrectOptions): Promise<ExitCode> {
  const waiting = await app.ledger.revocations.changesWaiting()
  if (options.json)
    answerJson(cli, {
      waiting: waiting.map(({ recipient: _, ...each }) => ({ ...each, issuanceId: `i${each.issuanceId}` })),
    })
  else if (waiting.length === 0) answer(cli, 'No changed row waits for a correction.')
  else for (const each of waiting) for (const line of changeLines(each)) answer(cli, line)
  return exitCode.ok
}

async function toolsFor(app: App, { pipeline, courseUuid }: RevocationTarget) {
  return {
    pipeline: app.pipelines.named(pipeline),
    fields: await app.issuer.fieldList(courseUuid),
    hasher: app.ledger.hasher,
  }
}

async function propose(
  app: App,
  known: RevocationTarget & { recipient: Record<string, string> },
  tools: CorrectionTools,
  { set = [], fromRow }: CorrectOptions,
): Promise<{ correction: Correction; source: string }> {
  if (fromRow === undefined)
    return { correction: proposeCorrection(known, readSettings(set, tools.fields), tools), source: '' }
  const [, runText, rowText] = /^([0-9a-f-]{8,36}):(\d{1,9})$/i.exec(fromRow) ?? []
  if (!runText) throw new UsageError(`--from-row ${fromRow} is not RUN:ROW, such as 1a2b3c4d:17.`)
  const run = await app.ledger.findRun(await namedRun(app.ledger, runText))
  const row = Number(rowText)
  const naming = run && (await app.ledger.revocations.rowNaming(run.id, row, known.issuanceId))
  if (!run?.header || !run.format || !naming)
    throw new UsageError(
      `The row ${rowText} of run ${runText} does not name i${known.issuanceId}. \`credsync correct\` lists the rows that wait.`,
    )
  const { cells, image, imageKept, source } = naming
  if (image && known.credentialId)
    throw new UsageError(
      `An image came with the row ${rowText} of ${source}, and a corrected credential takes none along. Revoke it with \`credsync revoke i${known.issuanceId}\`, and issue the right data from a file.`,
    )
  if (image && !imageKept)
    throw new UsageError(
      `The image that came with the row ${rowText} of ${source} is not kept any more, and the old one would go in its place. Hand the list in again with its images, and correct i${known.issuanceId} from that run.`,
    )
  const again = { header: run.header, format: run.format, row, cells, image }
  return { correction: proposeFromRow(known, again, tools), source: `${row} of ${source}` }
}

async function carryOut(
  cli: Cli,
  app: App,
  { target, correction }: { target: RevocationTarget & { credentialId: string }; correction: Correction },
  options: CorrectOptions,
): Promise<ExitCode> {
  const { issuanceId, credentialId } = target
  const decision = decisionOf(cli, options)
  const wanted = { credentialId, issuanceId, correction, decision }
  const { id, standing, sameData } = await app.ledger.revocations.want(wanted)
  if (!sameData) return tellOther(cli, app, { id, issuanceId }, options)
  if (standing === 'corrected already' || standing === 'open')
    say(cli, `i${issuanceId}: a correction of it is under way already; going on with that one.`)
  const faults = await cli.doing.tendRevocations(app, [id])
  const fault = faults.get(id)
  const now = await app.ledger.revocations.find(id)
  const sentence = now ? standingOf(now) : 'nothing became of it'
  say(cli, `i${issuanceId}: ${sentence}${fault ? ` (${speakable(fault)})` : ''}.`)
  const by = now?.correctedAs ?? null
  const issued = by === null ? null : await issueCorrection(cli, app, by, options)
  if (by === null) say(cli, 'The corrected credential is issued when the old one is revoked, and not before.')
  else say(cli, `i${by} takes its place: ${issued?.state ?? 'pending'}.`)
  await cli.doing.writeWantedResults(app)
  if (options.json)
    answerJson(cli, {
      old: `i${issuanceId}`,
      revocation: now?.state ?? null,
      new: by === null ? null : `i${by}`,
      state: issued?.state ?? null,
      credential: issued?.credentialId ?? null,
    })
  if (now?.state === 'wanted' || [...faults.values()].some((each) => exitCodeOf(each) === exitCode.service))
    return exitCode.service
  return issued?.code ?? exitCode.needsPerson
}

/** Somebody else was faster while this person was asked, with other data: theirs are on the way, and these are not. */
async function tellOther(
  cli: Cli,
  app: App,
  { id, issuanceId }: { id: number; issuanceId: number },
  { json = false }: CorrectOptions,
): Promise<ExitCode> {
  const now = await app.ledger.revocations.find(id)
  const by = now?.correctedAs ?? null
  const then = by === null ? 'when that one is done' : `as a correction of i${by}`
  say(
    cli,
    `i${issuanceId}: somebody else has corrected it meanwhile, with other data. Yours were not taken, and nothing was changed. Look at \`credsync explain i${issuanceId}\`, and say it again ${then} if yours are right.`,
  )
  if (json)
    answerJson(cli, { old: `i${issuanceId}`, revocation: now?.state ?? null, new: null, state: null, credential: null })
  return exitCode.needsPerson
}
