// A probe from its first call to its findings: one throwaway person sent, waited for and looked at, sent again, then a batch with a
// bad one, then a control. Everything before a control that shows, and does not show itself, is absent.

import { foldedText } from '#src/issuance/folded-text.ts'
import type { InvitationRequest, PreparedInvitation } from '#src/issuer/invitation-body.ts'
import type { Invite } from '#src/issuer/invitations.ts'
import type { Outcome } from '#src/issuer/outcome.ts'
import type { ReadReportPage } from '#src/issuer/report-page.ts'
import { ServiceUnreachableError } from '#src/issuer/service-unreachable-error.ts'
import type { Findings } from '#src/ledger/probes.ts'
import type { Clock } from '#src/time/clock.ts'
import { confirmed, echoesIn } from './echoes.ts'
import type { ProbePlan, Throwaway } from './throwaway-people.ts'
import { tryPages } from './try-pages.ts'
import { tryEchoes, trySpellings } from './try-searches.ts'
import { type Answered, badRecipientFrom, duplicatesFrom } from './verdicts.ts'
import { type ReportWatch, watchReport } from './watch-report.ts'

export interface ProbeTools {
  issuer: {
    prepareInvitation(request: InvitationRequest): PreparedInvitation
    invite: Invite
    reportPage: ReadReportPage
  }
  clock: Clock
  /** Writes the recipients into the pipeline's invitation. */
  invitationOf(students: Record<string, string>[]): InvitationRequest
  /** For one call. */
  deadlineMs: number
  /** For all waiting for the report. */
  timeoutMs: number
  /** The least time, after the control showed, in which what is late may still show. Default 3 s. */
  settleMs?: number
  signal?: AbortSignal
}

export interface Probed {
  findings: Findings
  /** The timeout came before everything that should show did. */
  timedOut: boolean
}

/** The service refuses even one good throwaway recipient, so nothing can be found out. */
export class ProbeRefusedError extends Error {
  override readonly name = 'ProbeRefusedError'
}

const neverShown = 'no recipient that was sent showed in the report within the timeout'

/** @throws ProbeRefusedError, ServiceUnreachableError when the first call has no good outcome; what reading throws; the signal's reason */
export async function runProbe(tools: ProbeTools, plan: ProbePlan): Promise<Probed> {
  const { issuer, clock, signal } = tools
  const watch = watchReport(issuer.reportPage, clock, signal)
  const untilMs = clock.monotonicMs() + tools.timeoutMs

  const first = await send(tools, [plan.twice])
  if (first.class === 'refused' || first.class === 'too_large')
    throw new ProbeRefusedError(
      `The service refused the first throwaway recipient (HTTP ${first.status}): ${first.words || 'it says no more'}. Nothing was found out and nothing was kept.`,
    )
  if (first.class !== 'accepted') throw new ServiceUnreachableError('invite', first.code ?? `HTTP ${first.status}`, 1)
  const sentMs = clock.monotonicMs()
  const shown = await watch.untilShown(plan.twice, untilMs)
  const page = await tryPages(issuer.reportPage)
  if (!shown) return { findings: { ...nothingSeen, page }, timedOut: true }

  const [item] = shown.items
  const seen = item ? echoesIn(plan.twice.values, item) : []
  const echoes = item ? await tryEchoes(issuer.reportPage, plan.twice, item, seen) : []
  const spellings = await trySpellings(issuer.reportPage, plan.twice)
  // Counted now and not when it first showed: an answer that was repeated on the way is not our second sending.
  const before = (await watch.itemsOf(plan.twice)).length

  const lag = shown.atMs - sentMs
  const rest = await sendTheRest(tools, plan, watch, { untilMs, lag, before })
  const agreed = rest.controlItem ? confirmed(seen, echoesIn(plan.control.values, rest.controlItem)) : seen
  const kept = echoes.filter((echo) => agreed.some(({ field, key }) => field === echo.field && key === echo.key))
  return {
    findings: {
      duplicates: rest.duplicates,
      badRecipient: rest.badRecipient,
      lag: { found: { ms: Math.round(Math.max(lag, rest.controlLag ?? 0)) } },
      echoes: { found: kept },
      spellings,
      page,
    },
    timedOut: rest.controlItem === null && rest.controlAccepted,
  }
}

const nothingSeen: Findings = {
  duplicates: { undetermined: neverShown },
  echoes: { undetermined: neverShown },
  spellings: { undetermined: neverShown },
  lag: { undetermined: neverShown },
  page: { undetermined: neverShown },
  badRecipient: { undetermined: neverShown },
}

async function sendTheRest(
  tools: ProbeTools,
  plan: ProbePlan,
  watch: ReportWatch,
  { untilMs, lag, before }: { untilMs: number; lag: number; before: number },
) {
  const { clock, signal, settleMs = 3_000 } = tools
  const again = await send(tools, [plan.twice])
  const [left, right] = plan.good
  const batch = plan.bad && (await send(tools, [left, plan.bad.person, right]))
  const last = await send(tools, [plan.control])
  const sentMs = clock.monotonicMs()
  const shown = last.class === 'accepted' ? await watch.untilShown(plan.control, untilMs) : null
  const controlLag = shown ? shown.atMs - sentMs : null
  await clock.sleep(Math.max(settleMs, 2 * Math.max(lag, controlLag ?? 0)), signal)

  const after = (await watch.itemsOf(plan.twice)).length
  const shows = async (person: Throwaway) => (await watch.itemsOf(person)).length > 0
  const good = [await shows(left), await shows(right)]
  const bad = plan.bad ? await shows(plan.bad.person) : false
  const control = shown !== null
  return {
    duplicates: duplicatesFrom(again, { before, after }, control),
    badRecipient:
      plan.bad && batch
        ? badRecipientFrom(batch, { good, bad }, control, plan.bad.broke)
        : { undetermined: 'the field list has no rule that a recipient could break' },
    controlLag,
    controlItem: shown?.items[0] ?? null,
    controlAccepted: last.class === 'accepted',
  }
}

/** One call, straight to the service: our own checks of a row are left out on purpose. */
async function send(tools: ProbeTools, people: readonly Throwaway[]): Promise<Outcome & Answered> {
  tools.signal?.throwIfAborted()
  const prepared = tools.issuer.prepareInvitation(tools.invitationOf(people.map(({ values }) => values)))
  const outcome = await tools.issuer.invite(prepared, { deadlineMs: tools.deadlineMs })
  return { ...outcome, words: withoutValues(outcome.words, people) }
}

/** The service may quote what it was sent. Pure. */
export function withoutValues(words: string, people: readonly Pick<Throwaway, 'own'>[]): string {
  const own = people.flatMap((person) => person.own).sort((a, b) => b.length - a.length)
  return own.reduce((text, value) => {
    const at = foldedText(text).indexOf(foldedText(value))
    return at < 0 || foldedText(text).length !== text.length
      ? text
      : `${text.slice(0, at)}[value]${text.slice(at + value.length)}`
  }, words)
}
