// The person at the desk: wants one credential corrected and another one revoked as soon as both are there, and says it again where the report has
// proven that nothing was revoked. The sandbox's book is the judge of what came of it.

import { proposeCorrection } from '#src/intake/propose-correction.ts'
import type { RevocationTarget } from '#src/ledger/revocation-targets.ts'
import { sandboxFields } from '#test/support/sandbox-fields.ts'
import type { World } from '#test/support/world.ts'

export interface Desk {
  /** Whether anybody is there. */
  open: boolean
  /** Looks, and does what there is to be done. @returns how much is not wanted yet */
  tend(): Promise<number>
  /** What is not as it was wanted; none where nothing was. */
  faults(): string[]
}

const decision = { by: 'ada', why: 'a slip of the pen' }
const [corrected, revoked] = ['person.1@example.org', 'person.2@example.org']

export function openDesk(world: World, open: boolean): Desk {
  let wanted = !open
  let said = 0
  return {
    open,
    async tend() {
      if (!open) return 0
      if (!wanted) wanted = await wantBoth(world)
      said = wanted ? await sayAgain(world) : 0
      return Number(!wanted)
    },
    faults: () => (open ? judge(world, said) : []),
  }
}

async function wantBoth(world: World): Promise<boolean> {
  const { ledger } = world.app
  const { rows } = await world.app.database.query<{ id: number }>(
    `SELECT id FROM issuance WHERE recipient->>'Email' = ANY($1) AND state = 'issued' ORDER BY recipient->>'Email'`,
    [[corrected, revoked]],
  )
  if (rows.length < 2) return false
  const targets = await ledger.revocations.targets({ issuances: rows.map(({ id }) => id), credentials: [] })
  for (const target of targets) {
    const { issuanceId, credentialId, recipient } = target
    if (issuanceId === null || !credentialId || !recipient) throw new Error(`i${issuanceId} has no credential.`)
    const correction = recipient.Email === corrected ? proposalFor(world, { ...target, recipient }) : null
    await ledger.revocations.want({ credentialId, issuanceId, correction, decision })
  }
  return true
}

function proposalFor({ app, settings }: World, target: RevocationTarget & { recipient: Record<string, string> }) {
  const { spring } = settings.file.pipelines
  if (!spring) throw new Error('The world has no pipeline.')
  const tools = { pipeline: spring, fields: sandboxFields, hasher: app.ledger.hasher }
  return proposeCorrection(target, { 'Last Name': 'Byron' }, tools)
}

/** @returns how many revocations there are: each of them may have been called once */
async function sayAgain({ app }: World): Promise<number> {
  const { revocations } = app.ledger
  for (const { state, issuanceId, credentialId } of await revocations.toDecide())
    if (state === 'not_applied') await revocations.want({ credentialId, issuanceId, correction: null, decision })
  const { rows } = await app.database.query<{ count: number }>('SELECT count(*) AS count FROM revocation')
  return rows[0]?.count ?? 0
}

function judge({ sandbox, wire }: World, said: number): string[] {
  const held = (email: string) =>
    sandbox
      .requests()
      .filter(({ student }) => student.Email === email)
      .map(
        ({ student, status, revokedAt }) =>
          `${student['Last Name']} ${status === 3 && !revokedAt ? 'valid' : 'revoked'}`,
      )
      .join(', ')
  const calls = wire.seen.filter((path) => path.endsWith('/certificate/revoke')).length
  return [
    ...(held(corrected) === 'Lovelace revoked, Byron valid' ? [] : [`not corrected: ${held(corrected)}`]),
    ...(held(revoked) === 'Lovelace revoked' ? [] : [`not revoked: ${held(revoked)}`]),
    ...(calls >= 2 && calls <= said ? [] : [`${calls} calls for ${said} revocations`]),
  ]
}
