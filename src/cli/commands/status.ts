// credsync status: shows the runs and their counts, or one run, and which workers are running.

import type { WholeLedger } from '#src/app/whole-ledger.ts'
import { type Cli, print, printJson, say } from '#src/cli/cli-context.ts'
import { type ExitCode, exitCode } from '#src/cli/exit-code.ts'
import type { StatusPart } from '#src/cli/extension-parts.ts'
import { findRunId } from '#src/cli/find-run-id.ts'
import { openLedgerForReading } from '#src/cli/open-ledger-for-reading.ts'
import { indentedLine } from '#src/cli/text/terminal-text.ts'
import { states as allStates, countIn, restingStates, type StateCounts, totalOf } from '#src/domain/credential/state.ts'
import { archiveStatus } from '#src/extensions/certificates/commands/archive-status.ts'
import { learningStatus } from '#src/extensions/lms/commands/learning-status.ts'
import { noticeStatus } from '#src/extensions/notices/commands/notice-status.ts'
import { workerLocation } from '#src/issuing/descriptions/describe-worker.ts'
import { inboxDocument, inboxLines, watchDocument, watchLines } from '#src/issuing/descriptions/inbox-lines.ts'
import {
  type WaitingReason,
  waitingDocument,
  waitingLine,
  waitingReasons,
} from '#src/issuing/descriptions/waiting-reasons.ts'
import { heldPeopleLines } from '#src/issuing/results/held-people.ts'
import { runDocument } from '#src/issuing/results/run-document.ts'
import { brakeLines, brakeReason, countOf, headLine, summaryLines } from '#src/issuing/results/run-summary.ts'
import { sendingStoppedMessage } from '#src/ledger/attempts/sending-stopped-message.ts'
import { isCompletionsPath } from '#src/ledger/runs/completions-path.ts'
import type { HeldPerson } from '#src/ledger/runs/rows-from-elsewhere.ts'
import type { Run } from '#src/ledger/runs/runs.ts'
import type { RunProblem } from '#src/ledger/runs/violations.ts'
import { doesOneOf, type RegisteredWorker, registeredWorkers } from '#src/ledger/workers/worker-registration.ts'

export async function statusCommand(
  cli: Cli,
  options: { run?: string; json?: boolean; config?: string },
): Promise<ExitCode> {
  await using reading = await openLedgerForReading(cli)
  const { ledger, database } = reading
  const id = options.run && (await findRunId(ledger, options.run))
  const stops = await ledger.sendingStops.stops()
  // Shown first, because a stop affects everything below.
  if (!options.json) for (const stop of stops) print(cli, indentedLine(`${sendingStoppedMessage(stop)}.`))
  if (id) {
    await showRun(cli, ledger, id, options)
    return exitCode.ok
  }
  const entries = await readEntries(ledger, options)
  const workers = await registeredWorkers(database)
  const inboxes = await ledger.inboxes.statuses()
  const watches = await ledger.watching.shown()
  const beside: StatusPart[] = []
  beside.push(await archiveStatus(ledger))
  beside.push(await learningStatus(cli, options, ledger))
  beside.push(await noticeStatus(cli, ledger))
  if (options.json) {
    printJson(cli, {
      runs: entries.map((entry) => entry.document),
      workers: workers.map(workerDocument),
      ...(stops.length > 0 && { stopped: stops.map(({ id: _, ...stop }) => stop) }),
      ...(inboxes.length > 0 && { inboxes: inboxes.map(inboxDocument) }),
      ...(watches.length > 0 && { watched: watches.map(watchDocument) }),
      ...Object.assign({}, ...beside.filter(({ lines }) => lines.length > 0).map(({ document }) => document)),
    })
    return exitCode.ok
  }
  const lines = [
    ...listLines(entries),
    ...inboxLines(inboxes, cli.clock.now()),
    ...watchLines(watches),
    ...revocationLines((await ledger.revocations.toDecide()).length),
    ...beside.flatMap((part) => part.lines),
  ]
  for (const line of lines) print(cli, indentedLine(line))
  for (const line of workerLines(workers)) say(cli, indentedLine(line))
  return exitCode.ok
}

async function showRun(cli: Cli, ledger: WholeLedger, id: string, { json }: { json?: boolean }): Promise<void> {
  const found = await ledger.runs.withStates(id)
  if (!found) throw new Error(`The ledger has no run ${id}.`)
  const { run } = found
  const problems = run.invalid > 0 ? await ledger.violations.byKind(id) : []
  const document = statusDocument(found, problems)
  const waits = waitingReasons(await ledger.waiting.facts(found))
  const isHeld = run.state === 'braked' && isCompletionsPath(run.sourcePath)
  const people = isHeld ? await ledger.elsewhere.held(id) : []
  if (json) return printJson(cli, { ...document, waiting: waits.map(waitingDocument), ...(isHeld && { people }) })
  const changes = run.changed > 0 ? await ledger.revocations.waitingChanges({ run: id }) : []
  for (const line of detailLines({ run, document, waits, people, changes: changes.length }, cli.clock.now()))
    print(cli, indentedLine(line))
}

/** A run of the list. One that has not been read yet has nothing to show but what it waits for. */
interface Entry {
  document: StatusDocument
  waits: readonly WaitingReason[]
}

async function readEntries(ledger: WholeLedger, { json }: { json?: boolean }): Promise<Entry[]> {
  const found = await Promise.all((await ledger.runs.list()).map((run) => ledger.runs.withStates(run.id)))
  return Promise.all(
    found
      .filter((entry) => entry !== null)
      .map(async (entry) => {
        const problems = json && entry.run.invalid > 0 ? await ledger.violations.byKind(entry.run.id) : []
        const waits = entry.run.state === 'received' ? waitingReasons(await ledger.waiting.facts(entry)) : []
        return { document: statusDocument(entry, problems), waits }
      }),
  )
}

function revocationLines(count: number): string[] {
  if (count === 0) return []
  return [
    `${countOf(count, 'revocation')} ${count === 1 ? 'needs' : 'need'} a decision: \`credsync held\` lists ${count === 1 ? 'it' : 'them'}`,
  ]
}

type StatusDocument = ReturnType<typeof statusDocument>

/** Dates may be text or `Date`, depending on the query they come from. The brake is included only if it applied. */
function statusDocument(
  { run, states, surplus }: { run: Run; states: StateCounts; surplus: number },
  problems: readonly RunProblem[],
) {
  const iso = (at: Date | string) => new Date(at).toISOString()
  return {
    ...runDocument(run, states, surplus, problems),
    state: run.state,
    received: iso(run.receivedAt),
    settled: run.settledAt && iso(run.settledAt),
    refusal: run.refusal,
    notices: run.notices,
    ...(run.brake && { brake: run.brake }),
    ...(run.approval && { approval: run.approval }),
    ...(run.waits && { waits: run.waits }),
  }
}

interface Details extends Entry {
  run: Run
  /** Completions that the brake holds together with the run. */
  people: readonly HeldPerson[]
  /** The number of changed rows that are waiting for a correction. */
  changes: number
}

function detailLines({ run, document, waits, people, changes }: Details, now: Date): string[] {
  const received = `  received      ${document.received}`
  // No row of a refused or braked file was accepted, so its counts are all zero and are not shown.
  if (document.refusal) return [headLine(document), `  refused: ${document.refusal}`, received]
  if (document.state === 'braked')
    return [`${headLine(document)} is braked`, ...brakeLines(run), ...heldPeopleLines(people), received]
  const notes = run.notices.map((notice) => `  note: ${notice}`)
  const waitLines = waits.map((wait) => `  waits         ${waitingLine(wait, now)}`)
  const lines = [...summaryLines(document, run.sourcePath), ...notes, ...waitLines, received]
  if (changes > 0)
    lines.push(
      `  corrections   ${countOf(changes, 'changed row')} ${changes === 1 ? 'is' : 'are'} waiting for a decision: \`credsync correct\` lists them`,
    )
  if (document.settled) lines.push(`  settled       ${document.settled}`)
  if (run.approval) lines.push(`  approved by   ${run.approval.by}${run.approval.why ? `: ${run.approval.why}` : ''}`)
  return lines
}

function listLines(entries: readonly Entry[]): string[] {
  if (entries.length === 0)
    return ['There are no runs yet. `credsync issue FILE --pipeline NAME` creates the first one.']
  return entries.map(
    ({ document: entry, waits }) =>
      `${entry.run}  ${entry.received.slice(0, 16).replace('T', ' ')}  ${entry.pipeline}  ${entry.source}  ${statusOf(entry, waits)}`,
  )
}

function statusOf(entry: StatusDocument, waits: Entry['waits']): string {
  if (entry.refusal) return `refused: ${firstSentence(entry.refusal)}`
  if (entry.state === 'braked') return `braked: ${brakeReason(entry.brake ?? null)} Approve or reject it.`
  if (entry.waits) return `waits: ${firstSentence(entry.waits)}`
  if (entry.state === 'received' && waits[0]) return `received; waits: ${waits[0].what}`
  const total = totalOf(entry.states)
  const progress =
    entry.state === 'published' ? `${countIn(entry.states, restingStates)}/${total} settled` : entry.state
  const extra = [
    `${entry.states.issued} issued`,
    ...allStates.flatMap((state) =>
      state !== 'issued' && entry.states[state] > 0 ? [`${entry.states[state]} ${state}`] : [],
    ),
    ...(entry.invalid > 0 ? [`${entry.invalid} invalid`] : []),
    ...(entry.skipped > 0 ? [`${entry.skipped} skipped`] : []),
    ...(entry.notMeant > 0 ? [`${entry.notMeant} of them not meant`] : []),
    ...(entry.changed > 0 ? [`${entry.changed} of them changed`] : []),
  ]
  return `${progress}: ${extra.join(', ')}`
}

/** Returns the first sentence. A period within a name, such as people.csv, does not end it. */
function firstSentence(text: string): string {
  const inOneLine = text.replace(/(?<!\s)\s*\n\s*(?:- )?/g, ' ')
  return inOneLine.split(/(?<=[.!?])\s+(?=\p{Lu})/u)[0] ?? inOneLine
}

/**
 * Returns a line for each running worker, or one that says that no worker is running. A console alone is not a worker.
 */
function workerLines(running: readonly RegisteredWorker[]): string[] {
  const workers = running.filter((each) => doesOneOf(each))
  if (workers.length === 0)
    return [
      'No worker is running: inboxes and open rows wait for `credsync start`; open rows also continue with the next `credsync issue`.',
    ]
  return workers.map((worker) => `A worker is running for ${worker.environment}: ${workerLocation(worker)}.`)
}

/** The worker's entry in `status --json`. */
function workerDocument({ environment, host, pid, startedAt }: RegisteredWorker): object {
  return { environment, host, pid, startedAt, running: true }
}
