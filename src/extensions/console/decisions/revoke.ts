// Revokes a credential: that of an issuance, or one that the report shows but the ledger does not know. The worker
// makes the call; the page afterwards shows its steps.

import { RefusedDecisionError, refuseWhileStopped } from '#src/issuing/decisions/refused-decision-error.ts'
import {
  type CredentialName,
  findRevocable,
  type RevocableCredential,
  readCredentialName,
} from '#src/issuing/decisions/revocable-credential.ts'
import { isOpenRevocation } from '#src/ledger/revocations/revocation.ts'
import { within } from '#src/platform/time/deadline.ts'
import { facts } from '../html/elements.ts'
import { html } from '../html/markup.ts'
import { nameOf, sentFields } from '../html/recipient.ts'
import { revocationState, revocationWords } from '../html/sentences.ts'
import { ofIssuance } from '../visible-records.ts'
import { type Answer, type Console, note, type Visit } from '../visit.ts'
import { answerDecision, nothingChanged, orNothingChanged } from './answer-decision.ts'
import { decisionForm, decisionPage, type Returned, readSeenAt, seenAt } from './decision-form.ts'

/**
 * A page waits no longer than this for the report, which is searched for a credential that the ledger does not know.
 */
const reportMs = 10_000

interface Named {
  name: CredentialName
  /** The pages of the credential and of its revocation, without the base. */
  back: string
  path: string
}

type Revoking = (console: Console, visit: Visit, named: Named) => Promise<Answer>

/** By an issuance that the visitor sees. */
export const revokesIssued = (answer: Revoking) =>
  ofIssuance((console, visit, { id }) =>
    answer(console, visit, { name: { issuance: id }, back: `/people/i${id}`, path: `/people/i${id}/revoke` }),
  )

/** By the id of a credential. */
export const revokesByCredential =
  (answer: Revoking) =>
  async (console: Console, visit: Visit): Promise<Answer> => {
    const id = visit.params.id ?? ''
    const name = readCredentialName(id)
    if (!name || !('credential' in name)) return { kind: 'missing' }
    return answer(console, visit, { name, back: '/people', path: `/credentials/${id}/revoke` })
  }

async function revocableOf({ parts }: Console, name: CredentialName): Promise<RevocableCredential> {
  await refuseWhileStopped(parts)
  const found = await within(parts.clock, reportMs, findRevocable(parts, name))
  if ('line' in found) return found
  const what = 'issuance' in name ? `i${name.issuance}` : name.credential
  throw new RefusedDecisionError(`${what}: ${found.sentence}`)
}

export function revokePage(
  console: Console,
  visit: Visit,
  { name, back, path }: Named,
  returned?: Returned,
): Promise<Answer> {
  return orNothingChanged(console, back, async () => {
    const { credentialId, target, line } = await revocableOf(console, name)
    const last = await console.parts.ledger.revocations.lastOf(credentialId)
    if (last && isOpenRevocation(last.state)) {
      const already = `This has already been requested by ${last.by}: ${revocationState(last)}`
      return nothingChanged(console, back, already)
    }
    const about = target ? { issuance: target.issuanceId } : { detail: credentialId }
    await note(console, visit, 'looked at a credential to revoke', about)
    const who = target ? (nameOf(target.recipient) ?? `i${target.issuanceId}`) : `credential ${credentialId}`
    return decisionPage({
      title: `Revoke ${target ? `the credential of ${who}` : who}`,
      back: { href: back, text: target ? `i${target.issuanceId}` : 'People' },
      effect: html`<p>The service is asked to revoke credential ${credentialId}: it is not valid any more, and whoever looks it up sees that. <strong>This cannot be undone.</strong> A list that names the person again does not issue another one.</p>${target?.correctionWaits ? html`<p>The corrected credential that waits for this is issued in its place.</p>` : null}`,
      whom: html`${facts([
        ['Credential', credentialId],
        ['Pipeline', target?.pipeline ?? null],
        ['Issued on', target?.issueDate ?? null],
        ['In the report', target ? null : line],
        ['Last revocation', last && revocationWords(last, console.times)],
      ])}${target && sentFields(target.recipient)}`,
      decide: decisionForm(console, {
        action: path,
        seen: { seen: seenAt(target?.stateSince ?? null), last: String(last?.id ?? '') },
        button: 'Revoke it for good',
        isFinal: true,
        back,
        returned,
      }),
    })
  })
}

export function revoke(console: Console, visit: Visit, named: Named): Promise<Answer> {
  return answerDecision(console, visit, {
    to: named.back,
    again: (returned) => revokePage(console, visit, named, returned),
    async decide(decision) {
      const { credentialId, target } = await revocableOf(console, named.name)
      const issuanceId = target?.issuanceId ?? null
      const seen = {
        stateSince: readSeenAt(visit.form.get('seen')),
        revocation: Number(visit.form.get('last')) || null,
      }
      const wanted = { credentialId, issuanceId, correction: null, decision, seen }
      const { status } = await console.parts.ledger.revocations.request(wanted)
      const message =
        status === 'new'
          ? `Credential ${credentialId} is about to be revoked: a worker makes the call within seconds, and the report shows when it is done.`
          : `Credential ${credentialId} was already about to be revoked: nothing was added.`
      return { message, ...(issuanceId !== null && { issuance: issuanceId }) }
    },
  })
}
