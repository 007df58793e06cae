// credsync download: downloads the certificates of credential ids or issuance ids into a folder, with a list of what
// was downloaded. When run again, it continues where it stopped.

import { join, resolve } from 'node:path'
import type { Settings } from '#config/settings.ts'
import { openWholeLedger } from '#src/app/whole-ledger.ts'
import { type Cli, print, printJson, say } from '#src/cli/cli-context.ts'
import { type ExitCode, exitCode, UsageError } from '#src/cli/exit-code.ts'
import { openLedgerForReading } from '#src/cli/open-ledger-for-reading.ts'
import { openServiceForReading } from '#src/cli/open-service-for-reading.ts'
import { openDownloadFolder } from '#src/extensions/certificates/download-folder.ts'
import { type FetchResult, fetchAll } from '#src/extensions/certificates/fetch-certificates.ts'
import { manifestName } from '#src/extensions/certificates/manifest.ts'
import { countOf } from '#src/issuing/results/run-summary.ts'
import { safeMessage } from '#src/platform/safe-message.ts'

export interface DownloadOptions {
  to: string
  config?: string
  json?: boolean
}

export async function downloadCommand(cli: Cli, ids: readonly string[], options: DownloadOptions): Promise<ExitCode> {
  const parsedIds = parseIds(ids)
  await using reading = await openServiceForReading(cli, options)
  const folder = await openDownloadFolder(resolve(cli.cwd, options.to))
  const { path, manifest } = folder
  if (manifest.unreadable > 0)
    say(
      cli,
      `${countOf(manifest.unreadable, 'line')} of ${manifestName} cannot be read; the files named there are downloaded again.`,
    )
  const wanted = await wantedCertificates(cli, parsedIds, reading.settings)
  for (const { id, sentence } of wanted) if (sentence) say(cli, `${id}: ${sentence}`)
  const { clock, signal } = cli
  const tools = { download: reading.issuer.downloadCredential, folder, clock, signal }
  const credentials = wanted.flatMap(({ credential }) => credential ?? [])
  const { all: results, unavailable } = await fetchAll(credentials, tools, (fetched) => {
    for (const { id } of wanted.filter(({ credential }) => credential === fetched.id))
      reportDownload(cli, id, fetched, path, options)
  })
  const byCredential = new Map(results.map((fetched) => [fetched.id, fetched]))
  const documents = wanted.map((entry) => documentOf(entry, byCredential.get(entry.credential ?? '')))
  const count = (standing: string) => documents.filter((document) => document.standing === standing).length
  if (options.json) printJson(cli, { folder: path, manifest: manifest.path, downloads: documents })
  const [failed, left] = [count('failed'), count('not asked')]
  say(
    cli,
    [
      `${count('fetched')} fetched, ${count('there')} already there, ${failed} failed`,
      left > 0
        ? `, ${left} not requested, because the service is not responding: run the same command again later`
        : '',
    ].join(''),
  )
  if (unavailable) return exitCode.service
  return failed > 0 ? exitCode.needsPerson : exitCode.ok
}

function reportDownload(cli: Cli, id: string, fetched: FetchResult, folder: string, { json }: DownloadOptions): void {
  if (fetched.status === 'failed') say(cli, `${id}: ${safeMessage(fetched.error)}`)
  if (!('entry' in fetched)) return
  if (!json) print(cli, `${id}  ${join(folder, fetched.entry.file)}`)
  if (fetched.entry.file.endsWith('.html'))
    say(
      cli,
      `${id}: the download is a web page and perhaps not a certificate. Check it; delete it to have it downloaded again.`,
    )
}

function documentOf({ id, credential, sentence }: WantedCertificate, fetched: FetchResult | undefined) {
  if (!fetched) return { id, credential, standing: 'failed', sentence }
  if ('entry' in fetched) {
    const { file, sha256, size, contentType, fetchedAt } = fetched.entry
    return { id, credential, standing: fetched.status, file, sha256, size, contentType, fetchedAt }
  }
  return {
    id,
    credential,
    standing: fetched.status,
    sentence: fetched.status === 'failed' ? safeMessage(fetched.error) : 'the service is not responding',
  }
}

/**
 * What an id given to the command refers to: an id of the service is used unchanged, an issuance id is looked up in the
 * ledger.
 */
interface WantedCertificate {
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
function parseIds(ids: readonly string[]): ParsedId[] {
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
async function wantedCertificates(
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
