// credsync issue FILE: one file, start to end.

import { access, constants, realpath, stat } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import type { App } from '#src/app.ts'
import { otherSettings, runningWorker } from '#src/check/check-worker.ts'
import { speakable } from '#src/check/speakable.ts'
import { countIn, needsPersonStates, watchedStates } from '#src/issuance/state.ts'
import { hashFile } from '#src/sources/hash-file.ts'
import { parseDuration } from '#src/time/duration.ts'
import { emptyDocument, runDocument } from '#src/write-back/run-document.ts'
import { brakeLines, summaryLines } from '#src/write-back/run-summary.ts'
import { type ExitCode, exitCode, exitCodeOf, UsageError } from '../exit-code.ts'
import { type Followed, followRun } from '../follow-run.ts'
import { openProgress } from '../progress.ts'
import { answerJson, appFor, type Cli, say, settingsFor } from '../surroundings.ts'
import { rehearse } from './rehearse.ts'

export interface IssueOptions {
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
  await using app = await appFor(cli, settings)
  app.pipelines.named(options.pipeline)
  if (options.dryRun) return await rehearse(cli, app, path, options)
  return await issueFile(cli, app, path, { ...options, timeoutMs })
}

/** Also the heart of the demo. */
export async function issueFile(
  cli: Cli,
  app: App,
  path: string,
  options: { pipeline: string; wait?: boolean; json?: boolean; timeoutMs: number | null },
): Promise<ExitCode> {
  await using stack = new AsyncDisposableStack()
  const startWorker = async () => {
    const started = await cli.doing.startWorker(app)
    return started && stack.use(started)
  }
  let worker = await startWorker()
  const away = worker ? await serviceFault(app) : null
  if (away) {
    say(cli, away.message)
    if (options.json) answerJson(cli, emptyDocument(options.pipeline, basename(path)))
    return exitCode.service
  }
  if (!worker) await refuseOlderWorker(app)
  const source = {
    pipeline: options.pipeline,
    sourceName: basename(path),
    sourcePath: path,
    sourceSha256: await hashFile(path),
  }
  const { run, resumed } = await app.ledger.receiveRun(source)
  const braked = run.state === 'braked'
  if (braked) say(cli, `This file was handed over before (run ${run.id}).`)
  else if (resumed) say(cli, `This file is being issued already (run ${run.id}); going on with it.`)
  if (!worker && !braked) say(cli, 'A worker runs on this ledger; the file was handed over to it.')

  const progress = openProgress(cli.stderr, cli.clock)
  const followed = await followRun(app, {
    runId: run.id,
    untilFinal: options.wait === true,
    timeoutMs: options.timeoutMs,
    signal: cli.signal,
    progress,
    own: worker,
    async takeOver() {
      worker = await startWorker()
      if (worker) say(cli, 'The worker that had the file has ended; going on here.')
      return worker
    },
  })
  progress.end()
  await worker?.stop()
  if (followed.run.state === 'published') await bringResults(cli, app, run.id, worker !== null)
  return await tellEnd(cli, app, followed, options)
}

/** @throws UsageError when the worker that would get the file was told other settings: it would be issued by those */
async function refuseOlderWorker(app: App): Promise<void> {
  const other = await runningWorker(app)
  const older = other && otherSettings(other, app.settings)
  if (older) throw new UsageError(`${older}. Nothing was handed over.`)
}

/** Asked before the file is taken: with wrong keys or no network there is no run to clear up afterwards. */
async function serviceFault(app: App): Promise<Error | null> {
  try {
    await app.issuer.checkToken()
    return null
  } catch (error) {
    if (error instanceof Error && exitCodeOf(error) === exitCode.service) return error
    throw error
  }
}

/** The results as they stand now. Another process's worker writes them when it hears that they are wanted. */
async function bringResults(cli: Cli, app: App, runId: string, own: boolean): Promise<void> {
  if (own) return cli.doing.writeResults(app, runId)
  await app.ledger.wantResults(runId)
  for (let tries = 0; tries < 60 && (await app.ledger.wantedVersion(runId)) !== null; tries++)
    await app.clock.sleep(250)
}

async function tellEnd(
  cli: Cli,
  app: App,
  followed: Followed,
  options: { wait?: boolean; json?: boolean },
): Promise<ExitCode> {
  const now = (await app.ledger.runWithStates(followed.run.id)) ?? followed
  if (followed.ending === 'refused') {
    say(cli, `${now.run.sourceName} was refused. ${now.run.refusal ?? ''}`)
    if (options.json) answerJson(cli, runDocument(now.run, now.states, now.surplus))
    return exitCode.usage
  }
  const problems = now.run.invalid > 0 ? await app.ledger.problemsOf(now.run.id) : []
  const document = runDocument(now.run, now.states, now.surplus, problems)
  if (followed.ending === 'braked') {
    say(cli, `${now.run.sourceName} is braked.`)
    for (const line of brakeLines(now.run)) say(cli, line)
    if (options.json) answerJson(cli, document)
    return exitCode.needsPerson
  }
  for (const notice of now.run.notices) say(cli, `note: ${notice}`)
  for (const line of summaryLines(document, now.run)) say(cli, line)
  for (const pause of await app.ledger.pauses()) say(cli, `  course ${pause.courseUuid} waits: ${pause.reason}`)
  if (options.json) answerJson(cli, document)
  return exitOf(cli, { ...followed, states: now.states }, now.run.invalid + countIn(now.states, needsPersonStates))
}

function exitOf(cli: Cli, followed: Followed, waiting: number): ExitCode {
  const { ending, states } = followed
  if (ending === 'interrupted') {
    say(
      cli,
      `Stopped. ${states.pending} rows are still to be sent and ${countIn(states, watchedStates)} to be followed; the same command or \`credsync start\` goes on.`,
    )
    return exitCode.interrupted
  }
  if (ending === 'course waits') {
    say(
      cli,
      `${states.pending} rows wait until the course can issue, and then go by themselves while \`credsync start\` runs, or with the same command.`,
    )
    return exitCode.needsPerson
  }
  if (ending === 'timeout') {
    say(cli, 'The timeout came first. The same command, `credsync start` or `credsync reconcile --once` goes on.')
    return exitCode.timeout
  }
  if (ending === 'lost') {
    say(
      cli,
      'The connection that makes this the only worker was lost, so it stopped. Nothing is lost; the same command goes on.',
    )
    return exitCode.fault
  }
  if (ending === 'service away') {
    say(cli, speakable(followed.fault))
    return exitCodeOf(followed.fault)
  }
  return waiting > 0 ? exitCode.needsPerson : exitCode.ok
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
