// The judge: knows what the service truly did (the worker can't see that), what the ledger says and what the source was told. The invariants
// I1 to I6 are those of docs/guarantees.md; I7 and I8 are shown by the weather, which repeats jobs and empties the queue.

import type { SandboxCore } from '#src/sandbox/open-sandbox-core.ts'
import type { MemoryLedger } from './ledger/memory-ledger.ts'
import { emailOf, type Told } from './source.ts'

export interface Judgement {
  /** What must never happen, in words, each with its person; empty in a good run. */
  faults: string[]
  issued: number
  /** Rows for a person to decide, and how many of them the service had truly taken. */
  held: number
  heldButTaken: number
  resent: number
  /** Calls whose outcome was unknown to the worker. */
  unknown: number
  reportCalls: number
  invitations: number
}

export interface Evidence {
  core: SandboxCore
  ledger: MemoryLedger
  told: readonly Told[]
  people: number
  /** entity uuids of what somebody issued at the service's own portal. */
  byHand: ReadonlySet<string>
  /** False when something was still open after a month of good weather. */
  ended: boolean
}

export function judge({ core, ledger, told, people, byHand, ended }: Evidence): Judgement {
  const faults: string[] = []
  const truth = new Map<string, { status: number; credentialId: string | null; entityUuid: string }[]>()
  for (const request of core.requests()) {
    if (byHand.has(request.entityUuid)) continue
    const email = String(request.student.Email)
    truth.set(email, [...(truth.get(email) ?? []), request])
  }
  const rows = new Map(ledger.issuances().map((row) => [row.recipient?.Email ?? '', row]))

  for (let person = 0; person < people; person++) {
    const email = emailOf(person)
    const taken = truth.get(email) ?? []
    const row = rows.get(email)
    if (taken.length > 1) faults.push(`issued ${taken.length} times: ${email}`)
    if (!row) {
      faults.push(`lost: ${email}`)
      continue
    }
    // The report may show an item's entity_uuid later than its credential.
    const { entityUuid, credentialId } = row.shown
    const claimed = taken.find((each) => {
      if (entityUuid) return each.entityUuid === entityUuid
      return credentialId ? each.credentialId === credentialId : row.claim !== null
    })
    if (row.state === 'issued' && (claimed?.status !== 3 || claimed.credentialId !== row.shown.credentialId))
      faults.push(`the ledger says issued and it is not, or not theirs: ${email}`)
    if (row.state === 'rejected' && claimed?.status !== 4)
      faults.push(`the ledger says rejected and it is not: ${email}`)
    if (row.state === 'failed' && claimed && claimed.status !== 7)
      faults.push(`the ledger says failed and it is not: ${email}`)
    if (row.state === 'failed' && !claimed && taken.length > 0) faults.push(`given up although it was taken: ${email}`)
    if (row.resends > 1) faults.push(`sent again ${row.resends} times: ${email}`)
    if (!ended && !['issued', 'rejected', 'failed', 'held', 'revoked'].includes(row.state))
      faults.push(`still ${row.state} after a month of good weather: ${email}`)
  }
  if (!ended && faults.length === 0) faults.push('not everything was told to the source')
  faults.push(...toldWrongly(told, truth), ...claimedTwice(ledger), ...sentWithoutProof(ledger))

  const held = [...rows.values()].filter((row) => row.state === 'held')
  const calls = core.journal().calls
  const callsTo = (part: string) =>
    Object.entries(calls).reduce((sum, [endpoint, count]) => sum + (endpoint.includes(part) ? count : 0), 0)
  return {
    faults,
    issued: [...rows.values()].filter((row) => row.state === 'issued').length,
    held: held.length,
    heldButTaken: held.filter((row) => truth.has(row.recipient?.Email ?? '')).length,
    resent: [...rows.values()].reduce((sum, row) => sum + row.resends, 0),
    unknown: ledger.attempts().filter((attempt) => attempt.outcome === 'unknown').length,
    reportCalls: callsTo('report'),
    invitations: callsTo('data/upload'),
  }
}

/** A credential id can be known only once it is issued, so the right one was told in time. */
function toldWrongly(
  told: readonly Told[],
  truth: ReadonlyMap<string, { status: number; credentialId: string | null }[]>,
): string[] {
  const wrong = (line: Told) => {
    const mine = truth.get(line.email) ?? []
    if (line.status === 'issued')
      return !mine.some((each) => each.credentialId === line.credentialId && each.status === 3)
    if (line.status === 'rejected') return !mine.some((each) => each.status === 4)
    if (line.status === 'failed') return mine.some((each) => each.status !== 7)
    // A row that is known from another list is told with the credential that it led to.
    return (
      line.credentialId !== '' && !mine.some((each) => each.credentialId === line.credentialId && each.status === 3)
    )
  }
  return [...new Set(told.filter(wrong).map((line) => `told ${line.status}, which is not so: ${line.email}`))]
}

function claimedTwice(ledger: MemoryLedger): string[] {
  const owners = new Map<string, number>()
  const faults: string[] = []
  for (const row of ledger.issuances()) {
    if (!row.shown.entityUuid) continue
    const owner = owners.get(row.shown.entityUuid)
    if (owner !== undefined) faults.push(`one credential for two rows: i${owner} and i${row.id}`)
    owners.set(row.shown.entityUuid, row.id)
  }
  return faults
}

const proofs = /^(call (not_sent|throttled|too_large|refused)|proven not applied|a person decided)/

/** I1: between two sendings there stands a word that the first was not applied. */
function sentWithoutProof(ledger: MemoryLedger): string[] {
  const faults: string[] = []
  for (const { id } of ledger.issuances()) {
    let doubtful = false
    for (const { event, to } of ledger.history(id)) {
      if (to === 'sending' && doubtful) faults.push(`sent again without proof: i${id}`)
      if (to === 'sending') doubtful = true
      else if (proofs.test(event)) doubtful = false
    }
  }
  return faults
}
