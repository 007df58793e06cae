// Revocations: each is one call, made once, and the report shows whether it took effect. Corrections continue here: the
// new credential is requested only once the old credential is revoked.

import { afterRevoking } from '#src/issuing/reconcile/decide-revocation.ts'
import { lookUpRevocation } from '#src/issuing/reconcile/look-up-revocation.ts'
import { LimitsClosedError } from '#src/platform/limits/limits-closed-error.ts'
import { faultName } from '#src/platform/log/fault-name.ts'
import { type SendTools, sendOnce } from './send-once.ts'

/** How long to wait before a revocation whose processing failed is tried again. */
const retryAfterFailureMs = 30_000

/**
 * Processes the due revocations, or the named ones.
 * @returns the errors by revocation; those are retried automatically
 */
export async function processRevocations(
  tools: SendTools,
  requestedIds: readonly number[] | null = null,
): Promise<Map<number, Error>> {
  const { ledger, log } = tools
  await ledger.revocations.markLost()
  await ledger.revocations.noteRevoked()
  const faults = new Map<number, Error>()
  for (const id of requestedIds ?? (await ledger.revocations.due())) {
    try {
      await processOne(tools, id)
    } catch (error) {
      // Closing gates are not an error: the next worker continues.
      if (error instanceof LimitsClosedError) throw error
      // A revocation that cannot be checked must not block the others.
      const fault = error instanceof Error ? error : new Error('unknown fault')
      faults.set(id, fault)
      log.event('fault', { where: 'revocation', error: faultName(fault), revocation: id })
      await ledger.revocations.postpone(id, retryAfterFailureMs)
    }
  }
  await carryOutCorrections(tools)
  return faults
}

async function processOne(tools: SendTools, id: number): Promise<void> {
  const { ledger, tuning } = tools
  const revocation = await ledger.revocations.find(id)
  if (revocation?.state === 'wanted') await sendRevocation(tools, id, revocation.credentialId)
  const current = await ledger.revocations.find(id)
  // A refusal is checked once in the report: somebody else may have revoked it first.
  if (current && ['unconfirmed', 'accepted', 'refused'].includes(current.state))
    await lookUpRevocation({ ...tools, ...tuning }, current)
}

async function sendRevocation(tools: SendTools, id: number, credentialId: string): Promise<void> {
  const { ledger, issuer, tuning, log } = tools
  const sent = await sendOnce(tools, {
    about: { revocation: id },
    claim: () => ledger.revocations.claim(id, tuning.deadlineMs),
    send: (options) => issuer.revokeCredential(credentialId, options),
    decideOutcome: afterRevoking,
    writeOutcome: (outcome, disposal, claim) => ledger.revocations.end({ id, claim }, outcome, disposal),
  })
  if (sent) log.event('revocation.sent', sent.fields)
}

/** Carries out the corrections that are ready according to the ledger, including those that an earlier process left. */
async function carryOutCorrections({ ledger, log }: SendTools): Promise<void> {
  for (const id of await ledger.revocations.readyCorrections()) {
    const issuance = await ledger.revocations.carryOut(id)
    if (issuance !== null) log.event('correction.made', { revocation: id, issuance })
  }
}
