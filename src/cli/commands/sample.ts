// credsync sample sheet|data COURSE: saves the service's sample for a course, unchanged.

import { resolve } from 'node:path'
import { courseFileName } from '#src/cli/service-lists.ts'
import { extensionOf } from '#src/files/tables/extension-of.ts'
import { writeNewFile } from '#src/files/tables/write-new-file.ts'
import { classifyFile } from '#src/issuer/certificates/classify-file.ts'
import type { Download } from '#src/issuer/courses/sample-downloads.ts'
import { type Cli, print, say } from '../cli-context.ts'
import { type ExitCode, exitCode, UsageError } from '../exit-code.ts'
import { openServiceForReading } from '../open-service-for-reading.ts'

export async function sampleCommand(
  cli: Cli,
  what: string,
  word: string,
  options: { to?: string; force?: boolean; config?: string },
): Promise<ExitCode> {
  if (what !== 'sheet' && what !== 'data')
    throw new UsageError(`There is no sample “${what}”: use sheet (a workbook) or data (a workbook with images).`)
  await using reading = await openServiceForReading(cli, options)
  const { uuid } = await reading.course(word)
  const { issuer } = reading
  const sample = await (what === 'sheet' ? issuer.sampleSheet(uuid) : issuer.sampleData(uuid))
  refuseEnvelope(sample, what)
  const ending = await extensionOf(sample.bytes)
  const path = resolve(cli.cwd, options.to ?? courseFileName(word, `.sample-${what}${ending}`))
  await writeNewFile(path, sample.bytes, { replace: options.force === true })
  print(cli, path)
  const type = sample.contentType || 'no content type'
  say(cli, `${sample.bytes.length} bytes, saved as received (${type}).`)
  if (options.to && ending !== '.bin' && !path.toLowerCase().endsWith(ending))
    say(cli, `Its content is ${ending}, which does not match the name of the file.`)
  return exitCode.ok
}

/** Refuses an error that was returned with HTTP status 200. @throws ServiceRefusedError, WireError */
function refuseEnvelope({ bytes }: Download, what: 'sheet' | 'data'): void {
  const verdict = classifyFile(bytes, `sample-${what}`)
  if ('error' in verdict && verdict.error) throw verdict.error
}
