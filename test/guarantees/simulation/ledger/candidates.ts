// Selects the rows of the twin that a page of the report may be about.

import type { Candidate } from '#src/ledger/report/report-items.ts'
import type { IssuanceRecord } from './records.ts'
import { dateOf, type Tables } from './tables.ts'

/** Every row ever sent for the people with these hashes, and the owners of claimed keys; by id. */
export function findCandidates(tables: Tables, hashes: readonly Buffer[], keys: readonly string[]): Candidate[] {
  const found = new Set<IssuanceRecord>()
  for (const hash of hashes)
    for (const issuance of tables.byMatch.get(hash.toString('hex')) ?? [])
      if (issuance.firstSentAt !== null) found.add(issuance)
  for (const key of keys) {
    const owner = tables.claims.get(key)?.issuance
    if (owner && owner.firstSentAt !== null) found.add(owner)
  }
  return [...found].sort((a, b) => a.id - b.id).map(candidateOf)
}

function candidateOf(issuance: IssuanceRecord): Candidate {
  return {
    id: issuance.id,
    state: issuance.state,
    courseUuid: issuance.course.uuid,
    matchHashes: issuance.matchHashes,
    recipient: issuance.recipient,
    firstSentAt: dateOf(issuance.firstSentAt) as Date,
    lastSentAt: dateOf(issuance.lastSentAt) as Date,
    lastOutcome: issuance.attempt?.outcome ?? null,
    claimedKey: issuance.claim?.key ?? null,
    decidedAt: dateOf(issuance.decidedAt),
    surplusItems: issuance.surplusItems,
    certificateName: issuance.course.certificateName,
    shown: issuance.shown,
  }
}

export function findClaims(tables: Tables, keys: readonly string[]): Map<string, number> {
  const found = new Map<string, number>()
  for (const key of keys) {
    const claim = tables.claims.get(key)
    if (claim) found.set(key, claim.issuance.id)
  }
  return found
}
