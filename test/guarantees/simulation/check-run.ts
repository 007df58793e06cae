// Compares what the service did, which the worker cannot see, with the ledger and with the results that were reported
// to the source. Invariants I1 to I6 are those of docs/guarantees.md; I7 and I8 are tested by weather that repeats jobs
// and empties the queue.

import type { SandboxCore } from '#sandboxes/service/open-sandbox-core.ts'
import type { MemoryLedger } from './ledger/memory-ledger.ts'
import { emailOf, type ReportedRow } from './source.ts'

export interface RunFindings {
  /** A description of each violation, with the person's address or the row's id; empty for a correct run. */
  faults: string[]
  issued: number
  /** Rows held for an operator's decision, and how many of those the service had in fact accepted. */
  held: number
  heldButAccepted: number
  resent: number
  /** Calls whose outcome was unknown to the worker. */
  unknown: number
  reportCalls: number
  invitations: number
}

export interface Evidence {
  core: SandboxCore
  ledger: MemoryLedger
  reported: readonly ReportedRow[]
  people: number
  /** Entity uuids of credentials issued manually in the service's portal. */
  byHand: ReadonlySet<string>
  /** How many times a row may be sent again automatically. */
  resends: number
  /** False if something was still open after a month of good weather. */
  ended: boolean
}

export function checkRun({ core, ledger, reported, people, byHand, resends, ended }: Evidence): RunFindings {
  const faults: string[] = []
  const truth = new Map<string, { status: number; credentialId: string | null; entityUuid: string }[]>()
  for (const request of core.requests()) {
    if (byHand.has(request.entityUuid)) continue
    const email = String(request.student.Email)
    truth.set(email, [...(truth.get(email) ?? []), request])
  }
  const rows = new Map(ledger.records.issuances().map((row) => [row.recipient?.Email ?? '', row]))

  for (let person = 0; person < people; person++) {
    const email = emailOf(person)
    const requests = truth.get(email) ?? []
    const row = rows.get(email)
    if (requests.length > 1) faults.push(`issued ${requests.length} times: ${email}`)
    if (!row) {
      faults.push(`lost: ${email}`)
      continue
    }
    // The report may show an item's entity_uuid later than its credential.
    const { entityUuid, credentialId } = row.shown
    const claimed = requests.find((request) => {
      if (entityUuid) return request.entityUuid === entityUuid
      return credentialId ? request.credentialId === credentialId : row.claim !== null
    })
    if (row.state === 'issued' && (claimed?.status !== 3 || claimed.credentialId !== row.shown.credentialId))
      faults.push(`the ledger says issued, but the credential is not issued or belongs to someone else: ${email}`)
    if (row.state === 'rejected' && claimed?.status !== 4)
      faults.push(`the ledger says rejected, but the service does not: ${email}`)
    if (row.state === 'failed' && claimed && claimed.status !== 7)
      faults.push(`the ledger says failed, but the service does not: ${email}`)
    if (row.state === 'failed' && !claimed && requests.length > 0)
      faults.push(`marked failed although the service accepted it: ${email}`)
    if (row.resends > resends) faults.push(`sent again ${row.resends} times: ${email}`)
    if (!ended && !['issued', 'rejected', 'failed', 'held', 'revoked'].includes(row.state))
      faults.push(`still ${row.state} after a month of good weather: ${email}`)
  }
  if (!ended && faults.length === 0) faults.push('not every outcome was reported to the source')
  faults.push(...wrongReports(reported, truth), ...claimedTwice(ledger), ...sentWithoutProof(ledger))

  const held = [...rows.values()].filter((row) => row.state === 'held')
  const calls = core.journal().calls
  const callsTo = (part: string) =>
    Object.entries(calls).reduce((sum, [endpoint, count]) => sum + (endpoint.includes(part) ? count : 0), 0)
  return {
    faults,
    issued: [...rows.values()].filter((row) => row.state === 'issued').length,
    held: held.length,
    heldButAccepted: held.filter((row) => truth.has(row.recipient?.Email ?? '')).length,
    resent: [...rows.values()].reduce((sum, row) => sum + row.resends, 0),
    unknown: ledger.records.attempts().filter((attempt) => attempt.outcome === 'unknown').length,
    reportCalls: callsTo('report'),
    invitations: callsTo('data/upload'),
  }
}

/** A credential id exists only once the credential is issued, so a correct id was not reported too early. */
function wrongReports(
  reported: readonly ReportedRow[],
  truth: ReadonlyMap<string, { status: number; credentialId: string | null }[]>,
): string[] {
  const wrong = (line: ReportedRow) => {
    const requests = truth.get(line.email) ?? []
    if (line.status === 'issued')
      return !requests.some((request) => request.credentialId === line.credentialId && request.status === 3)
    if (line.status === 'rejected') return !requests.some((request) => request.status === 4)
    if (line.status === 'failed') return requests.some((request) => request.status !== 7)
    // A row known from another list is reported with the credential that came from that list.
    return (
      line.credentialId !== '' &&
      !requests.some((request) => request.credentialId === line.credentialId && request.status === 3)
    )
  }
  return [...new Set(reported.filter(wrong).map((line) => `wrongly reported as ${line.status}: ${line.email}`))]
}

function claimedTwice(ledger: MemoryLedger): string[] {
  const owners = new Map<string, number>()
  const faults: string[] = []
  for (const row of ledger.records.issuances()) {
    if (!row.shown.entityUuid) continue
    const owner = owners.get(row.shown.entityUuid)
    if (owner !== undefined) faults.push(`one credential for two rows: i${owner} and i${row.id}`)
    owners.set(row.shown.entityUuid, row.id)
  }
  return faults
}

// History events that prove the previous call was not applied, as written by decide-after-sending.ts,
// decide-absent-row.ts and decisions.ts.
const proofs = /^(call (not_sent|throttled|too_large|unauthorised|refused)|proven not applied|a person decided)/

/** I1: between two calls there must be evidence that the first was not applied. */
function sentWithoutProof(ledger: MemoryLedger): string[] {
  const faults: string[] = []
  for (const { id } of ledger.records.issuances()) {
    let doubtful = false
    for (const { event, to } of ledger.records.history(id)) {
      if (to === 'sending' && doubtful) faults.push(`sent again without proof: i${id}`)
      if (to === 'sending') doubtful = true
      else if (proofs.test(event)) doubtful = false
    }
  }
  return faults
}
