// credsync issue FILE --dry-run: everything is read and checked; nothing changes at the service, and no row of the ledger.

import { basename } from 'node:path'
import type { App } from '#src/app.ts'
import { openRowCheck } from '#src/intake/row-check.ts'
import type { StagedRow } from '#src/ledger/intake.ts'
import { openSource } from '#src/sources/open-source.ts'
import { formatDuration } from '#src/time/duration.ts'
import { type ExitCode, exitCode } from '../exit-code.ts'
import { countOf } from '../run-summary.ts'
import { answerJson, type Cli, say } from '../surroundings.ts'

interface Rehearsal {
  rows: number
  invalid: number
  /** The same person again in this file. */
  duplicates: number
  known: number
  new: number
  calls: number
  /** At the limit of the invitation endpoint, in milliseconds. */
  atLeastMs: number
  examples: string[]
  notices: readonly string[]
}

const mostExamples = 10

export async function rehearse(
  cli: Cli,
  app: App,
  path: string,
  options: { pipeline: string; json?: boolean },
): Promise<ExitCode> {
  const result = await readAll(app, path, options.pipeline)
  if (options.json) answerJson(cli, { dryRun: true, pipeline: options.pipeline, source: basename(path), ...result })
  say(cli, `Dry run of ${basename(path)} for ${options.pipeline}: nothing was sent and nothing was kept.`)
  say(
    cli,
    `  ${countOf(result.rows, 'row')}: ${result.new} new, ${result.known} known already, ${result.duplicates} twice in the file, ${result.invalid} invalid`,
  )
  say(cli, `  ${countOf(result.calls, 'call')}, at least ${formatDuration(result.atLeastMs)} at the limit`)
  for (const notice of result.notices) say(cli, `  note: ${notice}`)
  for (const example of result.examples) say(cli, `  ${example}`)
  if (result.invalid > result.examples.length)
    say(cli, `  … and ${countOf(result.invalid - result.examples.length, 'more invalid row')}`)
  return result.invalid > 0 ? exitCode.needsPerson : exitCode.ok
}

async function readAll(app: App, path: string, name: string): Promise<Rehearsal> {
  const pipeline = app.pipelines.named(name)
  const course = await app.courses.uuidOf(pipeline)
  const fields = await app.issuer.fieldList(course)
  await using source = await openSource(path)
  const check = openRowCheck({ pipeline, fields, header: source.header, course, hasher: app.ledger.hasher })
  const seen = new Set<string>()
  const tally = { rows: 0, invalid: 0, duplicates: 0, known: 0, new: 0 }
  const examples: string[] = []
  for await (const batch of source.batches()) {
    const rows = batch.map(check.row)
    tally.rows += rows.length
    for (const row of rows) if (row.violations && examples.length < mostExamples) examples.push(exampleOf(row))
    tally.invalid += rows.filter((row) => row.violations).length
    const fresh = rows
      .flatMap((row) => (row.issuanceKey ? [row.issuanceKey] : []))
      .filter((key) => !seenBefore(seen, key))
    const known = await app.ledger.knownKeys(course, fresh)
    tally.known += known.size
    tally.new += fresh.length - known.size
    tally.duplicates += rows.filter((row) => row.issuanceKey).length - fresh.length
  }
  const size = Math.min(pipeline.batch.size, (await app.ledger.learnedBatchLimit(name)) ?? pipeline.batch.size)
  const calls = Math.ceil(tally.new / size)
  const atLeastMs = (calls / app.settings.file.service.limits.general) * 1_000
  return { ...tally, calls, atLeastMs, examples, notices: [...source.notices, ...check.notices] }
}

function seenBefore(seen: Set<string>, key: Buffer): boolean {
  const text = key.toString('base64')
  if (seen.has(text)) return true
  seen.add(text)
  return false
}

function exampleOf(row: StagedRow): string {
  const sentences = (row.violations ?? []).map((violation) =>
    'sentence' in violation ? String(violation.sentence) : '',
  )
  return `row ${row.row}: ${sentences.join(' ')}`
}
