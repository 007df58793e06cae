// Runs a probe against the service. It sends one test recipient, waits until the report shows this recipient, sends the
// same one again, then a batch with one bad recipient, and finally a control. Once the report shows the control,
// everything that was sent before and is not shown counts as absent. Writes nothing to the database.

import { foldedText } from '#src/domain/credential/person-index.ts'
import type { ReadReportPage } from '#src/issuer/report/single-report-page.ts'
import type { InvitationRequest, PreparedInvitation } from '#src/issuer/sending/invitation-body.ts'
import type { Outcome } from '#src/issuer/sending/outcome.ts'
import type { Invite } from '#src/issuer/sending/send-change.ts'
import { ServiceUnreachableError } from '#src/issuer/service-unreachable-error.ts'
import type { Findings } from '#src/ledger/probes.ts'
import type { Clock } from '#src/platform/time/clock.ts'
import { badRecipientFrom, duplicatesFrom, type ProbeAnswer } from './derive-findings.ts'
import { confirmedEchoes, echoesIn } from './echoes.ts'
import type { ProbePlan, ProbeRecipient } from './probe-recipients.ts'
import { openRecipientSearch, type RecipientSearch } from './recipient-search.ts'
import { tryEchoes, tryPages, trySpellings } from './try-searches.ts'

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
  /** The timeout passed before the report showed everything that was expected. */
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
  const { issuer, clock, signal } = tools
  const search = openRecipientSearch(issuer.reportPage, clock, signal)
  const untilMs = clock.monotonicMs() + tools.timeoutMs

  const first = await send(tools, [plan.repeated])
  if (['refused', 'unauthorised', 'too_large'].includes(first.class))
    throw new ProbeRefusedError(
      `The service refused the first throwaway recipient (HTTP ${first.status}): ${first.words || 'no reason given'}. Nothing was found out, and nothing was stored.`,
    )
  if (first.class !== 'accepted') throw new ServiceUnreachableError('invite', first.code ?? `HTTP ${first.status}`, 1)
  const sentMs = clock.monotonicMs()
  const shown = await search.untilShown(plan.repeated, untilMs)
  const page = await tryPages(issuer.reportPage)
  if (!shown) return { findings: { ...nothingDetermined, page }, timedOut: true }

  const [item] = shown.items
  const foundEchoes = item ? echoesIn(plan.repeated.values, item) : []
  const echoes = item ? await tryEchoes(issuer.reportPage, plan.repeated, item, foundEchoes) : []
  const spellings = await trySpellings(issuer.reportPage, plan.repeated)
  // Counted now and not when the report first showed the person: a duplicate that was caused by a network retry must
  // not be taken for the effect of the second sending.
  const before = (await search.itemsOf(plan.repeated)).length

  const lag = shown.atMs - sentMs
  const remaining = await sendRemaining(tools, plan, search, { untilMs, lag, before })
  const confirmed = remaining.controlItem
    ? confirmedEchoes(foundEchoes, echoesIn(plan.control.values, remaining.controlItem))
    : foundEchoes
  const reportedEchoes = echoes.filter((echo) =>
    confirmed.some(({ field, key }) => field === echo.field && key === echo.key),
  )
  return {
    findings: {
      duplicates: remaining.duplicates,
      badRecipient: remaining.badRecipient,
      lag: { found: { ms: Math.round(Math.max(lag, remaining.controlLag ?? 0)) } },
      echoes: { found: reportedEchoes },
      spellings,
      page,
    },
    timedOut: remaining.controlItem === null && remaining.controlAccepted,
  }
}

const nothingDetermined: Findings = {
  duplicates: { undetermined: notShown },
  echoes: { undetermined: notShown },
  spellings: { undetermined: notShown },
  lag: { undetermined: notShown },
  page: { undetermined: notShown },
  badRecipient: { undetermined: notShown },
}

async function sendRemaining(
  tools: ProbeTools,
  plan: ProbePlan,
  search: RecipientSearch,
  { untilMs, lag, before }: { untilMs: number; lag: number; before: number },
) {
  const { clock, signal, settleMs = 3_000 } = tools
  const repeatedAnswer = await send(tools, [plan.repeated])
  const [firstGood, secondGood] = plan.good
  const batchAnswer = plan.bad && (await send(tools, [firstGood, plan.bad.person, secondGood]))
  const controlAnswer = await send(tools, [plan.control])
  const sentMs = clock.monotonicMs()
  const shown = controlAnswer.class === 'accepted' ? await search.untilShown(plan.control, untilMs) : null
  const controlLag = shown ? shown.atMs - sentMs : null
  await clock.sleep(Math.max(settleMs, 2 * Math.max(lag, controlLag ?? 0)), signal)

  const after = (await search.itemsOf(plan.repeated)).length
  const isShown = async (person: ProbeRecipient) => (await search.itemsOf(person)).length > 0
  const good = [await isShown(firstGood), await isShown(secondGood)]
  const bad = plan.bad ? await isShown(plan.bad.person) : false
  const control = shown !== null
  return {
    duplicates: duplicatesFrom(repeatedAnswer, { before, after }, control),
    badRecipient:
      plan.bad && batchAnswer
        ? badRecipientFrom(batchAnswer, { good, bad }, control, plan.bad.broke)
        : { undetermined: 'the field list has no rule that a recipient could break' },
    controlLag,
    controlItem: shown?.items[0] ?? null,
    controlAccepted: controlAnswer.class === 'accepted',
  }
}

/** Makes one call to the service. The recipients are deliberately not validated first. */
async function send(tools: ProbeTools, people: readonly ProbeRecipient[]): Promise<Outcome & ProbeAnswer> {
  tools.signal?.throwIfAborted()
  const prepared = tools.issuer.prepareInvitation(tools.buildInvitation(people.map(({ values }) => values)))
  const outcome = await tools.issuer.invite(prepared, { deadlineMs: tools.deadlineMs })
  return { ...outcome, words: withoutValues(outcome.words, people) }
}

/** Masks the values that were sent in a message of the service, because the service may quote them. Pure. */
export function withoutValues(words: string, people: readonly Pick<ProbeRecipient, 'unique'>[]): string {
  const unique = people.flatMap((person) => person.unique).sort((a, b) => b.length - a.length)
  return unique.reduce((text, value) => {
    const at = foldedText(text).indexOf(foldedText(value))
    return at < 0 || foldedText(text).length !== text.length
      ? text
      : `${text.slice(0, at)}[value]${text.slice(at + value.length)}`
  }, words)
}
