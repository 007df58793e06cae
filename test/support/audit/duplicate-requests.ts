// Finds people who were requested more than once, and calls that should not have been sent (I1, I2).

import { unmatched } from './bipartite-matching.ts'
import type { AttemptPicture, LedgerPicture, RowPicture } from './ledger-picture.ts'
import type { Book } from './sandbox-book.ts'

/** The display names of the fields that identify a person and an occasion in a course. */
export type RuleOf = (course: string) => { identity: readonly string[]; occurrence: readonly string[] }

/**
 * Identifies course, person and occasion from the sandbox's records only, so that two ledger rows for one person do not
 * hide a duplicate. Two requests are allowed after a decision to send again, and after a correction if the first
 * credential was revoked before the second was requested.
 */
export function issuedTwice({ rows }: LedgerPicture, book: Book, ruleOf: RuleOf): string[] {
  const decisions = new Map<string, number>()
  for (const row of rows) {
    const decided = row.history.filter((line) => line.to === 'pending' && /^a person decided/.test(line.event)).length
    const key = row.recipient && credentialOf(row.course, row.recipient, ruleOf)
    if (key) decisions.set(key, (decisions.get(key) ?? 0) + decided)
  }
  const requestCounts = new Map<string, number>()
  for (const { course, student } of book.requests) {
    const key = credentialOf(course, student, ruleOf)
    requestCounts.set(key, (requestCounts.get(key) ?? 0) + 1)
  }
  const tooOften = [...requestCounts]
    .filter(([key, count]) => count > 1 + (decisions.get(key) ?? 0))
    .map(([key, count]) => `${key}: ${count}`)
  return [...tooOften, ...correctedTooSoon(rows, book)]
}

/**
 * Returns the corrections whose old credential was not revoked before the new one was requested, so that both were
 * valid at the same time.
 */
function correctedTooSoon(rows: readonly RowPicture[], book: Book): string[] {
  return rows.flatMap((row) => {
    const old = rows.find((each) => each.id === row.corrects)
    const [first] = book.requestsOf(row)
    if (!old || !first) return []
    const valid = book
      .requestsOf(old)
      .filter((request) => request.status === 3 && !(request.revokedAt && request.revokedAt <= first.at))
    return valid.length > 0 ? [`i${row.id}: takes the place of i${old.id}, which was not revoked`] : []
  })
}

function credentialOf(course: string, values: Readonly<Record<string, unknown>>, ruleOf: RuleOf): string {
  const rule = ruleOf(course)
  const primary = String(values['Primary Value'] || 'Email')
  const fields = [...(rule.identity.length > 0 ? rule.identity : [primary]), ...rule.occurrence]
  const plain = (name: string) => {
    const text = String(values[name] ?? '')
      .trim()
      .normalize('NFC')
      .toLowerCase()
    return /contact|phone|mobile/i.test(name) ? text.replace(/\D|^0+/g, '') : text
  }
  return [course, ...fields.map(plain)].join(' ')
}

/** I1, checked against the ledger's history, its attempts and what the sandbox applied. */
export function sentWithoutPermission({ rows, attempts }: LedgerPicture, book: Book): string[] {
  const claimed = attempts.filter((attempt) => attempt.claimed)
  const found: string[] = []
  for (const row of rows) {
    const calls = claimed.filter((attempt) => attempt.rows.includes(row.id))
    const sendings = row.history.filter((line) => line.to === 'sending').length
    const received = book.requestsOf(row).length
    const possible = calls.filter((attempt) => attempt.outcome !== 'not_sent').length
    if (repeatedInDoubt(row)) found.push(`i${row.id}: sent again without proof that the first was not received`)
    if (sendings !== calls.length)
      found.push(`i${row.id}: ${calls.length} attempts claimed, ${sendings} in its history`)
    if (received > possible)
      found.push(`i${row.id}: the sandbox has ${received}, of ${possible} calls that could have created it`)
  }
  for (const request of book.unmatched) found.push(`request ${request.entityUuid}: no row asked for it`)
  return [...found, ...callsWithoutAttempt(claimed, book, rows)]
}

/**
 * Whether the row was sent twice without evidence in between that the first call was not applied. Evidence comes from
 * the network, the service, the report or an operator's decision.
 */
function repeatedInDoubt({ history }: RowPicture): boolean {
  let doubtful = false
  let looks = 0
  for (const { event, from, to } of history) {
    if (event === 'not in the report') looks++
    if (to === 'sending') {
      if (doubtful) return true
      doubtful = true
      looks = 0
    } else if (to === 'unconfirmed' && from === 'pending') doubtful = true
    else if (to === 'pending') doubtful &&= !isProof(event, looks)
  }
  return false
}

function isProof(event: string, looks: number): boolean {
  if (/^a person decided/.test(event)) return true
  if (event === 'proven not applied') return looks > 0
  // A batch that was refused because of its rows may have been applied in part. A batch refused for its credentials was
  // never processed.
  return /^call (not_sent|throttled|too_large|unauthorised)$/.test(event)
}

/** Every call that the sandbox applied belongs to one attempt, and no attempt has two such calls. */
function callsWithoutAttempt(claimed: readonly AttemptPicture[], book: Book, rows: readonly RowPicture[]): string[] {
  const rowOf = new Map<string, number>()
  for (const row of rows) for (const request of book.requestsOf(row)) rowOf.set(request.entityUuid, row.id)
  const sent = claimed.filter((attempt) => attempt.outcome !== 'not_sent')
  const calls = book.calls.filter((call) => call.length > 0)
  const unpaired = unmatched(
    calls.map((call) => {
      const ids = call.map((uuid) => rowOf.get(uuid))
      return sent.flatMap((attempt, at) =>
        ids.every((id) => id !== undefined && attempt.rows.includes(id)) ? [at] : [],
      )
    }),
  )
  return unpaired.map((at) => `call ${at + 1} of the sandbox (${calls[at]?.length} requests): no attempt of its own`)
}

/** I2. Returns report items that are claimed twice, or that are both claimed and surplus. */
export function claimedTwice({ rows, surplusClaimed }: LedgerPicture): string[] {
  const owners = new Map<string, Set<number>>()
  for (const row of rows)
    for (const key of [...row.claims, row.entityUuid])
      if (key) owners.set(key, (owners.get(key) ?? new Set()).add(row.id))
  const shared = [...owners].filter(([, ids]) => ids.size > 1).map(([key, ids]) => `${key}: i${[...ids].join(', i')}`)
  return [...shared, ...surplusClaimed.map((key) => `${key}: claimed, and surplus`)]
}
