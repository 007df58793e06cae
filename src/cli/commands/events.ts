// credsync events: what learning systems sent and was not understood, and what they were told; shown, judged again, told again.

import type { App } from '#src/app.ts'
import { countOf } from '#src/write-back/count-of.ts'
import { type ExitCode, exitCode, UsageError } from '../exit-code.ts'
import { type LearningStanding, learningDocument, learningLines, needsPerson } from '../learning-lines.ts'
import { answer, answerJson, appFor, type Cli, say, settingsFor } from '../surroundings.ts'

export interface EventsOptions {
  config?: string
  json?: boolean
  system?: string
}

const mostShown = 50

export async function eventsCommand(cli: Cli, options: EventsOptions): Promise<ExitCode> {
  await using app = await appFor(cli, await settingsFor(cli, options))
  const { system } = options
  if (system !== undefined) requireSystem(app, system)
  const standing = await standingOf(app, system ?? null)
  const lines = learningLines(standing)
  if (options.json) answerJson(cli, learningDocument(standing))
  else if (lines.length === 0) answer(cli, 'Nothing came of a learning system, and nothing was told to one.')
  else for (const line of lines) answer(cli, line)
  return needsPerson(standing) ? exitCode.needsPerson : exitCode.ok
}

/** The body as it came goes to stdout, and nothing else does. On a terminal, characters that would steer it are replaced. */
export async function eventsShowCommand(cli: Cli, text: string, options: { config?: string }): Promise<ExitCode> {
  const id = /^d(\d{1,15})$/.exec(text)?.[1]
  if (id === undefined)
    throw new UsageError('That is not the id of a delivery. They look like d7; `credsync events` shows them.')
  await using app = await appFor(cli, await settingsFor(cli, options))
  const delivery = await app.ledger.deliveries.find(Number(id))
  if (!delivery) throw new UsageError(`The ledger has no delivery d${id} for ${app.ledger.environment}.`)
  const { system, arrivedAt, state, problem, body } = delivery
  say(cli, `d${id}: of ${system}, ${arrivedAt.toISOString()}, ${state}${problem ? `: ${problem}` : ''}`)
  if (!body) say(cli, 'Its body was forgotten.')
  else if (cli.stdout.isTTY) answer(cli, body.toString('utf8').replace(steering, '\u{FFFD}'))
  else cli.stdout.write(body)
  return exitCode.ok
}

const steering = /(?![\n\t])\p{Cc}/gu

export async function eventsReplayCommand(cli: Cli, options: EventsOptions & { system: string }): Promise<ExitCode> {
  await using app = await appFor(cli, await settingsFor(cli, options))
  const { ledger, learning } = app
  const { system } = options
  requireSystem(app, system)
  const believed = learning.door(system)?.settings.confirm ?? system
  const deliveries = await ledger.deliveries.judgeAgain(system)
  let completions = 0
  for (const { pipeline } of learning.pipelinesOf(believed)) completions += await ledger.completions.waitAgain(pipeline)
  if (options.json) answerJson(cli, { deliveries, completions })
  say(
    cli,
    `${countOf(deliveries, 'event')} of ${system} to be judged again, ${countOf(completions, 'completion')} of refused runs to be issued, ${whileRunning}`,
  )
  return exitCode.ok
}

export async function eventsTellCommand(cli: Cli, options: EventsOptions & { pipeline: string }): Promise<ExitCode> {
  const settings = await settingsFor(cli, options)
  const { pipeline } = options
  const known = Object.keys(settings.file.pipelines)
  if (!known.includes(pipeline))
    throw new UsageError(`The configuration has no pipeline ${pipeline}. It has: ${known.join(', ')}.`)
  await using app = await appFor(cli, settings)
  const tells = await app.ledger.tells.again(pipeline)
  if (options.json) answerJson(cli, { tells })
  say(cli, `${countOf(tells, 'outcome')} of ${pipeline} to be told again, ${whileRunning}`)
  return exitCode.ok
}

const whileRunning = 'while `credsync start` runs.'

async function standingOf({ ledger }: App, system: string | null): Promise<LearningStanding> {
  const ofSystem = (each: { system: string }) => system === null || each.system === system
  return {
    deliveries: await ledger.deliveries.strange(system, mostShown),
    counts: (await ledger.deliveries.standing()).filter(ofSystem),
    systems: (await ledger.learningSystems.standing()).filter(ofSystem),
    completions: (await ledger.completions.standing()).filter(ofSystem),
    // The second word of a target is its system, or the host of a webhook.
    tells: (await ledger.tells.standing()).filter(({ target }) => ofSystem({ system: target.split(' ')[1] ?? '' })),
  }
}

function requireSystem({ settings }: App, system: string): void {
  const known = Object.keys(settings.file.systems)
  if (known.includes(system)) return
  const has = known.length > 0 ? `It has: ${known.join(', ')}.` : 'It has none.'
  throw new UsageError(`The configuration has no learning system ${system}. ${has}`)
}
