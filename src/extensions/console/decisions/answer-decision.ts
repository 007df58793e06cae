// Carries out a decision that a form sends, records it, and leads to a page that says what happened and what comes
// next. If it cannot be done, a page says why, and nothing has changed.

import { html, type Markup } from '#src/extensions/console/html/markup.ts'
import { asSentence, sentence } from '#src/extensions/console/html/sentences.ts'
import { decidedAct } from '#src/extensions/console/ledger/activity-log.ts'
import { type Answer, type Console, note, page, type Visit } from '#src/extensions/console/visit.ts'
import { ServiceRefusedError } from '#src/issuer/classify-read.ts'
import { WireError } from '#src/issuer/read-shape.ts'
import { ServiceUnreachableError } from '#src/issuer/service-unreachable-error.ts'
import { KeysRefusedError } from '#src/issuer/tokens/token-calls.ts'
import { RefusedDecisionError } from '#src/issuing/decisions/refused-decision-error.ts'
import { CorrectionError } from '#src/issuing/intake/propose-correction.ts'
import { PlanError } from '#src/issuing/intake/row-check.ts'
import { PipelineUnknownError } from '#src/issuing/pipelines/pipelines.ts'
import { SendingStoppedError } from '#src/ledger/attempts/sending-stopped-message.ts'
import { ForgottenError } from '#src/ledger/forgotten-people.ts'
import { type OperatorDecision, RowMovedError } from '#src/ledger/operator-decision.ts'
import { TooLateError } from '#src/platform/time/deadline.ts'
import { type Returned, readReason } from './decision-form.ts'

export interface Decided {
  /** What happened and what comes next: sentences without names of people, because they are kept. */
  message: string
  run?: string
  issuance?: number
}

/** Nothing was changed, because the page was out of date. It is shown again, with the reason. */
export interface ShownAgain {
  fault: string
}

export interface Deciding {
  /** The page where the effect shows, without the base. */
  to: string
  /** What else is missing in the form. */
  fault?: string | null
  decide(decision: OperatorDecision): Promise<Decided | ShownAgain>
  /** The page with the form again, as it is now, because of a fault. */
  again(returned: Returned): Promise<Answer>
}

export async function answerDecision(console: Console, visit: Visit, deciding: Deciding): Promise<Answer> {
  const { reason, fault: withoutReason } = readReason(visit.form)
  const fault = deciding.fault ?? withoutReason
  const again = async (returned: Returned, status: number): Promise<Answer> => {
    const answer = await deciding.again(returned)
    return answer.kind === 'page' && (answer.status ?? 200) === 200 ? { ...answer, status } : answer
  }
  if (fault !== null) return again({ reason, fault }, 422)
  return orNothingChanged(console, deciding.to, async () => {
    const decided = await deciding.decide({ by: visit.visitor.name, why: reason })
    if ('fault' in decided) return again({ reason, fault: decided.fault }, 409)
    const { message, ...about } = decided
    const act = await note(console, visit, decidedAct, { detail: message, ...about })
    return { kind: 'redirect', to: `${deciding.to}?done=${act}` }
  })
}

/** The ledger or the course does not allow the decision, or what the page showed is no longer true. */
const refusals = [
  RefusedDecisionError,
  RowMovedError,
  ForgottenError,
  CorrectionError,
  PlanError,
  PipelineUnknownError,
  SendingStoppedError,
]
const serviceFaults = [ServiceUnreachableError, ServiceRefusedError, KeysRefusedError, WireError, TooLateError]

const isOne = (error: unknown, classes: readonly (new (...args: never[]) => Error)[]): error is Error =>
  classes.some((each) => error instanceof each)

/** @param back where the person came from, without the base */
export async function orNothingChanged(console: Console, back: string, work: () => Promise<Answer>): Promise<Answer> {
  try {
    return await work()
  } catch (error) {
    if (isOne(error, refusals)) return nothingChanged(console, back, error.message)
    if (isOne(error, serviceFaults))
      return nothingChanged(console, back, `The service is needed for this. ${error.message}`, 503)
    throw error
  }
}

/** @param why one sentence per line */
export function nothingChanged({ address, times }: Console, back: string, why: string, status = 409): Answer {
  const lines: Markup[] = why.split('\n').map((line) => html`<p>${sentence(asSentence(line), times)}</p>`)
  return page(
    {
      title: 'Nothing was changed',
      body: html`<div class="card" role="alert">${lines}</div><p><a href="${address.base}${back}">Show the current state</a></p>`,
    },
    status,
  )
}

/** How long the message is shown. */
const shownMs = 10 * 60_000

/**
 * The message about a decision, for the page that it led to. The address has only the number of the act, so that no
 * link can make the console say anything untrue.
 * @returns null if the address names no recent decision of this person
 */
export async function decisionMessage({ parts, times }: Console, { query, visitor }: Visit): Promise<Markup> {
  const id = /^\d{1,15}$/.exec(query.get('done') ?? '')?.[0]
  if (id === undefined) return null
  const since = new Date(parts.clock.now().getTime() - shownMs)
  const message = await parts.ledger.consoleActs.decided(Number(id), visitor.name, since)
  return message === null ? null : html`<p class="done" role="status">${sentence(message, times)}</p>`
}
