// Which credentials the ids of `credsync download` mean: those of the service go as they are, issuance ids are looked up in the ledger.

import type { Settings } from '#config/settings.ts'
import { openLedger } from '#src/ledger/ledger.ts'
import { UsageError } from './exit-code.ts'
import { readLedger } from './ledger-reading.ts'
import type { Cli } from './surroundings.ts'

export interface WantedCertificate {
  /** As it was given. */
  id: string
  /** What the service is asked by; null where there is none. */
  credential: string | null
  /** Why there is none. */
  sentence: string | null
}

interface ReadId {
  text: string
  issuance: number | null
}

/** Pure. @throws UsageError that names all that are no ids */
export function readIds(ids: readonly string[]): ReadId[] {
  const isCredential = /^\d[\d-]{2,60}$|^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
  const read = [...new Set(ids)].map((text) => {
    const issuance = /^i(\d{1,15})$/.exec(text)
    return { text, issuance: issuance ? Number(issuance[1]) : null }
  })
  const wrong = read.filter(({ text, issuance }) => issuance === null && !isCredential.test(text))
  if (wrong.length === 0) return read
  const shown = wrong.slice(0, 5).map(({ text }) => text)
  const more = wrong.length > shown.length ? ` and ${wrong.length - shown.length} more` : ''
  throw new UsageError(
    `${shown.join(', ')}${more}: neither a credential id (groups of digits, such as 1234-5678), an entity uuid, nor an issuance id (such as i42). \`credsync explain\` and the results show them. Nothing was fetched.`,
  )
}

/** Opens the ledger only where an issuance id asks for it. */
export async function wantedCertificates(
  cli: Cli,
  read: readonly ReadId[],
  { file }: Pick<Settings, 'file'>,
): Promise<WantedCertificate[]> {
  const { environment } = file.service
  const issuances = read.flatMap(({ issuance }) => issuance ?? [])
  const targets = issuances.length > 0 ? await targetsOf(cli, environment, issuances) : new Map()
  return read.map(({ text: id, issuance }) => {
    if (issuance === null) return { id, credential: id, sentence: null }
    const target = targets.get(issuance)
    if (!target) return { id, credential: null, sentence: `the ledger has no ${id} for ${environment}` }
    if (!target.credentialId)
      return { id, credential: null, sentence: `it is ${target.state} and has no credential in the report yet` }
    return { id, credential: target.credentialId, sentence: null }
  })
}

async function targetsOf(cli: Cli, environment: string, issuances: readonly number[]) {
  await using reading = await readLedger(cli)
  const ledger = await openLedger(reading.database, environment)
  const targets = await ledger.revocations.targets({ issuances, credentials: [] })
  return new Map(targets.map((target) => [target.issuanceId, target]))
}
