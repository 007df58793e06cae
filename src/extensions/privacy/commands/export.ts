// credsync export: writes everything that is held of one person into a folder, to answer a request.

import { resolve } from 'node:path'
import { appFor, type Cli, printJson, say, settingsFor } from '#src/cli/cli-context.ts'
import { type ExitCode, exitCode, UsageError } from '#src/cli/exit-code.ts'
import { ExportFolderError, openExportFolder, writePerson } from '#src/extensions/privacy/write-export-folder.ts'
import { countOf } from '#src/issuing/results/run-summary.ts'
import { whyNobody } from './erasure-lines.ts'
import { fieldsOfPipelines, whoOf } from './read-who.ts'

export interface ExportOptions {
  to: string
  json?: boolean
  config?: string
}

export async function exportCommand(cli: Cli, who: string, options: ExportOptions): Promise<ExitCode> {
  const settings = await settingsFor(cli, options)
  await using app = await appFor(cli, settings)
  const { erasures } = app.ledger
  const [found] = await erasures.find([await whoOf(app.ledger, who)], fieldsOfPipelines(app))
  if (!found || found.ids.length + found.rows.length + found.completions.length === 0)
    throw new UsageError(found ? whyNobody(who, found) : 'Nobody was found.')
  const folder = resolve(cli.cwd, options.to)
  const data = await erasures.personData(found, app.learning.confirmedBy)
  const { others } = found
  const leftOut = { issuances: others.ids, rows: others.rows, completions: others.completions.length }
  const { files, missingFiles } = await write(cli, folder, {
    data: { ...data, leftOut },
    files: await erasures.personFiles(found),
  })
  const counts = {
    issuances: data.issuances.length,
    rows: data.rows.length,
    completions: data.completions.length,
    events: data.events.length,
    files: files.length,
  }
  say(
    cli,
    `${folder}: ${countOf(counts.issuances, 'issuance')}, ${countOf(counts.rows, 'row')}, ${countOf(counts.completions, 'completion')}, ${countOf(counts.events, 'event')}, ${countOf(counts.files, 'file')}. Read index.html before you pass it on, and delete the folder afterwards.`,
  )
  const unsure = leftOut.issuances.length + leftOut.rows.length + leftOut.completions
  if (unsure > 0)
    say(
      cli,
      `${countOf(unsure, 'record')} with the same address or number may be of somebody else and were left out; index.html names them.`,
    )
  if (missingFiles.length > 0)
    say(cli, `${countOf(missingFiles.length, 'certificate')} could not be copied; index.html names them.`)
  if (options.json) printJson(cli, { folder, ...counts, leftOut: unsure, missingFiles: missingFiles.length })
  return missingFiles.length > 0 ? exitCode.needsPerson : exitCode.ok
}

type Writing = Parameters<typeof writePerson>

async function write(cli: Cli, folder: string, { data, files }: { data: Writing[1]; files: Writing[2] }) {
  try {
    await openExportFolder(folder)
    return await writePerson(folder, data, files, cli.clock.now())
  } catch (error) {
    throw error instanceof ExportFolderError ? new UsageError(error.message) : error
  }
}
