// credsync revoke: revokes credentials by their ids. The ledger stores who revoked them, when and why; the report shows
// the effect of each call.

import type { App } from '#src/app/app.ts'
import { refuseWhileStopped } from '#src/issuing/decisions/refuse-while-stopped.ts'
import { maskedItem, maskedPerson } from '#src/issuing/descriptions/masked-person.ts'
import { revocationStatus } from '#src/issuing/descriptions/revocation-status.ts'
import { findCredential } from '#src/issuing/reconcile/look-up-revocation.ts'
import { countOf } from '#src/issuing/results/counted-noun.ts'
import type { Revocation } from '#src/ledger/revocations/revocation.ts'
import type { RevocationTarget } from '#src/ledger/revocations/revocation-targets.ts'
import { safeMessage } from '#src/platform/safe-message.ts'
import { appFor, type Cli, printJson, say, settingsFor } from '../cli-context.ts'
import { confirm } from '../confirm.ts'
import { type ExitCode, exitCode, exitCodeOf, UsageError } from '../exit-code.ts'
import { operatorDecision } from '../operator-decision.ts'

export interface RevokeOptions {
  reason?: string
  by?: string
  yes?: boolean
  json?: boolean
  config?: string
}

/** A credential that can be revoked. */
interface RevocableCredential {
  id: string
  credentialId: string
  issuanceId: number | null
  line: string
}

/** The result for one of the given ids. */
interface Result {
  id: string
  credential: string | null
  state: Revocation['state'] | null
  sentence: string
}

export async function revokeCommand(cli: Cli, ids: readonly string[], options: RevokeOptions): Promise<ExitCode> {
  const given = [...new Set(ids)].map(readId)
  await using app = await appFor(cli, await settingsFor(cli, options))
  await refuseWhileStopped(app)
  const targets = await Promise.all(given.map((id) => lookUp(app, id)))
  const found = targets.filter((target): target is RevocableCredential => 'line' in target)
  const results = targets.filter((target): target is Result => !('line' in target))
  for (const result of results) say(cli, `${result.id}: ${result.sentence}`)
  for (const entry of found) say(cli, `${entry.id}: ${entry.line}`)
  if (found.length === 0 || !(await confirmRevocation(cli, found.length, options))) {
    if (options.json) printJson(cli, { revocations: results })
    return found.length === 0 && results.every((result) => result.state === 'seen') ? exitCode.ok : exitCode.usage
  }
  const { done, code } = await revokeAll(cli, app, found, options)
  for (const entry of done) say(cli, `${entry.id}: ${entry.sentence}.`)
  await cli.jobs.writeWantedResults(app)
  if (options.json) printJson(cli, { revocations: [...results, ...done] })
  if (code !== exitCode.ok) return code
  const allRevoked = [...results, ...done].every((each) => each.state === 'seen' || each.state === 'accepted')
  return allRevoked ? exitCode.ok : exitCode.needsPerson
}

function confirmRevocation(cli: Cli, count: number, options: RevokeOptions): Promise<boolean> {
  return confirm(cli, `Revoke ${countOf(count, 'credential')}? This cannot be undone.`, options)
}

async function revokeAll(cli: Cli, app: App, found: readonly RevocableCredential[], options: RevokeOptions) {
  const decision = operatorDecision(cli, options)
  const revocationIds: number[] = []
  for (const { credentialId, issuanceId } of found)
    revocationIds.push(
      (await app.ledger.revocations.request({ credentialId, issuanceId, correction: null, decision })).id,
    )
  const faults = await cli.jobs.processRevocations(app, revocationIds)
  const revocations = await Promise.all(revocationIds.map((id) => app.ledger.revocations.find(id)))
  const done = found.map((entry, index): Result => {
    const { id, credentialId: credential } = entry
    const revocation = revocations[index] ?? null
    const fault = faults.get(revocationIds[index] as number)
    const sentence = revocation ? revocationStatus(revocation) : 'the ledger has no record of the revocation'
    return {
      id,
      credential,
      state: revocation?.state ?? null,
      sentence: fault ? `${sentence} (${safeMessage(fault)})` : sentence,
    }
  })
  // If the service is unavailable for one revocation, it is unavailable for all; they stay in the state `wanted`.
  const fault = [...faults.values()].find((each) => exitCodeOf(each) === exitCode.service)
  const unavailable = fault !== undefined || done.some((entry) => entry.state === 'wanted')
  return { done, code: unavailable ? exitCode.service : exitCode.ok }
}

interface GivenId {
  text: string
  issuance: number | null
}

function readId(text: string): GivenId {
  const issuance = /^i(\d{1,15})$/.exec(text)
  if (issuance) return { text, issuance: Number(issuance[1]) }
  if (/^\d[\d-]{2,60}$/.test(text)) return { text, issuance: null }
  throw new UsageError(
    `${text} is neither a credential id (groups of digits, such as 1234-5678) nor an issuance id (such as i42). \`credsync explain\` and the results show them. Nothing was changed.`,
  )
}

async function lookUp(app: App, { text, issuance }: GivenId): Promise<RevocableCredential | Result> {
  const query = issuance === null ? { issuances: [], credentials: [text] } : { issuances: [issuance], credentials: [] }
  const [target] = await app.ledger.revocations.targets(query)
  if (target) return checkTarget(text, target)
  const noResult = { id: text, credential: null, state: null }
  if (issuance !== null)
    return {
      ...noResult,
      sentence: `the ledger has no i${issuance} for ${app.ledger.environment}. Nothing was changed.`,
    }
  // A credential that neither the ledger nor the report shows cannot be revoked, because no one can see whose it is.
  const [item] = await findCredential(app.issuer, text, app.tuning.pageSize)
  if (!item)
    return {
      ...noResult,
      sentence: 'this credential is neither in the ledger nor in the report of the service. Check the id.',
    }
  if (item.revoked_date)
    return { ...noResult, credential: text, state: 'seen', sentence: `it is already revoked (${item.revoked_date}).` }
  const line = `${maskedItem(item)}; issued ${item.issue_date ?? 'on a day that the report does not show'}; not from this ledger`
  return { id: text, credentialId: text, issuanceId: null, line }
}

function checkTarget(id: string, target: RevocationTarget): RevocableCredential | Result {
  const { issuanceId, credentialId, state, issueDate, revokedDate, pipeline, revocation, correctionWaits } = target
  const noResult = { id, credential: credentialId, state: null }
  if (state === 'revoked')
    return { ...noResult, state: 'seen', sentence: `it is already revoked (${revokedDate ?? 'date unknown'}).` }
  if (!credentialId || state !== 'issued')
    return {
      ...noResult,
      sentence: `it is ${state}, and only an issued credential can be revoked. Nothing was changed.`,
    }
  const earlierAttemptNote =
    revocation === 'not_applied' || revocation === 'refused' ? '; an earlier revocation had no effect' : ''
  const correctionNote = correctionWaits ? '; the corrected credential is issued in its place' : ''
  const line = `${maskedPerson(target.recipient)}; credential ${credentialId} of ${pipeline}, issued ${issueDate ?? '(no date)'} (i${issuanceId})${earlierAttemptNote}${correctionNote}`
  return { id, credentialId, issuanceId, line }
}
