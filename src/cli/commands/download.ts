// credsync download: certificates into a folder, with a list of what was fetched. Said again, it goes on where it was.

import { join, resolve } from 'node:path'
import { speakable } from '#src/check/speakable.ts'
import { openDownloadFolder } from '#src/downloads/download-folder.ts'
import { type Fetched, fetchAll } from '#src/downloads/fetch-all.ts'
import { manifestName } from '#src/downloads/manifest.ts'
import { certificateHosts, openCertificates } from '#src/downloads/open-certificates.ts'
import { countOf } from '#src/write-back/count-of.ts'
import { type ExitCode, exitCode } from '../exit-code.ts'
import { readService } from '../service-reading.ts'
import { answer, answerJson, type Cli, say } from '../surroundings.ts'
import { readIds, type WantedCertificate, wantedCertificates } from '../wanted-certificates.ts'

export interface DownloadOptions {
  to: string
  config?: string
  json?: boolean
}

export async function downloadCommand(cli: Cli, ids: readonly string[], options: DownloadOptions): Promise<ExitCode> {
  const read = readIds(ids)
  await using reading = await readService(cli, options)
  const folder = await openDownloadFolder(resolve(cli.cwd, options.to), cli.clock)
  const { path, manifest } = folder
  if (manifest.unreadable > 0)
    say(
      cli,
      `${countOf(manifest.unreadable, 'line')} of ${manifestName} cannot be read; what it named is fetched again.`,
    )
  const wanted = await wantedCertificates(cli, read, reading.settings)
  for (const { id, sentence } of wanted) if (sentence) say(cli, `${id}: ${sentence}`)
  const { clock, signal } = cli
  const hosts = certificateHosts(reading.settings)
  const download = openCertificates({ issuer: reading.issuer, hosts, clock })
  const tools = { download, folder, clock, signal }
  const credentials = wanted.flatMap(({ credential }) => credential ?? [])
  const { all, away } = await fetchAll(credentials, tools, (one) => {
    for (const { id } of wanted.filter(({ credential }) => credential === one.id)) tell(cli, id, one, path, options)
  })
  const byCredential = new Map(all.map((one) => [one.id, one]))
  const told = wanted.map((each) => documentOf(each, byCredential.get(each.credential ?? '')))
  const count = (standing: string) => told.filter((each) => each.standing === standing).length
  if (options.json) answerJson(cli, { folder: path, manifest: manifest.path, downloads: told })
  const [failed, left] = [count('failed'), count('not asked')]
  say(
    cli,
    [
      `${count('fetched')} fetched, ${count('there')} there already, ${failed} failed`,
      left > 0 ? `, ${left} not asked for, because the service does not answer: say the same again later` : '',
    ].join(''),
  )
  if (away) return exitCode.service
  return failed > 0 ? exitCode.needsPerson : exitCode.ok
}

function tell(cli: Cli, id: string, one: Fetched, folder: string, { json }: DownloadOptions): void {
  if (one.standing === 'failed') say(cli, `${id}: ${speakable(one.error)}`)
  if (!('kept' in one)) return
  if (!json) answer(cli, `${id}  ${join(folder, one.kept.file)}`)
  if (one.kept.file.endsWith('.html'))
    say(
      cli,
      `${id}: what came is a web page and perhaps no certificate. Look at it; remove it to have it fetched again.`,
    )
}

function documentOf({ id, credential, sentence }: WantedCertificate, one: Fetched | undefined) {
  if (!one) return { id, credential, standing: 'failed', sentence }
  if ('kept' in one) {
    const { file, sha256, size, contentType, fetchedAt } = one.kept
    return { id, credential, standing: one.standing, file, sha256, size, contentType, fetchedAt }
  }
  return {
    id,
    credential,
    standing: one.standing,
    sentence: one.standing === 'failed' ? speakable(one.error) : 'the service does not answer',
  }
}
