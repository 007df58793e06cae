// Corrects a credential, or a failed row that has none: the page with its fields, then the difference, then the
// decision.

import { type CorrectionTarget, findCorrectionTarget } from '#src/issuing/decisions/correction-target.ts'
import {
  correctionToolsFor,
  type ProposedChange,
  proposeChange,
  type WantedChange,
} from '#src/issuing/decisions/propose-change.ts'
import { RefusedDecisionError, refuseWhileStopped } from '#src/issuing/decisions/refused-decision-error.ts'
import { whyNotIssuable } from '#src/issuing/decisions/why-not-issuable.ts'
import { CorrectionError } from '#src/issuing/intake/propose-correction.ts'
import type { Explained } from '#src/ledger/explain.ts'
import { type OperatorDecision, RowMovedError } from '#src/ledger/operator-decision.ts'
import { within } from '#src/platform/time/deadline.ts'
import { type Answer, type Console, note, type Visit } from '../visit.ts'
import { answerDecision, type Decided, orNothingChanged } from './answer-decision.ts'
import { correctionHash, differencePage, fieldsPage, valuesIn } from './correction-pages.ts'
import { type Returned, readSeen } from './decision-form.ts'

/** A page does not wait longer than this for the course. */
const courseMs = 10_000

interface Correcting {
  target: CorrectionTarget
  tools: Awaited<ReturnType<typeof correctionToolsFor>>
  /** The id of the last revocation of the credential. */
  last: number | null
}

async function correctingOf({ parts }: Console, id: number): Promise<Correcting> {
  await refuseWhileStopped(parts)
  const target = await findCorrectionTarget(parts, `i${id}`)
  const tools = await within(parts.clock, courseMs, correctionToolsFor(parts, target))
  const last = target.credentialId ? await parts.ledger.revocations.lastOf(target.credentialId) : null
  return { target, tools, last: last?.id ?? null }
}

/** The form with all fields, or the difference that a row of a list would make. */
export function correctPage(console: Console, visit: Visit, life: Explained): Promise<Answer> {
  return orNothingChanged(console, `/people/i${life.id}`, async () => {
    const correcting = await correctingOf(console, life.id)
    await noteLook(console, visit, life)
    const change = rowIn(visit.query)
    if (change) return showDifference(console, correcting, change)
    return fieldsPage(console, { ...correcting, values: correcting.target.recipient, fault: null })
  })
}

/** Shows the difference that the values of the form make. Changes nothing. */
export function previewCorrection(console: Console, visit: Visit, life: Explained): Promise<Answer> {
  return orNothingChanged(console, `/people/i${life.id}`, async () => {
    const correcting = await correctingOf(console, life.id)
    await noteLook(console, visit, life)
    if (readSeen(visit.form).getTime() !== correcting.target.stateSince.getTime()) throw new RowMovedError(life.id)
    const values = valuesIn(visit.form)
    try {
      return await showDifference(console, correcting, { values })
    } catch (error) {
      if (!(error instanceof CorrectionError)) throw error
      return fieldsPage(console, { ...correcting, values, fault: error.message })
    }
  })
}

const noteLook = (console: Console, visit: Visit, { id, run }: Explained): Promise<number> =>
  note(console, visit, 'looked at a person', { issuance: id, run })

async function showDifference(
  console: Console,
  { target, tools, last }: Correcting,
  change: WantedChange,
  returned?: Returned,
): Promise<Answer> {
  const proposed = await proposeChange(console.parts, target, tools, change)
  const whyNot = await whyNotNow(console, target, tools)
  return differencePage(console, { target, proposed, change, whyNot, last, returned })
}

const whyNotNow = (
  { parts }: Console,
  { courseUuid }: CorrectionTarget,
  { pipeline }: Correcting['tools'],
): Promise<string | null> => within(parts.clock, courseMs, whyNotIssuable(parts.issuer, courseUuid, pipeline))

export function correct(console: Console, visit: Visit, life: Explained): Promise<Answer> {
  const change: WantedChange = rowIn(visit.form) ?? { values: valuesIn(visit.form) }
  return answerDecision(console, visit, {
    to: `/people/i${life.id}`,
    again: (returned) =>
      orNothingChanged(console, `/people/i${life.id}`, async () => {
        const correcting = await correctingOf(console, life.id)
        await noteLook(console, visit, life)
        return showDifference(console, correcting, change, returned)
      }),
    async decide(decision) {
      const { target, tools } = await correctingOf(console, life.id)
      const proposed = await proposeChange(console.parts, target, tools, change)
      const whyNot = await whyNotNow(console, target, tools)
      if (whyNot !== null)
        throw new RefusedDecisionError(
          `Nothing was changed: the corrected credential could not be issued now, because ${whyNot}. Try again when it can be issued.`,
        )
      if (correctionHash(proposed.correction) !== visit.form.get('shown'))
        return {
          fault:
            'Something has changed since you saw the difference, such as the fields of the course or the settings: it would be another one now. Nothing was changed. The difference that would be made now is above: look at it again.',
        }
      return request(console, visit, { target, proposed, decision })
    },
  })
}

async function request(
  { parts }: Console,
  { form }: Visit,
  { target, proposed, decision }: { target: CorrectionTarget; proposed: ProposedChange; decision: OperatorDecision },
): Promise<Decided> {
  const { issuanceId, credentialId, state } = target
  const { correction } = proposed
  const stateSince = readSeen(form)
  if (!credentialId) {
    if (!(await parts.ledger.decisions.correct(issuanceId, correction, decision, new Map([[issuanceId, stateSince]]))))
      throw new RowMovedError(issuanceId)
    return {
      issuance: issuanceId,
      message: `i${issuanceId} is sent again with the corrected data, on its own, as soon as a worker runs.`,
    }
  }
  const seen = { stateSince, revocation: Number(form.get('last')) || null }
  const wanted = { credentialId, issuanceId, correction, decision, seen }
  const { status, sameData } = await parts.ledger.revocations.request(wanted)
  if (!sameData)
    throw new RefusedDecisionError(
      `i${issuanceId}: somebody else has corrected it in the meantime, with different data. Your data was not used, and nothing was changed.`,
    )
  const message =
    status === 'open' || status === 'corrected already'
      ? `i${issuanceId} is already being corrected with the same data: nothing was added.`
      : state === 'revoked'
        ? 'The corrected credential is issued in place of the revoked one, as soon as a worker runs.'
        : `Credential ${credentialId} is revoked first: a worker makes the call within seconds. The corrected one is issued in its place once that is confirmed.`
  return { issuance: issuanceId, message }
}

/** The row of a list whose data are meant, written as RUN:ROW; null if values are meant. */
function rowIn(fields: URLSearchParams): { run: string; row: number } | null {
  const [, run, row] = /^([0-9a-f-]{36}):(\d{1,9})$/.exec(fields.get('from') ?? '') ?? []
  return run === undefined ? null : { run, row: Number(row) }
}
