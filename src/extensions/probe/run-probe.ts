// Runs a probe against the service. It sends one test recipient, waits until the report shows this recipient, sends the
// same one again, and finally a control. Once the report shows the control, everything that was sent before and is not
// shown counts as absent. Writes nothing to the database.

import { foldedText } from '#src/domain/credential/person-index.ts'
import type { ReadReportPage } from '#src/issuer/report/report-pages.ts'
import type { InvitationRequest, PreparedInvitation } from '#src/issuer/sending/invitation-body.ts'
import type { Outcome } from '#src/issuer/sending/outcome.ts'
import type { Invite } from '#src/issuer/sending/send-change.ts'
import { ServiceUnreachableError } from '#src/issuer/service-unreachable-error.ts'
import type { Findings } from '#src/ledger/probes.ts'
import type { Clock } from '#src/platform/time/clock.ts'
import { duplicatesFrom } from './derive-findings.ts'
import { confirmedEchoes, echoesIn } from './echoes.ts'
import type { ProbePlan, ProbeRecipient } from './probe-recipients.ts'
import { openRecipientSearch } from './recipient-search.ts'
import { tryEchoes } from './try-searches.ts'

export interface ProbeTools {
  issuer: {
    prepareInvitation(request: InvitationRequest): PreparedInvitation
    invite: Invite
    reportPage: ReadReportPage
  }
  clock: Clock
  /** Puts the recipients into the pipeline's invitation request. */
  buildInvitation(students: Record<string, string>[]): InvitationRequest
  /** The deadline of each call, in milliseconds. */
  deadlineMs: number
  /** The total time to wait for the report, in milliseconds. */
  timeoutMs: number
  /** The minimum time to wait for late items after the report shows the control. Default 3 s. */
  settleMs?: number
  signal?: AbortSignal
}

export interface ProbeResult {
  findings: Findings
  /** The timeout elapsed before the report showed everything that was expected. */
  timedOut: boolean
}

/** Thrown when the service refuses a single valid test recipient, so that nothing can be found out. */
export class ProbeRefusedError extends Error {
  override readonly name = 'ProbeRefusedError'
}

const notShown = 'the report showed no recipient that was sent within the timeout'

/**
 * @throws ProbeRefusedError; ServiceUnreachableError if the first call has no clear outcome; whatever reading the
 * report throws; the signal's reason
 */
export async function runProbe(tools: ProbeTools, plan: ProbePlan): Promise<ProbeResult> {
  const { issuer, clock, signal, settleMs = 3_000 } = tools
  const search = openRecipientSearch(issuer.reportPage, clock, signal)
  const untilMs = clock.monotonicMs() + tools.timeoutMs

  const first = await send(tools, plan.repeated)
  if (['refused', 'unauthorised', 'too_large'].includes(first.class))
    throw new ProbeRefusedError(
      `The service refused the first throwaway recipient (HTTP ${first.status}): ${first.words || 'no reason given'}. Nothing was found out, and nothing was stored.`,
    )
  if (first.class !== 'accepted') throw new ServiceUnreachableError('invite', first.code ?? `HTTP ${first.status}`, 1)
  const sentMs = clock.monotonicMs()
  const shown = await search.untilShown(plan.repeated, untilMs)
  if (!shown) return { findings: nothingDetermined, timedOut: true }

  const foundEchoes = echoesIn(plan.repeated.values, shown.item)
  const echoes = await tryEchoes(issuer.reportPage, plan.repeated, shown.item, foundEchoes)
  // Counted now and not when the report first showed the person: a duplicate that was caused by a network retry must
  // not be taken for the effect of the second sending.
  const before = (await search.itemsOf(plan.repeated)).length
  const repeatedAnswer = await send(tools, plan.repeated)

  const controlAnswer = await send(tools, plan.control)
  const controlSentMs = clock.monotonicMs()
  const control = controlAnswer.class === 'accepted' ? await search.untilShown(plan.control, untilMs) : null
  const lag = Math.max(shown.atMs - sentMs, control ? control.atMs - controlSentMs : 0)
  await clock.sleep(Math.max(settleMs, 2 * lag), signal)
  const after = (await search.itemsOf(plan.repeated)).length

  const confirmed = control ? confirmedEchoes(foundEchoes, echoesIn(plan.control.values, control.item)) : foundEchoes
  const reportedEchoes = echoes.filter((echo) =>
    confirmed.some(({ field, key }) => field === echo.field && key === echo.key),
  )
  return {
    findings: {
      duplicates: duplicatesFrom(repeatedAnswer, { before, after }, control !== null),
      lag: { found: { ms: Math.round(lag) } },
      echoes: { found: reportedEchoes },
    },
    timedOut: control === null && controlAnswer.class === 'accepted',
  }
}

const nothingDetermined: Findings = {
  duplicates: { undetermined: notShown },
  echoes: { undetermined: notShown },
  lag: { undetermined: notShown },
}

/** Makes one call to the service with one recipient. */
async function send(tools: ProbeTools, person: ProbeRecipient): Promise<Outcome> {
  tools.signal?.throwIfAborted()
  const prepared = tools.issuer.prepareInvitation(tools.buildInvitation([person.values]))
  const outcome = await tools.issuer.invite(prepared, { deadlineMs: tools.deadlineMs })
  return { ...outcome, words: withoutValues(outcome.words, person.unique) }
}

/** Masks the values that were sent in a message of the service, because the service may quote them. Pure. */
export function withoutValues(words: string, unique: readonly string[]): string {
  const longestFirst = unique.toSorted((a, b) => b.length - a.length)
  return longestFirst.reduce((text, value) => {
    const at = foldedText(text).indexOf(foldedText(value))
    return at < 0 || foldedText(text).length !== text.length
      ? text
      : `${text.slice(0, at)}[value]${text.slice(at + value.length)}`
  }, words)
}
