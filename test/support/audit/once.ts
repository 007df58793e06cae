// Once each: who was asked for more often than once, and which sending had no right to be (I1, I2).

import type { AttemptPicture, LedgerPicture, RowPicture } from './ledger-picture.ts'
import { pair } from './pair.ts'
import type { Book } from './sandbox-book.ts'

/** How a course tells people and occasions apart: display names of fields. */
export type RuleOf = (course: string) => { identity: readonly string[]; occurrence: readonly string[] }

/**
 * Course, person and occasion, worked out from the sandbox's book alone: two rows of the ledger for one person are no excuse. A person
 * who decided to send again is one, and so is one who corrected it: then the first was revoked before the second was asked for.
 */
export function issuedTwice({ rows }: LedgerPicture, book: Book, ruleOf: RuleOf): string[] {
  const decisions = new Map<string, number>()
  for (const row of rows) {
    const decided = row.history.filter((line) => line.to === 'pending' && /^a person decided/.test(line.event)).length
    const key = row.recipient && credentialOf(row.course, row.recipient, ruleOf)
    if (key) decisions.set(key, (decisions.get(key) ?? 0) + decided)
  }
  const times = new Map<string, number>()
  for (const { course, student } of book.requests) {
    const key = credentialOf(course, student, ruleOf)
    times.set(key, (times.get(key) ?? 0) + 1)
  }
  const tooOften = [...times]
    .filter(([key, count]) => count > 1 + (decisions.get(key) ?? 0))
    .map(([key, count]) => `${key}: ${count}`)
  return [...tooOften, ...correctedTooSoon(rows, book)]
}

/** The old credential of a correction was revoked before the new one was asked for: never two valid ones because of us. */
function correctedTooSoon(rows: readonly RowPicture[], book: Book): string[] {
  return rows.flatMap((row) => {
    const old = rows.find((each) => each.id === row.corrects)
    const [first] = book.of(row)
    if (!old || !first) return []
    const valid = book.of(old).filter((each) => each.status === 3 && !(each.revokedAt && each.revokedAt <= first.at))
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

/** I1. By the ledger's history, by its attempts, and by what the sandbox really took. */
export function sentWithoutRight({ rows, attempts }: LedgerPicture, book: Book): string[] {
  const byId = new Map(attempts.map((attempt) => [attempt.id, attempt]))
  const passed = attempts.filter((attempt) => attempt.passed)
  const found: string[] = []
  for (const row of rows) {
    const calls = passed.filter((attempt) => attempt.rows.includes(row.id))
    const sendings = row.history.filter((line) => line.to === 'sending').length
    const taken = book.of(row).length
    const left = calls.filter((attempt) => attempt.outcome !== 'not_sent').length
    if (repeatedInDoubt(row, byId)) found.push(`i${row.id}: sent again without proof that the first was not taken`)
    if (sendings !== calls.length)
      found.push(`i${row.id}: ${calls.length} attempts past the door, ${sendings} in its history`)
    if (taken > left) found.push(`i${row.id}: the sandbox has ${taken}, of ${left} calls that could have brought it`)
  }
  for (const request of book.nobodys) found.push(`request ${request.entityUuid}: no row asked for it`)
  return [...found, ...callsWithoutAttempt(passed, book, rows)]
}

/** Between two sendings stands a word that the first was not taken: the wire's, the service's, the report's or a person's. */
function repeatedInDoubt({ history }: RowPicture, attempts: ReadonlyMap<number, AttemptPicture>): boolean {
  let doubtful = false
  let looks = 0
  for (const { event, from, to, attempt } of history) {
    if (event === 'not in the report') looks++
    if (to === 'sending') {
      if (doubtful) return true
      doubtful = true
      looks = 0
    } else if (to === 'unconfirmed' && from === 'pending') doubtful = true
    else if (to === 'pending') doubtful &&= !isProof(event, attempts.get(attempt ?? 0), looks)
  }
  return false
}

function isProof(event: string, attempt: AttemptPicture | undefined, looks: number): boolean {
  if (/^a person decided/.test(event)) return true
  if (event === 'proven not applied') return looks > 0
  // Refused in words a batch may have been taken in part; refused for its keys it was not even looked at.
  if (event === 'call refused') return attempt?.status === 401
  return /^call (not_sent|throttled|too_large)$/.test(event)
}

/** Every call that the sandbox applied is one attempt's, and no attempt has two. */
function callsWithoutAttempt(passed: readonly AttemptPicture[], book: Book, rows: readonly RowPicture[]): string[] {
  const rowOf = new Map<string, number>()
  for (const row of rows) for (const request of book.of(row)) rowOf.set(request.entityUuid, row.id)
  const able = passed.filter((attempt) => attempt.outcome !== 'not_sent')
  const calls = book.calls.filter((call) => call.length > 0)
  const unpaired = pair(
    calls.map((call) => {
      const ids = call.map((uuid) => rowOf.get(uuid))
      return able.flatMap((attempt, at) =>
        ids.every((id) => id !== undefined && attempt.rows.includes(id)) ? [at] : [],
      )
    }),
  )
  return unpaired.map((at) => `call ${at + 1} of the sandbox (${calls[at]?.length} requests): no attempt of its own`)
}

/** I2. */
export function claimedTwice({ rows, surplusClaimed }: LedgerPicture): string[] {
  const owners = new Map<string, Set<number>>()
  for (const row of rows)
    for (const key of [...row.claims, row.entityUuid])
      if (key) owners.set(key, (owners.get(key) ?? new Set()).add(row.id))
  const shared = [...owners].filter(([, ids]) => ids.size > 1).map(([key, ids]) => `${key}: i${[...ids].join(', i')}`)
  return [...shared, ...surplusClaimed.map((key) => `${key}: claimed, and surplus`)]
}
