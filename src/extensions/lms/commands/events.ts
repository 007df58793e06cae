// credsync events: shows what learning systems sent that was not understood, and what was delivered to them; processes
// or delivers it again.

import type { App } from '#src/app/app.ts'
import { appFor, type Cli, print, printJson, say, settingsFor } from '#src/cli/cli-context.ts'
import { type ExitCode, exitCode, UsageError } from '#src/cli/exit-code.ts'
import { indentedLine } from '#src/cli/text/terminal-text.ts'
import {
  type LmsStatus,
  learningDocument,
  learningLines,
  needsPerson,
} from '#src/extensions/lms/describe-learning-systems.ts'
import { countOf } from '#src/issuing/results/run-summary.ts'

export interface EventsOptions {
  config?: string
  json?: boolean
  system?: string
}

const maxShown = 50

export async function eventsCommand(cli: Cli, options: EventsOptions): Promise<ExitCode> {
  await using app = await appFor(cli, await settingsFor(cli, options))
  const { system } = options
  if (system !== undefined) requireSystem(app, system)
  const status = await statusOf(app, system ?? null)
  const lines = learningLines(status)
  if (options.json) printJson(cli, learningDocument(status))
  else if (lines.length === 0)
    print(cli, 'No learning system has sent anything, and nothing has been delivered to one.')
  else for (const line of lines) print(cli, indentedLine(line))
  return needsPerson(status) ? exitCode.needsPerson : exitCode.ok
}

/** Prints the body of an event to stdout exactly as it was received; on a terminal, control characters are replaced. */
export async function eventsShowCommand(cli: Cli, text: string, options: { config?: string }): Promise<ExitCode> {
  await using app = await appFor(cli, await settingsFor(cli, options))
  const { id, system, arrivedAt, state, problem, body } = await findEvent(app, text)
  say(cli, `d${id}: from ${system}, ${arrivedAt.toISOString()}, ${state}${problem ? `: ${problem}` : ''}`)
  if (!body) say(cli, 'The body of the event is no longer stored.')
  else if (cli.stdout.isTTY) print(cli, body.toString('utf8').replace(controlCharacters, '\u{FFFD}'))
  else cli.stdout.write(body)
  return exitCode.ok
}

async function findEvent({ ledger }: App, text: string) {
  const id = Number(/^d(\d{1,15})$/.exec(text)?.[1] ?? Number.NaN)
  if (Number.isNaN(id))
    throw new UsageError('That is not an event id. Event ids look like d7; `credsync events` shows them.')
  const event = await ledger.inboundEvents.find(id)
  if (!event) throw new UsageError(`The ledger has no event d${id} for ${ledger.environment}.`)
  return { ...event, id }
}

export async function eventsCloseCommand(cli: Cli, texts: string[], options: { config?: string }): Promise<ExitCode> {
  await using app = await appFor(cli, await settingsFor(cli, options))
  const events = await Promise.all(texts.map((text) => findEvent(app, text)))
  for (const { id, state } of events) {
    if (!(await app.ledger.inboundEvents.close(id)))
      throw new UsageError(
        state === 'new' ? `d${id} is about to be processed. See what it becomes first.` : `d${id} is closed already.`,
      )
    say(cli, `d${id} is closed: it leads to no credential, and its body is deleted.`)
  }
  return exitCode.ok
}

const controlCharacters = /(?![\n\t])\p{Cc}/gu

export async function eventsReplayCommand(cli: Cli, options: EventsOptions & { system: string }): Promise<ExitCode> {
  await using app = await appFor(cli, await settingsFor(cli, options))
  const { ledger, learning } = app
  const { system } = options
  requireSystem(app, system)
  const confirmedBy = learning.endpoint(system)?.confirm ?? system
  const events = await ledger.inboundEvents.processAgain(system)
  await ledger.learningSystems.pollAllNow(system)
  let completions = 0
  for (const { pipeline } of learning.pipelinesOf(confirmedBy))
    completions += await ledger.completions.waitAgain(pipeline)
  if (options.json) printJson(cli, { events, completions })
  say(
    cli,
    `${countOf(events, 'event')} from ${system} to be processed again, ${countOf(completions, 'completion')} from refused runs to be issued, ${whileRunning}`,
  )
  return exitCode.ok
}

export async function eventsRedeliverCommand(
  cli: Cli,
  options: EventsOptions & { pipeline?: string; all?: boolean },
): Promise<ExitCode> {
  const settings = await settingsFor(cli, options)
  const { pipeline, all = false } = options
  const known = Object.keys(settings.file.pipelines)
  if (pipeline === undefined && !all) throw new UsageError('Name the pipeline (--pipeline NAME), or use --all.')
  if (pipeline !== undefined && !known.includes(pipeline))
    throw new UsageError(`The configuration has no pipeline ${pipeline}. It has: ${known.join(', ')}.`)
  await using app = await appFor(cli, settings)
  const { ledger, learning } = app
  const sum = { again: 0, added: 0 }
  for (const name of pipeline === undefined ? known : [pipeline]) {
    const targets = learning.targetsOf(name)
    const again = await ledger.deliveries.again(name, targets)
    const added = all ? await ledger.deliveries.requestAll(name, targets) : 0
    const neverReceived = all ? `, ${added} that a target never received` : ''
    say(cli, `${countOf(again, 'outcome')} for ${name} to be delivered again${neverReceived}, ${whileRunning}`)
    sum.again += again
    sum.added += added
  }
  if (options.json) printJson(cli, { deliveries: sum.again, ...(all && { added: sum.added }) })
  return exitCode.ok
}

const whileRunning = 'while `credsync start` runs.'

async function statusOf({ ledger, learning, settings }: App, system: string | null): Promise<LmsStatus> {
  const isTarget = (delivery: { pipeline: string; target: string }) =>
    learning.targetsOf(delivery.pipeline).some(({ name }) => name === delivery.target)
  const ofSystem = (each: { system: string }) => system === null || each.system === system
  const isConfigured = (name: string) => Object.hasOwn(settings.file.systems, name)
  const isIssued = (of: { system: string; pipeline: string }) =>
    learning.pipelinesOf(of.system).some(({ pipeline }) => pipeline === of.pipeline)
  return {
    events: (await ledger.inboundEvents.strange(system, maxShown)).filter((each) => isConfigured(each.system)),
    counts: (await ledger.inboundEvents.counts())
      .filter(ofSystem)
      .map((each) => ({ ...each, configured: isConfigured(each.system) })),
    systems: (await ledger.learningSystems.statuses()).filter(ofSystem),
    completions: (await ledger.completions.counts())
      .filter(ofSystem)
      .map((each) => ({ ...each, configured: isIssued(each) })),
    invalid: (await ledger.completions.invalid()).filter((each) => ofSystem(each) && isIssued(each)),
    // Nothing is delivered to a target that is no longer in writeBack, and no one can do anything about it. The second
    // word of a target is its system, or the host of a webhook.
    deliveries: (await ledger.deliveries.counts()).filter(
      (delivery) => isTarget(delivery) && ofSystem({ system: delivery.target.split(' ')[1] ?? '' }),
    ),
  }
}

function requireSystem({ settings }: App, system: string): void {
  const known = Object.keys(settings.file.systems)
  if (known.includes(system)) return
  const available = known.length > 0 ? `It has: ${known.join(', ')}.` : 'It has none.'
  throw new UsageError(`The configuration has no learning system ${system}. ${available}`)
}
