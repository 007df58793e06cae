// Acts as the operator who requests a correction and a revocation as soon as two credentials exist, and repeats a
// request if the report proved that nothing was revoked. Checks the result against the sandbox's record.

import { proposeCorrection } from '#src/issuing/intake/propose-correction.ts'
import type { RevocationTarget } from '#src/ledger/revocations/revocation-targets.ts'
import { sandboxFields } from '#test/support/sandbox-fields.ts'
import type { World } from '#test/support/world.ts'

export interface Requester {
  /** Whether this case includes such requests. */
  enabled: boolean
  /** Checks the state and makes the requests that are possible. Returns the number still to be made. */
  makeRequests(): Promise<number>
  /** Differences from what was requested; empty if nothing was requested. */
  faults(): string[]
}

const decision = { by: 'ada', why: 'a slip of the pen' }

/** E-mail addresses of the two chosen people. */
interface ChosenPeople {
  corrected: string
  revoked: string
}

export function openRequester(world: World, enabled: boolean): Requester {
  let chosen: ChosenPeople | null = null
  let revocations = 0
  return {
    enabled,
    async makeRequests() {
      if (!enabled) return 0
      chosen ??= await requestBoth(world)
      revocations = chosen ? await repeatRequests(world) : 0
      return Number(!chosen)
    },
    faults() {
      if (!enabled) return []
      return chosen ? checkRequests(world, chosen, revocations) : ['nothing was requested']
    },
  }
}

/** Chooses any two people with credentials, because after a kill the rows of a whole batch may be held. */
async function requestBoth(world: World): Promise<ChosenPeople | null> {
  const { ledger } = world.app
  const { rows } = await world.app.database.query<{ id: number; email: string }>(
    `SELECT id, recipient->>'Email' AS email FROM issuance WHERE state = 'issued' ORDER BY id LIMIT 2`,
  )
  const [corrected, revoked] = rows.map(({ email }) => email)
  if (!corrected || !revoked) return null
  const targets = await ledger.revocations.targets({ issuances: rows.map(({ id }) => id), credentials: [] })
  for (const target of targets) {
    const { issuanceId, credentialId, recipient } = target
    if (issuanceId === null || !credentialId || !recipient) throw new Error(`i${issuanceId} has no credential.`)
    const correction = recipient.Email === corrected ? proposalFor(world, { ...target, recipient }) : null
    await ledger.revocations.request({ credentialId, issuanceId, correction, decision })
  }
  return { corrected, revoked }
}

function proposalFor({ app, settings }: World, target: RevocationTarget & { recipient: Record<string, string> }) {
  const { spring } = settings.file.pipelines
  if (!spring) throw new Error('The world has no pipeline.')
  const tools = { pipeline: spring, fields: sandboxFields, hasher: app.ledger.hasher }
  return proposeCorrection(target, { 'Last Name': 'Byron' }, tools)
}

/** @returns the number of revocations, which is the maximum number of calls: one for each */
async function repeatRequests({ app }: World): Promise<number> {
  const { revocations } = app.ledger
  for (const { state, issuanceId, credentialId } of await revocations.toDecide())
    if (state === 'not_applied') await revocations.request({ credentialId, issuanceId, correction: null, decision })
  const { rows } = await app.database.query<{ count: number }>('SELECT count(*) AS count FROM revocation')
  return rows[0]?.count ?? 0
}

function checkRequests({ sandbox, wire }: World, { corrected, revoked }: ChosenPeople, revocations: number): string[] {
  const credentialsOf = (email: string) =>
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
    ...(credentialsOf(corrected) === 'Lovelace revoked, Byron valid'
      ? []
      : [`not corrected: ${credentialsOf(corrected)}`]),
    ...(credentialsOf(revoked) === 'Lovelace revoked' ? [] : [`not revoked: ${credentialsOf(revoked)}`]),
    ...(calls >= 2 && calls <= revocations ? [] : [`${calls} calls for ${revocations} revocations`]),
  ]
}
