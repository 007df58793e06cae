// Resolves the ids given to `credsync download` to credentials: ids of the service are used unchanged, issuance ids are
// looked up in the ledger.

import type { Settings } from '#config/settings.ts'
import { openWholeLedger } from '#src/app/whole-ledger.ts'
import type { Cli } from '#src/cli/cli-context.ts'
import { UsageError } from '#src/cli/exit-code.ts'
import { openLedgerForReading } from '#src/cli/open-ledger-for-reading.ts'

export interface WantedCertificate {
  /** The id as given. */
  id: string
  /** The id that the service uses; null if there is none. */
  credential: string | null
  /** Why there is no id; null if there is one. */
  sentence: string | null
}

interface ParsedId {
  text: string
  issuance: number | null
}

/** Pure. @throws UsageError listing everything that is not an id */
export function parseIds(ids: readonly string[]): ParsedId[] {
  const isCredential = /^\d[\d-]{2,60}$|^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
  const read = [...new Set(ids)].map((text) => {
    const issuance = /^i(\d{1,15})$/.exec(text)
    return { text, issuance: issuance ? Number(issuance[1]) : null }
  })
  const invalid = read.filter(({ text, issuance }) => issuance === null && !isCredential.test(text))
  if (invalid.length === 0) return read
  const examples = invalid.slice(0, 5).map(({ text }) => text)
  const more = invalid.length > examples.length ? ` and ${invalid.length - examples.length} more` : ''
  throw new UsageError(
    `${examples.join(', ')}${more}: neither a credential id (groups of digits, such as 1234-5678), an entity uuid, nor an issuance id (such as i42). \`credsync explain\` and the results show them. Nothing was downloaded.`,
  )
}

/** Opens the ledger only if there is an issuance id. */
export async function wantedCertificates(
  cli: Cli,
  read: readonly ParsedId[],
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
  await using reading = await openLedgerForReading(cli)
  const ledger = await openWholeLedger(reading.database, environment, reading)
  const targets = await ledger.revocations.targets({ issuances, credentials: [] })
  return new Map(targets.map((target) => [target.issuanceId, target]))
}
