// credsync revoke: takes credentials back, by their ids. Who, when and why is kept; what became of each call is the report's to say.

import type { App } from '#src/app.ts'
import { speakable } from '#src/check/speakable.ts'
import type { Revocation } from '#src/ledger/revocation.ts'
import type { RevocationTarget } from '#src/ledger/revocation-targets.ts'
import { findCredential } from '#src/reconcile/look-for-revocation.ts'
import { countOf } from '#src/write-back/count-of.ts'
import { confirm } from '../confirm.ts'
import { decisionOf } from '../decision-of.ts'
import { type ExitCode, exitCode, exitCodeOf, UsageError } from '../exit-code.ts'
import { maskedItem, maskedPerson, standingOf } from '../revocation-words.ts'
import { answerJson, appFor, type Cli, say, settingsFor } from '../surroundings.ts'

export interface RevokeOptions {
  reason?: string
  by?: string
  yes?: boolean
  json?: boolean
  config?: string
}

/** One that can be revoked. */
interface Found {
  id: string
  credentialId: string
  issuanceId: number | null
  line: string
}

/** One that was asked for, and what came of it. */
interface Told {
  id: string
  credential: string | null
  state: Revocation['state'] | null
  sentence: string
}

export async function revokeCommand(cli: Cli, ids: readonly string[], options: RevokeOptions): Promise<ExitCode> {
  const asked = [...new Set(ids)].map(readId)
  await using app = await appFor(cli, await settingsFor(cli, options))
  const looked = await Promise.all(asked.map((id) => lookUp(app, id)))
  const found = looked.filter((each): each is Found => 'line' in each)
  const told = looked.filter((each): each is Told => !('line' in each))
  for (const each of told) say(cli, `${each.id}: ${each.sentence}`)
  for (const each of found) say(cli, `${each.id}: ${each.line}`)
  if (found.length === 0 || !(await askFor(cli, found.length, options))) {
    if (options.json) answerJson(cli, { revocations: told })
    return found.length === 0 && told.every((each) => each.state === 'seen') ? exitCode.ok : exitCode.usage
  }
  const { done, code } = await revokeAll(cli, app, found, options)
  for (const each of done) say(cli, `${each.id}: ${each.sentence}.`)
  await cli.doing.writeWantedResults(app)
  if (options.json) answerJson(cli, { revocations: [...told, ...done] })
  if (code !== exitCode.ok) return code
  const well = [...told, ...done].every((each) => each.state === 'seen' || each.state === 'accepted')
  return well ? exitCode.ok : exitCode.needsPerson
}

function askFor(cli: Cli, count: number, options: RevokeOptions): Promise<boolean> {
  return confirm(cli, `Revoke ${countOf(count, 'credential')}? This cannot be taken back.`, options)
}

async function revokeAll(cli: Cli, app: App, found: readonly Found[], options: RevokeOptions) {
  const decision = decisionOf(cli, options)
  const wanted: number[] = []
  for (const { credentialId, issuanceId } of found)
    wanted.push((await app.ledger.revocations.want({ credentialId, issuanceId, correction: null, decision })).id)
  const faults = await cli.doing.tendRevocations(app, wanted)
  const now = await Promise.all(wanted.map((id) => app.ledger.revocations.find(id)))
  const done = found.map((each, index): Told => {
    const { id, credentialId: credential } = each
    const revocation = now[index] ?? null
    const fault = faults.get(wanted[index] as number)
    const sentence = revocation ? standingOf(revocation) : 'nothing became of it'
    return {
      id,
      credential,
      state: revocation?.state ?? null,
      sentence: fault ? `${sentence} (${speakable(fault)})` : sentence,
    }
  })
  // Away for one is away for all; what was wanted stays wanted.
  const fault = [...faults.values()].find((each) => exitCodeOf(each) === exitCode.service)
  const away = fault !== undefined || done.some((each) => each.state === 'wanted')
  return { done, code: away ? exitCode.service : exitCode.ok }
}

interface AskedId {
  text: string
  issuance: number | null
}

function readId(text: string): AskedId {
  const issuance = /^i(\d{1,15})$/.exec(text)
  if (issuance) return { text, issuance: Number(issuance[1]) }
  if (/^\d[\d-]{2,60}$/.test(text)) return { text, issuance: null }
  throw new UsageError(
    `${text} is neither a credential id (groups of digits, such as 1234-5678) nor an issuance id (such as i42). \`credsync explain\` and the results show them. Nothing was changed.`,
  )
}

async function lookUp(app: App, { text, issuance }: AskedId): Promise<Found | Told> {
  const of = issuance === null ? { issuances: [], credentials: [text] } : { issuances: [issuance], credentials: [] }
  const [target] = await app.ledger.revocations.targets(of)
  if (target) return judge(text, target)
  const no = { id: text, credential: null, state: null }
  if (issuance !== null)
    return { ...no, sentence: `the ledger has no i${issuance} for ${app.ledger.environment}. Nothing was changed.` }
  // Nobody could see whose it is, if neither the ledger nor the report shows it.
  const [item] = await findCredential(app.issuer, text, app.tuning.pageSize)
  if (!item)
    return { ...no, sentence: 'neither the ledger nor the report of the service knows this credential. Check the id.' }
  if (item.revoked_date)
    return { ...no, credential: text, state: 'seen', sentence: `it is revoked already (${item.revoked_date}).` }
  const line = `${maskedItem(item)}; issued ${item.issue_date ?? 'on a day that the report does not show'}; not from this ledger`
  return { id: text, credentialId: text, issuanceId: null, line }
}

function judge(id: string, target: RevocationTarget): Found | Told {
  const { issuanceId, credentialId, state, issueDate, revokedDate, pipeline, revocation, correctionWaits } = target
  const no = { id, credential: credentialId, state: null }
  if (state === 'revoked')
    return { ...no, state: 'seen', sentence: `it is revoked already (${revokedDate ?? 'date unknown'}).` }
  if (!credentialId || state !== 'issued')
    return { ...no, sentence: `it is ${state}, and only an issued credential can be revoked. Nothing was changed.` }
  const again =
    revocation === 'not_applied' || revocation === 'refused' ? '; an earlier revocation came to nothing' : ''
  const more = correctionWaits ? '; the corrected one is issued in its place' : ''
  const line = `${maskedPerson(target.recipient)}; credential ${credentialId} of ${pipeline}, issued ${issueDate ?? '(no date)'} (i${issuanceId})${again}${more}`
  return { id, credentialId, issuanceId, line }
}
