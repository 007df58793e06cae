// Revocations: each is one call, made once; what became of it is the report's to say. A correction goes on from here: the new credential
// is made when the old one is revoked, and not before.

import { LimitsClosedError } from '#src/limits/limits-closed-error.ts'
import { faultName } from '#src/log/fault-name.ts'
import { afterRevoking } from '#src/reconcile/decide-revocation.ts'
import { lookForRevocation } from '#src/reconcile/look-for-revocation.ts'
import type { Tools } from './tools.ts'

type RevocationTools = Pick<Tools, 'ledger' | 'issuer' | 'log' | 'clock' | 'tuning'>

/** A call that was held up between door and sending goes stale: by then it may have been taken for lost. */
const doorFreshMs = 5_000
/** Until one that could not be tended is tried again. */
const troubledMs = 30_000

/** Tends what is due, or those that are named. @returns the faults, by revocation; those are tried again by themselves */
export async function tendRevocations(
  tools: RevocationTools,
  named: readonly number[] | null = null,
): Promise<Map<number, Error>> {
  const { ledger, log } = tools
  await ledger.revocations.lose()
  await ledger.revocations.noteRevoked()
  const faults = new Map<number, Error>()
  for (const id of named ?? (await ledger.revocations.due())) {
    try {
      await tend(tools, id)
    } catch (error) {
      // Closing is no fault: the next worker tends it.
      if (error instanceof LimitsClosedError) throw error
      // One that cannot be looked for must not keep the others from it.
      const fault = error instanceof Error ? error : new Error('unknown fault')
      faults.set(id, fault)
      log.event('fault', { where: 'revocation', error: faultName(fault), revocation: id })
      await ledger.revocations.postpone(id, troubledMs)
    }
  }
  await correct(tools)
  return faults
}

async function tend(tools: RevocationTools, id: number): Promise<void> {
  const { ledger, tuning } = tools
  const wanted = await ledger.revocations.find(id)
  if (wanted?.state === 'wanted') await send(tools, id, wanted.credentialId)
  const now = await ledger.revocations.find(id)
  // A refusal is looked into once: whoever else revoked it may have been faster.
  if (now && ['unconfirmed', 'accepted', 'refused'].includes(now.state))
    await lookForRevocation({ ...tools, ...tuning }, now)
}

async function send({ ledger, issuer, tuning, clock, log }: RevocationTools, id: number, credentialId: string) {
  // A token first: what stands in the way of one must not find the revocation behind the door.
  await issuer.checkToken()
  const atDoor = clock.monotonicMs()
  if (!(await ledger.revocations.passDoor(id, tuning.deadlineMs))) return
  const mayStillSend = () => clock.monotonicMs() - atDoor < doorFreshMs
  const options = { deadlineMs: tuning.deadlineMs, mayWaitMs: doorFreshMs, mayStillSend }
  const outcome = await issuer.revokeCredential(credentialId, options)
  await ledger.revocations.end(id, outcome, afterRevoking(outcome))
  const { class: result, status, code } = outcome
  log.event('revocation.sent', { revocation: id, outcome: result, status, code })
}

/** Also what an earlier process left: the ledger knows which corrections are ready. */
async function correct({ ledger, log }: RevocationTools): Promise<void> {
  for (const id of await ledger.revocations.readyCorrections()) {
    const issuance = await ledger.revocations.carryOut(id)
    if (issuance !== null) log.event('correction.made', { revocation: id, issuance })
  }
}
