// credsync issue FILE: issues the credentials for one file, from reading it to the final report.

import { access, constants, realpath, stat } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import type { App } from '#src/app/app.ts'
import { olderSettingsSentence, workersOfLists } from '#src/app/running-workers.ts'
import { type Cli, callingAppFor, printJson, say, settingsFor } from '#src/cli/cli-context.ts'
import { type ExitCode, exitCode, exitCodeOf, UsageError } from '#src/cli/exit-code.ts'
import { type Ending, type FollowedRun, followRun } from '#src/cli/follow-run.ts'
import { openProgressDisplay } from '#src/cli/progress-display.ts'
import { indentedLine } from '#src/cli/text/terminal-text.ts'
import { countIn, needsOperatorStates, watchedStates } from '#src/domain/credential/state.ts'
import { hashFile } from '#src/files/tables/hash-file.ts'
import { waitingLine, waitingReasons } from '#src/issuing/descriptions/waiting-reasons.ts'
import { handOverFile } from '#src/issuing/intake/hand-over-file.ts'
import { emptyDocument, runDocument } from '#src/issuing/results/run-document.ts'
import { brakeLines, summaryLines } from '#src/issuing/results/run-summary.ts'
import { sendingStoppedMessage } from '#src/ledger/attempts/sending-stopped-message.ts'
import { safeMessage } from '#src/platform/safe-message.ts'
import { parseDuration } from '#src/platform/time/duration.ts'
import { dryRunIssue } from './issue-dry-run.ts'

interface IssueOptions {
  pipeline: string
  config?: string
  dryRun?: boolean
  wait?: boolean
  timeout?: string
  json?: boolean
}

export async function issueCommand(cli: Cli, file: string, options: IssueOptions): Promise<ExitCode> {
  const settings = await settingsFor(cli, options)
  const timeoutMs = readTimeout(options.timeout)
  const path = await readablePath(resolve(cli.cwd, file))
  await using app = await callingAppFor(cli, settings)
  app.pipelines.named(options.pipeline)
  if (options.dryRun) return await dryRunIssue(cli, app, path, options)
  return await issueFile(cli, app, path, { ...options, timeoutMs })
}

/** Issues one file through an app that is already open; the demo uses it too. */
export async function issueFile(
  cli: Cli,
  app: App,
  path: string,
  options: { pipeline: string; wait?: boolean; json?: boolean; timeoutMs: number | null },
): Promise<ExitCode> {
  await using stack = new AsyncDisposableStack()
  const startWorker = async () => {
    const started = await cli.jobs.startWorker(app)
    return started && stack.use(started)
  }
  let worker = await startWorker()
  const unavailable = worker ? await serviceFault(app) : null
  if (unavailable) {
    say(cli, unavailable.message)
    if (options.json) printJson(cli, emptyDocument(options.pipeline, basename(path)))
    return exitCode.service
  }
  if (!worker) await refuseOlderWorker(app)
  const source = {
    pipeline: options.pipeline,
    sourceName: basename(path),
    sourcePath: path,
    sourceSha256: await hashFile(path),
  }
  const { run, resumed } = await handOverFile(app, source)
  const braked = run.state === 'braked'
  if (braked) say(cli, `This file has already been submitted (run ${run.id}).`)
  else if (resumed) say(cli, `This file is already being issued (run ${run.id}); continuing with it.`)
  if (!worker && !braked) say(cli, 'A worker is running on this ledger; the file was handed over to it.')

  const progress = openProgressDisplay(cli.stderr, cli.clock)
  const followed = await followRun(app, {
    runId: run.id,
    untilFinal: options.wait === true,
    timeoutMs: options.timeoutMs,
    signal: cli.signal,
    progress,
    own: worker,
    async takeOver() {
      worker = await startWorker()
      if (worker) say(cli, 'The worker that had the file has stopped; continuing in this process.')
      return worker
    },
  })
  progress.end()
  await worker?.stop()
  if (followed.run.state === 'published') await updateResults(cli, app, run.id, worker !== null)
  return await reportEnd(cli, app, followed, options)
}

/** @throws UsageError if a running worker has older settings, because it would issue the file by those settings */
async function refuseOlderWorker(app: App): Promise<void> {
  const sentences = (await workersOfLists(app)).map((worker) => olderSettingsSentence(worker, app.settings))
  const older = sentences.find((sentence) => sentence !== null)
  if (older) throw new UsageError(`${older}. Nothing was handed over.`)
}

/** Called before a run is created, so that wrong keys or a missing network leave no run behind. */
async function serviceFault(app: App): Promise<Error | null> {
  try {
    await app.issuer.checkToken()
    return null
  } catch (error) {
    if (error instanceof Error && exitCodeOf(error) === exitCode.service) return error
    throw error
  }
}

/** Updates the results file. If the worker is another process, requests the update and waits for it for 15 seconds. */
async function updateResults(cli: Cli, app: App, runId: string, isOwnWorker: boolean): Promise<void> {
  if (isOwnWorker) return cli.jobs.writeResults(app, runId)
  await app.ledger.writeBacks.want(runId)
  for (let tries = 0; tries < 60 && (await app.ledger.writeBacks.wantedVersion(runId)) !== null; tries++)
    await app.clock.sleep(250)
}

async function reportEnd(
  cli: Cli,
  app: App,
  followed: FollowedRun,
  options: { wait?: boolean; json?: boolean },
): Promise<ExitCode> {
  const now = (await app.ledger.runs.withStates(followed.run.id)) ?? followed
  if (followed.ending === 'refused') {
    say(cli, `${now.run.sourceName} was refused. ${now.run.refusal ?? ''}`)
    if (options.json) printJson(cli, runDocument(now.run, now.states, now.surplus))
    return exitCode.usage
  }
  const problems = now.run.invalid > 0 ? await app.ledger.violations.byKind(now.run.id) : []
  const document = runDocument(now.run, now.states, now.surplus, problems)
  if (followed.ending === 'braked') {
    say(cli, `${now.run.sourceName} is braked.`)
    for (const line of brakeLines(now.run)) say(cli, indentedLine(line))
    if (options.json) printJson(cli, document)
    return exitCode.needsPerson
  }
  for (const notice of now.run.notices) say(cli, `note: ${notice}`)
  for (const line of summaryLines(document, now.run.sourcePath)) say(cli, indentedLine(line))
  for (const line of await waitingLines(app, followed.ending, now)) say(cli, indentedLine(line))
  if (options.json) printJson(cli, document)
  return explainEnding(
    cli,
    { ...followed, states: now.states },
    now.run.invalid + countIn(now.states, needsOperatorStates),
  )
}

/** Returns the reasons why the run is not finished, in the words of the progress line. */
async function waitingLines({ ledger, clock }: App, ending: Ending, now: Pick<FollowedRun, 'run' | 'states'>) {
  if (ending === 'reached') return []
  if (ending === 'stopped') return (await ledger.sendingStops.stops()).map((stop) => `${sendingStoppedMessage(stop)}.`)
  const waiting = waitingReasons(await ledger.waiting.facts(now))
  return waiting.map((entry) => `  waits  ${waitingLine(entry, clock.now())}`)
}

function readTimeout(text: string | undefined): number | null {
  if (text === undefined) return null
  const ms = parseDuration(text)
  if (ms === null) throw new UsageError(`--timeout ${text} is not a duration. Write it like 30s, 10m or 2h.`)
  return ms
}

async function readablePath(path: string): Promise<string> {
  try {
    await access(path, constants.R_OK)
    if (!(await stat(path)).isFile()) throw new UsageError(`${path} is not a file.`)
    return await realpath(path)
  } catch (error) {
    if (error instanceof UsageError) throw error
    throw new UsageError(
      `${path} cannot be read (${(error as NodeJS.ErrnoException).code}). Check the path and its permissions.`,
    )
  }
}

/**
 * Says how a followed run ended and what continues it, unless it reached what was asked for. Chooses the exit code.
 * @param waiting how many of its rows need an operator
 */
export function explainEnding(
  cli: Pick<Cli, 'stderr'>,
  followed: Pick<FollowedRun, 'ending' | 'states' | 'fault'>,
  waiting: number,
): ExitCode {
  const { ending, states } = followed
  if (ending === 'interrupted') {
    say(
      cli,
      `Stopped. ${states.pending} rows are still to be sent and ${countIn(states, watchedStates)} to be followed; the same command or \`credsync start\` continues.`,
    )
    return exitCode.interrupted
  }
  if (ending === 'stopped') return exitCode.needsPerson
  if (ending === 'course waits') {
    say(
      cli,
      `${states.pending} rows wait until the course can issue, and are then sent automatically while \`credsync start\` runs, or by the same command.`,
    )
    return exitCode.needsPerson
  }
  if (ending === 'timeout') {
    say(
      cli,
      'The timeout expired before the run was finished. The same command, `credsync start` or `credsync reconcile --once` continues.',
    )
    return exitCode.timeout
  }
  if (ending === 'lost') {
    say(
      cli,
      'The connection that makes this the only worker was lost, so the command stopped. Nothing is lost: run the same command again or start the worker to continue.',
    )
    return exitCode.usage
  }
  if (ending === 'service away') {
    say(cli, safeMessage(followed.fault))
    return exitCodeOf(followed.fault)
  }
  return waiting > 0 ? exitCode.needsPerson : exitCode.ok
}
