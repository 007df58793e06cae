// Revokes the credential of an issuance. A worker makes the call; the page afterwards shows its steps.

import { RefusedDecisionError, refuseWhileStopped } from '#src/issuing/decisions/refused-decision-error.ts'
import { findRevocable } from '#src/issuing/decisions/revocable-credential.ts'
import type { Explained } from '#src/ledger/explain.ts'
import { isOpenRevocation } from '#src/ledger/revocations/revocation.ts'
import { facts } from '../html/elements.ts'
import { html } from '../html/markup.ts'
import { nameOf, sentFields } from '../html/recipient.ts'
import { revocationFact, revocationState } from '../html/revocation-status.ts'
import { type Answer, type Console, note, type Visit } from '../visit.ts'
import { answerDecision, nothingChanged, orNothingChanged } from './answer-decision.ts'
import { decisionForm, decisionPage, type Returned, readSeen, seenAt } from './decision-form.ts'

/** @throws RefusedDecisionError if there is no credential that can be revoked */
async function revocableOf({ parts }: Console, id: number) {
  await refuseWhileStopped(parts)
  const found = await findRevocable(parts, { issuance: id })
  if ('line' in found && found.target) return { credentialId: found.credentialId, target: found.target }
  throw new RefusedDecisionError(`i${id}: ${'sentence' in found ? found.sentence : 'it is not in the ledger'}`)
}

export function revokePage(console: Console, visit: Visit, { id }: Explained, returned?: Returned): Promise<Answer> {
  const back = `/people/i${id}`
  return orNothingChanged(console, back, async () => {
    const { credentialId, target } = await revocableOf(console, id)
    const last = await console.parts.ledger.revocations.lastOf(credentialId)
    if (last && isOpenRevocation(last.state)) {
      const already = `This has already been requested by ${last.by}: ${revocationState(last)}`
      return nothingChanged(console, back, already)
    }
    await note(console, visit, 'looked at a credential to revoke', { issuance: id })
    return decisionPage({
      title: `Revoke the credential of ${nameOf(target.recipient) ?? `i${id}`}`,
      back: { href: back, text: `i${id}` },
      effect: html`<p>The service is asked to revoke credential ${credentialId}: it is no longer valid, and whoever looks it up sees that. <strong>This cannot be undone.</strong> A list that names the person again does not issue another one.</p>${target.correctionWaits && html`<p>The corrected credential that waits for this is issued in its place.</p>`}`,
      whom: html`${facts([
        ['Credential', credentialId],
        ['Pipeline', target.pipeline],
        ['Issued on', target.issueDate],
        ['Last revocation', last && revocationFact(last, console.times)],
      ])}${sentFields(target.recipient)}`,
      decide: decisionForm(console, {
        action: `${back}/revoke`,
        seen: { seen: seenAt(target.stateSince), last: String(last?.id ?? '') },
        button: 'Revoke permanently',
        isFinal: true,
        back,
        returned,
      }),
    })
  })
}

export function revoke(console: Console, visit: Visit, life: Explained): Promise<Answer> {
  const { id } = life
  return answerDecision(console, visit, {
    to: `/people/i${id}`,
    again: (returned) => revokePage(console, visit, life, returned),
    async decide(decision) {
      const { credentialId } = await revocableOf(console, id)
      const seen = { stateSince: readSeen(visit.form), revocation: Number(visit.form.get('last')) || null }
      const wanted = { credentialId, issuanceId: id, correction: null, decision, seen }
      const { status } = await console.parts.ledger.revocations.request(wanted)
      const message =
        status === 'new'
          ? `Credential ${credentialId} is about to be revoked: a worker makes the call within seconds, and the report shows when it is done.`
          : `Credential ${credentialId} was already about to be revoked: nothing was added.`
      return { message, issuance: id }
    },
  })
}
