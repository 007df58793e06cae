// Whom `credsync correct WHO` means: exactly one credential, or one failed row without one. What is revoked cannot be given back, so nothing
// is chosen here: whoever is not named by an id must be the only one that WHO can mean, whatever state the others are in.

import type { App } from '#src/app.ts'
import type { RevocationTarget } from '#src/ledger/revocation-targets.ts'
import { UsageError } from './exit-code.ts'
import { maskedPerson } from './revocation-words.ts'
import { shownBeside } from './shown-beside.ts'
import { sought } from './sought.ts'

export type Correctable = RevocationTarget & { recipient: Record<string, string> }

/** @throws UsageError unless WHO is exactly one credential that can be corrected, or one failed row that has none */
export async function correctable(app: Pick<App, 'ledger'>, who: string): Promise<Correctable> {
  const ids = (await app.ledger.explain(sought(app.ledger, who))).filter(
    (each) => each.environment === app.ledger.environment,
  )
  if (ids.length === 0)
    throw new UsageError(
      'The ledger knows nobody by that. Give an issuance id such as i42, an e-mail address, a contact number or a register number.',
    )
  const targets = await app.ledger.revocations.targets({ issuances: ids.map((each) => each.id), credentials: [] })
  // What was corrected is the same credential's past, and not another one that could be meant.
  const meant = targets.filter((each) => each.correctedBy === null)
  const [only, another] = meant
  if (another) throw new UsageError(severalMeant(meant))
  if (!only) throw new UsageError(targets.map(whyNot).join('\n'))
  return judge(only)
}

function severalMeant(meant: readonly RevocationTarget[]): string {
  const lines = meant.map(
    ({ issuanceId, state, recipient, pipeline }) =>
      `  i${issuanceId}: ${state}, ${maskedPerson(recipient)} (${pipeline})`,
  )
  return [
    'Several rows of the ledger can be meant by that, perhaps of several people. Nothing was changed. Name the one by its id:',
    ...lines,
  ].join('\n')
}

function judge(only: RevocationTarget): Correctable {
  const { issuanceId, state, credentialId, recipient, correctionWaits, revocation } = only
  const can = credentialId ? state === 'issued' || state === 'revoked' : state === 'failed'
  if (!can) throw new UsageError(whyNot(only))
  if (!credentialId && only.surplusItems > 0)
    throw new UsageError(`Nothing was changed: ${shownBeside(issuanceId, only.surplusItems)}`)
  if (correctionWaits && ['wanted', 'sending', 'unconfirmed', 'accepted'].includes(revocation ?? ''))
    throw new UsageError(
      `A correction of i${issuanceId} is under way already: its revocation is ${revocation}. \`credsync reconcile\` looks after it now, and \`credsync explain i${issuanceId}\` tells the story.`,
    )
  if (!recipient)
    throw new UsageError(
      `The data of i${issuanceId} were removed, so there is nothing to correct. Issue the right data from a file.`,
    )
  if (only.image && credentialId)
    throw new UsageError(
      `An image travelled with i${issuanceId}, and images are not kept once a credential is issued. Revoke it with \`credsync revoke i${issuanceId}\`, and issue the right data from a file.`,
    )
  return { ...only, recipient }
}

function whyNot({ issuanceId, state, correctedBy }: RevocationTarget): string {
  if (correctedBy !== null) return `i${issuanceId} was corrected already: i${correctedBy} took its place.`
  return `i${issuanceId} is ${state}, and only an issued credential, or a failed row without one, can be corrected.`
}
