// credsync revoke: revokes credentials by their ids. The ledger stores who revoked them, when and why; the report shows
// the effect of each call.

import type { App } from '#src/app/app.ts'
import { refuseWhileStopped } from '#src/issuing/decisions/refused-decision-error.ts'
import {
  type CredentialName,
  findRevocable,
  type RevocableCredential,
  readCredentialName,
} from '#src/issuing/decisions/revocable-credential.ts'
import { revocationStatus } from '#src/issuing/descriptions/revocation-status.ts'
import { countOf } from '#src/issuing/results/run-summary.ts'
import type { Revocation } from '#src/ledger/revocations/revocation.ts'
import { safeMessage } from '#src/platform/safe-message.ts'
import { type Cli, callingAppFor, printJson, say, settingsFor } from '../cli-context.ts'
import { confirm } from '../confirm.ts'
import { type ExitCode, exitCode, exitCodeOf, UsageError } from '../exit-code.ts'
import { operatorDecision } from '../operator-decision.ts'

interface RevokeOptions {
  reason?: string
  by?: string
  yes?: boolean
  json?: boolean
  config?: string
}

/** A credential that can be revoked, under the id that was given. */
type Found = RevocableCredential & { id: string }

/** The result for one of the given ids. */
interface Result {
  id: string
  credential: string | null
  state: Revocation['state'] | null
  sentence: string
}

export async function revokeCommand(cli: Cli, ids: readonly string[], options: RevokeOptions): Promise<ExitCode> {
  const given = [...new Set(ids)].map(readName)
  await using app = await callingAppFor(cli, await settingsFor(cli, options))
  await refuseWhileStopped(app)
  const targets = await Promise.all(given.map(([id, name]) => lookUp(app, id, name)))
  const found = targets.filter((target): target is Found => 'line' in target)
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

async function revokeAll(cli: Cli, app: App, found: readonly Found[], options: RevokeOptions) {
  const decision = operatorDecision(cli, options)
  const revocationIds: number[] = []
  for (const { credentialId, target } of found)
    revocationIds.push(
      (
        await app.ledger.revocations.request({
          ...{ credentialId, issuanceId: target?.issuanceId ?? null, correction: null, decision },
        })
      ).id,
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

function readName(text: string): [text: string, name: CredentialName] {
  const name = readCredentialName(text)
  if (name) return [text, name]
  throw new UsageError(
    `${text} is neither a credential id (groups of digits, such as 1234-5678) nor an issuance id (such as i42). \`credsync explain\` and the results show them. Nothing was changed.`,
  )
}

async function lookUp(app: App, id: string, name: CredentialName): Promise<Found | Result> {
  const found = await findRevocable(app, name)
  if ('line' in found) return { id, ...found }
  const { credentialId: credential, isRevoked, sentence } = found
  return { id, credential, state: isRevoked ? 'seen' : null, sentence }
}
