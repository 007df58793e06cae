// credsync probe: finds out what the service leaves unsaid about a course, with a few throwaway recipients, and keeps it in the ledger.

import type { PipelineSettings } from '#config/schema.ts'
import type { App } from '#src/app.ts'
import { invitationOf } from '#src/pipelines/invitation-of.ts'
import { findingWords } from '#src/probe/probe-words.ts'
import { ProbeRefusedError, runProbe } from '#src/probe/run-probe.ts'
import { ProbeImpossibleError, planProbe } from '#src/probe/throwaway-people.ts'
import { findField } from '#src/recipients/find-field.ts'
import { parseDuration } from '#src/time/duration.ts'
import { type ExitCode, exitCode, UsageError } from '../exit-code.ts'
import { answer, answerJson, appFor, type Cli, say, settingsFor } from '../surroundings.ts'

export interface ProbeOptions {
  pipeline: string
  /** A written duration; the command line gives 10m when nobody says otherwise. */
  timeout: string
  json?: boolean
  config?: string
}

export async function probeCommand(cli: Cli, options: ProbeOptions): Promise<ExitCode> {
  const timeoutMs = parseDuration(options.timeout)
  if (!timeoutMs) throw new UsageError(`--timeout ${options.timeout} is no time to wait; write it like 30s, 10m or 1h.`)
  const settings = await settingsFor(cli, options)
  // Before anything is opened: nothing at all of a probe may reach production.
  if (settings.file.service.environment !== 'development')
    throw new UsageError(
      `A probe issues throwaway credentials, so it runs in the development environment only, and service.environment is ${settings.file.service.environment}. Nothing was called.`,
    )
  await using app = await appFor(cli, settings)
  return await withoutWorker(app, () => probe(cli, app, options, timeoutMs))
}

/** Limits and tokens are kept in a worker's memory, so a probe beside one would spend its allowance twice. */
async function withoutWorker(app: App, work: () => Promise<ExitCode>): Promise<ExitCode> {
  if (!app.exclusive) return work()
  const lock = await app.ledger.holdLock('worker')
  if (!lock)
    throw new UsageError(
      'A worker runs on this ledger, and a probe would share its limits. Stop it for the time of the probe.',
    )
  try {
    return await work()
  } finally {
    await lock.release()
  }
}

async function probe(cli: Cli, app: App, options: ProbeOptions, timeoutMs: number): Promise<ExitCode> {
  const pipeline = app.pipelines.named(options.pipeline)
  const course = await app.courses.uuidOf(pipeline)
  const why = await app.courses.whyNotReady(course)
  if (why) throw new UsageError(`The course cannot be probed: ${why}.`)
  try {
    const fields = await app.issuer.fieldList(course)
    const plan = planProbe(fields, constantsOf(pipeline, fields), tagFrom(cli.random))
    say(
      cli,
      `This issues up to ${plan.sent} throwaway credentials for the course of ${options.pipeline} at ${new URL(app.settings.baseUrl).host} (development), to made-up people at example.org.`,
    )
    const { findings, timedOut } = await runProbe(
      {
        issuer: app.issuer,
        clock: app.clock,
        invitationOf: (students) => invitationOf(quiet(pipeline), course, students),
        deadlineMs: app.tuning.deadlineMs,
        timeoutMs,
        signal: cli.signal,
      },
      plan,
    )
    const probedAt = await app.ledger.keepProbe(course, findings)
    if (options.json)
      answerJson(cli, { pipeline: options.pipeline, course, probedAt, sent: plan.sent, timedOut, findings })
    else for (const words of findingWords(findings)) answer(cli, words)
    if (timedOut)
      say(cli, `The timeout (${options.timeout}) came before the report showed everybody. Try a longer one.`)
    return timedOut ? exitCode.timeout : exitCode.ok
  } catch (error) {
    if (cli.signal.aborted) {
      say(cli, 'Interrupted. Nothing was kept; the throwaway credentials sent so far stay at the service.')
      return exitCode.interrupted
    }
    if (error instanceof ProbeImpossibleError || error instanceof ProbeRefusedError) throw new UsageError(error.message)
    throw error
  }
}

/** Made-up people get no mail, whatever the pipeline says. Pure. */
export function quiet(pipeline: PipelineSettings): PipelineSettings {
  return { ...pipeline, options: { ...pipeline.options, sendEmail: false, attachCertificate: false } }
}

/** What the pipeline sends to everybody, by the display name of the field. Pure. */
function constantsOf(
  { columns }: Pick<PipelineSettings, 'columns'>,
  fields: Parameters<typeof findField>[1],
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(columns).flatMap(([name, spec]): [string, string][] => {
      const field = findField(name, fields)
      return field && typeof spec === 'object' && 'value' in spec ? [[field.displayName, spec.value]] : []
    }),
  )
}

function tagFrom(random: () => number): string {
  return Array.from({ length: 6 }, () => String.fromCharCode(97 + Math.floor(random() * 26))).join('')
}
