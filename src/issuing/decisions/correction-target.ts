// Finds what an operator wants to correct: exactly one credential, or one failed row without a credential. Reads the
// ledger. A revocation cannot be undone, so this code never chooses between matches: unless WHO is an id, exactly one
// row must match, regardless of the rows' states.

import { maskedPerson } from '#src/issuing/descriptions/masked-person.ts'
import { ForgottenError } from '#src/ledger/forgotten-people.ts'
import type { Ledger } from '#src/ledger/ledger.ts'
import { resolveRecipient } from '#src/ledger/resolve-recipient.ts'
import type { RevocationTarget } from '#src/ledger/revocations/revocation-targets.ts'
import { RefusedDecisionError } from './refused-decision-error.ts'
import { otherItemsSentence } from './why-unchanged.ts'

export type CorrectionTarget = RevocationTarget & { recipient: Record<string, string> }

/**
 * @throws RefusedDecisionError unless WHO matches exactly one credential that can be corrected, or exactly one failed
 * row without a credential
 */
export async function findCorrectionTarget({ ledger }: { ledger: Ledger }, who: string): Promise<CorrectionTarget> {
  const issuances = (await ledger.issuances.explain(resolveRecipient(ledger, who))).filter(
    (each) => each.environment === ledger.environment,
  )
  if (issuances.length === 0)
    throw new RefusedDecisionError(
      'No one in the ledger matches that. Give an issuance id such as i42, an e-mail address, a contact number or a register number.',
    )
  const targets = await ledger.revocations.targets({
    issuances: issuances.map((issuance) => issuance.id),
    credentials: [],
  })
  // A row that was already corrected is an earlier version of the same credential, so it is not another candidate.
  const matches = targets.filter((target) => target.correctedBy === null)
  const [target, secondMatch] = matches
  if (secondMatch) throw new RefusedDecisionError(severalMatches(matches))
  if (!target) throw new RefusedDecisionError(targets.map(whyNotCorrectable).join('\n'))
  const forgotten = (await ledger.issuances.forgottenOf([target.issuanceId])).get(target.issuanceId)
  if (forgotten) throw new ForgottenError(target.issuanceId, forgotten)
  return checkTarget(target)
}

function severalMatches(matches: readonly RevocationTarget[]): string {
  const lines = matches.map(
    ({ issuanceId, state, recipient, pipeline }) =>
      `  i${issuanceId}: ${state}, ${maskedPerson(recipient)} (${pipeline})`,
  )
  return [
    'Several rows of the ledger match that, perhaps of several people. Nothing was changed. Name one by its id:',
    ...lines,
  ].join('\n')
}

function checkTarget(target: RevocationTarget): CorrectionTarget {
  const { issuanceId, state, credentialId, recipient, correctionWaits, revocation } = target
  const isCorrectable = credentialId ? state === 'issued' || state === 'revoked' : state === 'failed'
  if (!isCorrectable) throw new RefusedDecisionError(whyNotCorrectable(target))
  if (!credentialId && target.surplusItems > 0)
    throw new RefusedDecisionError(`Nothing was changed: ${otherItemsSentence(issuanceId, target.surplusItems)}`)
  if (correctionWaits && ['wanted', 'sending', 'unconfirmed', 'accepted'].includes(revocation ?? ''))
    throw new RefusedDecisionError(
      `A correction of i${issuanceId} is already in progress: its revocation is ${revocation}. \`credsync reconcile\` continues it now, and \`credsync explain i${issuanceId}\` shows its history.`,
    )
  if (!recipient)
    throw new RefusedDecisionError(
      `The data of i${issuanceId} was removed, so there is nothing to correct. Issue the right data from a file.`,
    )
  if (target.image && credentialId)
    throw new RefusedDecisionError(
      `An image was sent with i${issuanceId}, and images are not kept once a credential is issued. Revoke the credential with \`credsync revoke i${issuanceId}\`, and issue the right data from a file.`,
    )
  return { ...target, recipient }
}

function whyNotCorrectable({ issuanceId, state, correctedBy }: RevocationTarget): string {
  if (correctedBy !== null) return `i${issuanceId} has already been corrected: i${correctedBy} replaced it.`
  return `i${issuanceId} is ${state}, and only an issued credential, or a failed row without one, can be corrected.`
}
