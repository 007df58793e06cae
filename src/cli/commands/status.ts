// credsync status: the runs and their counts, or one run.

import { countIn, restingStates, totalOf } from '#src/issuance/state.ts'
import { type ExitCode, exitCode, UsageError } from '../exit-code.ts'
import { readLedger } from '../ledger-reading.ts'
import { type RunDocument, runDocument } from '../run-document.ts'
import { headLine, summaryLines } from '../run-summary.ts'
import { answer, answerJson, type Cli } from '../surroundings.ts'

export async function statusCommand(cli: Cli, options: { run?: string; json?: boolean }): Promise<ExitCode> {
  await using reading = await readLedger(cli)
  const { ledger } = reading
  const ids = options.run ? [options.run] : (await ledger.listRuns()).map((run) => run.id)
  const found = await Promise.all(ids.map((id) => ledger.runWithStates(id)))
  if (options.run && !found[0])
    throw new UsageError(`The ledger has no run ${options.run}. \`credsync status\` lists the runs there are.`)
  const entries = found.flatMap((each) =>
    each ? [{ ...runDocument(each.run, each.states, each.surplus), ...standing(each.run) }] : [],
  )
  if (options.json) answerJson(cli, options.run ? entries[0] : { runs: entries })
  else if (options.run && entries[0]) for (const line of detailLines(entries[0])) answer(cli, line)
  else for (const line of listLines(entries)) answer(cli, line)
  return exitCode.ok
}

interface Standing {
  state: string
  received: string
  settled: string | null
  refusal: string | null
}

function standing(run: {
  state: string
  receivedAt: Date | string
  settledAt: Date | string | null
  refusal: string | null
}): Standing {
  const iso = (at: Date | string) => new Date(at).toISOString()
  return {
    state: run.state,
    received: iso(run.receivedAt),
    settled: run.settledAt && iso(run.settledAt),
    refusal: run.refusal,
  }
}

type Entry = RunDocument & Standing

function detailLines(entry: Entry): string[] {
  // Nothing of a refused file was taken: its counts are noughts that say nothing.
  if (entry.refusal) return [headLine(entry), `  refused: ${entry.refusal}`, `  received      ${entry.received}`]
  const lines = [...summaryLines(entry), `  received      ${entry.received}`]
  if (entry.settled) lines.push(`  settled       ${entry.settled}`)
  return lines
}

function listLines(entries: readonly Entry[]): string[] {
  if (entries.length === 0) return ['No run yet. `credsync issue FILE --pipeline NAME` makes the first one.']
  return entries.map(
    (entry) =>
      `${entry.run}  ${entry.received.slice(0, 16).replace('T', ' ')}  ${entry.pipeline}  ${entry.source}  ${standingOf(entry)}`,
  )
}

function standingOf(entry: Entry): string {
  if (entry.refusal) return `refused: ${firstSentence(entry.refusal)}`
  const total = totalOf(entry.states)
  const progress =
    entry.state === 'published' ? `${countIn(entry.states, restingStates)}/${total} at rest` : entry.state
  const extra = [
    `${entry.states.issued} issued`,
    ...(['rejected', 'failed', 'held', 'pending', 'unconfirmed'] as const).flatMap((state) =>
      entry.states[state] > 0 ? [`${entry.states[state]} ${state}`] : [],
    ),
    ...(entry.invalid > 0 ? [`${entry.invalid} invalid`] : []),
    ...(entry.skipped > 0 ? [`${entry.skipped} skipped`] : []),
  ]
  return `${progress}: ${extra.join(', ')}`
}

/** A full stop within a name, such as people.csv, ends no sentence. */
function firstSentence(text: string): string {
  return text.split(/(?<=[.!?])\s+(?=\p{Lu})/u)[0] ?? text
}
