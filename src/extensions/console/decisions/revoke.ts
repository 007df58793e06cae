// Revokes a credential: of an issuance, or one that the ledger does not know and the report shows. The worker makes the
// call; the page afterwards shows its steps.

import { revocationState, revocationWords } from '#src/extensions/console/html/sentences.ts'
import { visibleIssuance } from '#src/extensions/console/visible-run.ts'
import { RefusedDecisionError, refuseWhileStopped } from '#src/issuing/decisions/refused-decision-error.ts'
import {
  type CredentialName,
  findRevocable,
  type RevocableCredential,
  readCredentialName,
} from '#src/issuing/decisions/revocable-credential.ts'
import { isOpenRevocation, type Revocation } from '#src/ledger/revocations/revocation.ts'
import { within } from '#src/platform/time/deadline.ts'
import { facts, section, words, wordsOrNull } from '../html/elements.ts'
import { html } from '../html/markup.ts'
import { nameOf, sentFields } from '../html/recipient.ts'
import { type Answer, type Console, page, type Visit } from '../visit.ts'
import { answerDecision, nothingChanged, orNothingChanged } from './answer-decision.ts'
import { decisionForm, type Returned, readSeenAt, seenAt } from './decision-form.ts'

/** A page does not wait longer than this for the report, in which a credential is searched that the ledger does not know. */
const reportMs = 10_000

interface Named {
  name: CredentialName
  /** The pages of the credential and of its revocation, without the base. */
  back: string
  path: string
}

/** By the address: of an issuance that the visitor sees, or by the credential's own id. */
async function namedBy(console: Console, visit: Visit): Promise<Named | null> {
  const id = visit.params.id ?? ''
  if (visit.path.includes('/credentials/')) {
    const name = readCredentialName(id)
    return name && 'credential' in name ? { name, back: '/people', path: `/credentials/${id}/revoke` } : null
  }
  const life = await visibleIssuance(console, visit)
  return life && { name: { issuance: life.id }, back: `/people/i${life.id}`, path: `/people/i${life.id}/revoke` }
}

async function revocableOf({ parts }: Console, name: CredentialName): Promise<RevocableCredential> {
  await refuseWhileStopped(parts)
  const found = await within(parts.clock, reportMs, findRevocable(parts, name))
  if ('line' in found) return found
  const what = 'issuance' in name ? `i${name.issuance}` : name.credential
  throw new RefusedDecisionError(`${what}: ${found.sentence}`)
}

export async function revokePage(console: Console, visit: Visit, returned?: Returned): Promise<Answer> {
  const named = await namedBy(console, visit)
  if (!named) return { kind: 'missing' }
  return orNothingChanged(console, named.back, async () => {
    const { parts } = console
    const { credentialId, target, line } = await revocableOf(console, named.name)
    const last = await parts.ledger.revocations.lastOf(credentialId)
    if (last && isOpenRevocation(last.state)) return nothingChanged(console, named.back, alreadyWanted(last))
    await parts.ledger.consoleActs.note(
      {
        ...{ by: visit.visitor.name, act: 'looked at a credential to revoke' },
        ...(target ? { issuance: target.issuanceId } : { detail: credentialId }),
      },
      parts.clock.now(),
    )
    const who = target ? (nameOf(target.recipient) ?? `i${target.issuanceId}`) : `credential ${credentialId}`
    return page({
      title: `Revoke ${target ? `the credential of ${who}` : who}`,
      back: { href: named.back, text: target ? `i${target.issuanceId}` : 'People' },
      body: html`${section('What will happen', html`<p>The service is asked to revoke credential ${credentialId}: it is not valid any more, and whoever looks it up sees that. <strong>This cannot be undone.</strong> A list that names the person again does not issue another one.</p>${target?.correctionWaits ? html`<p>The corrected credential that waits for this is issued in its place.</p>` : null}`)}
${section(
  'To whom',
  html`${facts([
    ['Credential', words(credentialId)],
    ['Pipeline', target && words(target.pipeline)],
    ['Issued on', wordsOrNull(target?.issueDate ?? null)],
    ['In the report', target ? null : words(line)],
    ['Last revocation', last && revocationWords(last, console.times)],
  ])}${target && sentFields(target.recipient)}`,
)}
${section(
  'Decide',
  decisionForm(console, {
    action: named.path,
    seen: { seen: seenAt(target?.stateSince ?? null), last: last ? String(last.id) : '' },
    button: 'Revoke it for good',
    isFinal: true,
    back: named.back,
    returned,
  }),
)}`,
    })
  })
}

const alreadyWanted = (last: Revocation): string =>
  `This was asked for already, by ${last.by}: ${revocationState(last)}`

export async function revoke(console: Console, visit: Visit): Promise<Answer> {
  const named = await namedBy(console, visit)
  if (!named) return { kind: 'missing' }
  return answerDecision(console, visit, {
    to: named.back,
    again: (returned) => revokePage(console, visit, returned),
    async decide(decision) {
      const { credentialId, target } = await revocableOf(console, named.name)
      const issuanceId = target?.issuanceId ?? null
      const { status } = await console.parts.ledger.revocations.request({
        ...{ credentialId, issuanceId, correction: null, decision },
        seen: { stateSince: readSeenAt(visit.form.get('seen')), revocation: Number(visit.form.get('last')) || null },
      })
      const message =
        status === 'new'
          ? `Credential ${credentialId} is about to be revoked: a worker makes the call within seconds, and the report shows when it is done.`
          : `Credential ${credentialId} was about to be revoked already: nothing was added.`
      return { message, ...(issuanceId !== null && { issuance: issuanceId }) }
    },
  })
}
