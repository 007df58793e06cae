// credsync probe: finds out what the service does not document about a course, with a few test recipients, and stores
// it in the ledger.

import type { PipelineSettings } from '#config/pipeline-settings.ts'
import type { App } from '#src/app/app.ts'
import { type Cli, callingAppFor, print, printJson, say, settingsFor } from '#src/cli/cli-context.ts'
import { type ExitCode, exitCode, UsageError } from '#src/cli/exit-code.ts'
import { findField } from '#src/domain/recipient/find-field.ts'
import { describeFindings } from '#src/extensions/probe/describe-findings.ts'
import { ProbeImpossibleError, planProbe } from '#src/extensions/probe/probe-recipients.ts'
import { ProbeRefusedError, runProbe } from '#src/extensions/probe/run-probe.ts'
import { buildInvitation } from '#src/issuing/pipelines/build-invitation.ts'
import { parseDuration } from '#src/platform/time/duration.ts'

export interface ProbeOptions {
  pipeline: string
  /** A duration as text; the command line's default is 10m. */
  timeout: string
  json?: boolean
  config?: string
}

export async function probeCommand(cli: Cli, options: ProbeOptions): Promise<ExitCode> {
  const timeoutMs = parseDuration(options.timeout)
  if (!timeoutMs) throw new UsageError(`--timeout ${options.timeout} is not a duration; write it like 30s, 10m or 1h.`)
  const settings = await settingsFor(cli, options)
  // Checked before anything is opened: a probe must never send anything to production.
  if (settings.file.service.environment !== 'development')
    throw new UsageError(
      `A probe issues test credentials, so it runs only in the development environment, but service.environment is ${settings.file.service.environment}. Nothing was called.`,
    )
  await using app = await callingAppFor(cli, settings)
  return await withoutWorker(app, () => probe(cli, app, options, timeoutMs))
}

/**
 * Runs the probe under the worker's lock. Without Redis, limits and tokens are in the worker's memory, so a probe next
 * to a running worker would exceed the limits.
 */
async function withoutWorker(app: App, work: () => Promise<ExitCode>): Promise<ExitCode> {
  if (!app.exclusive) return work()
  const lock = await app.ledger.locks.hold('worker')
  if (!lock)
    throw new UsageError(
      'A worker is running on this ledger, and a probe next to it would exceed the limits of the service. Stop the worker while the probe runs.',
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
      `This issues up to ${sent} test credentials for the course of ${options.pipeline} at ${new URL(app.settings.baseUrl).host} (development), to made-up people at example.org.`,
    )
    const { findings, timedOut } = await runProbe(
      {
        issuer: app.issuer,
        clock: app.clock,
        buildInvitation: (students) => buildInvitation(withoutMail(pipeline), course, students),
        deadlineMs: app.tuning.deadlineMs,
        timeoutMs,
        signal: cli.signal,
      },
      plan,
    )
    const probedAt = await app.ledger.probes.keep(course, findings)
    if (options.json) printJson(cli, { pipeline: options.pipeline, course, probedAt, sent, timedOut, findings })
    else for (const sentence of describeFindings(findings)) print(cli, sentence)
    if (timedOut)
      say(
        cli,
        `The timeout (${options.timeout}) expired before the report showed every recipient. Try a longer timeout.`,
      )
    return timedOut ? exitCode.timeout : exitCode.ok
  } catch (error) {
    if (cli.signal.aborted) {
      say(cli, 'Interrupted. No findings were stored; the test credentials sent so far stay in the service.')
      return exitCode.interrupted
    }
    if (error instanceof ProbeImpossibleError || error instanceof ProbeRefusedError) throw new UsageError(error.message)
    throw error
  }
}

/** The first recipient twice, and the control. */
const sent = 3

/** Turns mail off, because made-up people must not get any, whatever the pipeline says. Pure. */
export function withoutMail(pipeline: PipelineSettings): PipelineSettings {
  return { ...pipeline, options: { ...pipeline.options, sendEmail: false, attachCertificate: false } }
}

/** Returns the values that the pipeline sends for every recipient, by display name of the field. Pure. */
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
