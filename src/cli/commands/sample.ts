// credsync sample sheet|data COURSE: keeps the service's own sample of a course, as it comes.

import { resolve } from 'node:path'
import { judgeFile } from '#src/issuer/file-verdict.ts'
import type { Download } from '#src/issuer/samples.ts'
import { endingOf } from '#src/sources/ending-of.ts'
import { keepFile } from '#src/sources/keep-file.ts'
import { type ExitCode, exitCode, UsageError } from '../exit-code.ts'
import { fileForCourse } from '../file-for-course.ts'
import { readService } from '../service-reading.ts'
import { answer, type Cli, say } from '../surroundings.ts'

export async function sampleCommand(
  cli: Cli,
  what: string,
  word: string,
  options: { to?: string; force?: boolean; config?: string },
): Promise<ExitCode> {
  if (what !== 'sheet' && what !== 'data')
    throw new UsageError(`There is no sample “${what}”: there are sheet (a workbook) and data (one with images).`)
  await using reading = await readService(cli, options)
  const { uuid } = await reading.course(word)
  const { issuer } = reading
  const sample = await (what === 'sheet' ? issuer.sampleSheet(uuid) : issuer.sampleData(uuid))
  refuseEnvelope(sample, what)
  const ending = await endingOf(sample)
  const path = resolve(cli.cwd, options.to ?? fileForCourse(word, `.sample-${what}${ending}`))
  await keepFile(path, sample.bytes, { replace: options.force === true })
  answer(cli, path)
  const type = sample.contentType || 'no content type'
  say(cli, `${sample.bytes.length} bytes, kept as they came (${type}).`)
  if (options.to && ending !== '.bin' && !path.toLowerCase().endsWith(ending))
    say(cli, `By its content it is ${ending} and not what its name says.`)
  return exitCode.ok
}

/** An error under HTTP 200 is no sample. @throws ServiceRefusedError, WireError */
function refuseEnvelope({ bytes }: Download, what: 'sheet' | 'data'): void {
  const verdict = judgeFile(bytes, `sample-${what}`)
  if ('error' in verdict && verdict.error) throw verdict.error
}
