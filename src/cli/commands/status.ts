// credsync status: the runs and their counts, or one run.

import { states as allStates, countIn, restingStates, totalOf } from '#src/issuance/state.ts'
import type { Run } from '#src/ledger/runs.ts'
import { shownWorkers } from '#src/ledger/shown-worker.ts'
import { countOf } from '#src/write-back/count-of.ts'
import { type RunDocument, runDocument } from '#src/write-back/run-document.ts'
import { brakeLines, headLine, summaryLines } from '#src/write-back/run-summary.ts'
import { archiveDocument, archiveLines } from '../archive-lines.ts'
import { type ExitCode, exitCode } from '../exit-code.ts'
import { inboxDocument, inboxLines } from '../inbox-lines.ts'
import { troubleLines } from '../learning-lines.ts'
import { readLedger } from '../ledger-reading.ts'
import { namedRun } from '../named-run.ts'
import { answer, answerJson, type Cli, say } from '../surroundings.ts'
import { workerDocument, workerLines } from '../worker-lines.ts'

export async function statusCommand(cli: Cli, options: { run?: string; json?: boolean }): Promise<ExitCode> {
  await using reading = await readLedger(cli)
  const { ledger } = reading
  const ids = options.run ? [await namedRun(ledger, options.run)] : (await ledger.listRuns()).map((run) => run.id)
  const found = await Promise.all(ids.map((id) => ledger.runWithStates(id)))
  const entries = await Promise.all(
    found
      .filter((each) => each !== null)
      .map(async ({ run, states, surplus }) => {
        const problems = run.invalid > 0 && (options.run || options.json) ? await ledger.problemsOf(run.id) : []
        const waiting = options.run && run.changed > 0 ? await ledger.revocations.changesWaiting({ run: run.id }) : []
        return {
          run,
          waiting: waiting.length,
          shown: { ...runDocument(run, states, surplus, problems), ...standing(run) },
        }
      }),
  )
  const [one] = entries
  const looks = await ledger.inboxes.looks()
  const archives = await ledger.archives.standings()
  const revocations = (await ledger.revocations.toDecide()).length
  const workers = options.run ? [] : await shownWorkers(reading.database)
  const troubles = options.run
    ? []
    : troubleLines(await ledger.learningSystems.standing(), await ledger.tells.standing())
  if (options.json)
    answerJson(
      cli,
      options.run
        ? one?.shown
        : {
            runs: entries.map((each) => each.shown),
            workers: workers.map(workerDocument),
            ...(looks.length > 0 && { inboxes: looks.map(inboxDocument) }),
            ...(troubles.length > 0 && { learning: troubles }),
            ...(archives.length > 0 && { archives: archives.map(archiveDocument) }),
          },
    )
  else if (options.run && one) for (const line of detailLines(one)) answer(cli, line)
  else {
    const standing = [
      ...inboxLines(looks, cli.clock.now()),
      ...archiveLines(archives),
      ...revocationLines(revocations),
      ...troubles,
    ]
    for (const line of [...listLines(entries), ...standing]) answer(cli, line)
    for (const line of workerLines(workers)) say(cli, line)
  }
  return exitCode.ok
}

function revocationLines(count: number): string[] {
  if (count === 0) return []
  return [
    `${countOf(count, 'revocation')} ${count === 1 ? 'needs' : 'need'} a person: \`credsync held\` lists ${count === 1 ? 'it' : 'them'}`,
  ]
}

interface Standing {
  state: string
  received: string
  settled: string | null
  refusal: string | null
  notices: readonly string[]
  brake?: Run['brake']
  approval?: Run['approval']
}

/** Dates are texts in one answer of the ledger and dates in the other. The brake is told of only where it was on. */
function standing(run: Run): Standing {
  const iso = (at: Date | string) => new Date(at).toISOString()
  return {
    state: run.state,
    received: iso(run.receivedAt),
    settled: run.settledAt && iso(run.settledAt),
    refusal: run.refusal,
    notices: run.notices,
    ...(run.brake && { brake: run.brake }),
    ...(run.approval && { approval: run.approval }),
  }
}

interface Entry {
  run: Run
  /** Changed rows of it that wait for a correction; counted for one run alone. */
  waiting: number
  shown: RunDocument & Standing
}

function detailLines({ run, waiting, shown }: Entry): string[] {
  const received = `  received      ${shown.received}`
  // Nothing of a refused or braked file was taken: its counts are noughts that say nothing.
  if (shown.refusal) return [headLine(shown), `  refused: ${shown.refusal}`, received]
  if (shown.state === 'braked') return [`${headLine(shown)} is braked`, ...brakeLines(run), received]
  const notes = run.notices.map((notice) => `  note: ${notice}`)
  const lines = [...summaryLines(shown, run), ...notes, received]
  if (waiting > 0)
    lines.push(
      `  corrections   ${countOf(waiting, 'changed row')} ${waiting === 1 ? 'waits' : 'wait'} for a person: \`credsync correct\` lists them`,
    )
  if (shown.settled) lines.push(`  settled       ${shown.settled}`)
  if (run.approval) lines.push(`  approved by   ${run.approval.by}${run.approval.why ? `: ${run.approval.why}` : ''}`)
  return lines
}

function listLines(entries: readonly Entry[]): string[] {
  if (entries.length === 0) return ['No run yet. `credsync issue FILE --pipeline NAME` makes the first one.']
  return entries.map(
    ({ shown: entry }) =>
      `${entry.run}  ${entry.received.slice(0, 16).replace('T', ' ')}  ${entry.pipeline}  ${entry.source}  ${standingOf(entry)}`,
  )
}

function standingOf(entry: Entry['shown']): string {
  if (entry.refusal) return `refused: ${firstSentence(entry.refusal)}`
  if (entry.state === 'braked') return `braked: ${entry.brake?.because} Approve or reject it.`
  const total = totalOf(entry.states)
  const progress =
    entry.state === 'published' ? `${countIn(entry.states, restingStates)}/${total} at rest` : entry.state
  const extra = [
    `${entry.states.issued} issued`,
    ...allStates.flatMap((state) =>
      state !== 'issued' && entry.states[state] > 0 ? [`${entry.states[state]} ${state}`] : [],
    ),
    ...(entry.invalid > 0 ? [`${entry.invalid} invalid`] : []),
    ...(entry.skipped > 0 ? [`${entry.skipped} skipped`] : []),
    ...(entry.changed > 0 ? [`${entry.changed} of them changed`] : []),
  ]
  return `${progress}: ${extra.join(', ')}`
}

/** A full stop within a name, such as people.csv, ends no sentence. */
function firstSentence(text: string): string {
  const inOneLine = text.replace(/\s*\n\s*(?:- )?/g, ' ')
  return inOneLine.split(/(?<=[.!?])\s+(?=\p{Lu})/u)[0] ?? inOneLine
}
