// Everything a command gets from outside, so that a test can be its terminal, its clock and its environment.

import { type ReadSettingsOptions, readSettings, type Settings } from '#config/settings.ts'
import { type App, openApp, type Surroundings } from '#src/app.ts'
import { openLog } from '#src/log/log.ts'
import type { Clock } from '#src/time/clock.ts'
import type { Doing } from './doing.ts'

export interface Cli {
  argv: readonly string[]
  env: Readonly<Record<string, string | undefined>>
  cwd: string
  clock: Clock
  random: () => number
  /** Where a person answers; without a terminal behind it nothing is asked (see confirm.ts). */
  stdin?: NodeJS.ReadableStream & { isTTY?: boolean }
  stdout: NodeJS.WritableStream & { isTTY?: boolean; columns?: number }
  stderr: NodeJS.WritableStream & { isTTY?: boolean; columns?: number }
  /** Aborted by the first SIGINT or SIGTERM, with the signal's name as reason. */
  signal: AbortSignal
  doing: Doing
}

/** Human text goes to stderr. */
export function say(cli: Pick<Cli, 'stderr'>, text: string): void {
  cli.stderr.write(`${text}\n`)
}

/** Results go to stdout. */
export function answer(cli: Pick<Cli, 'stdout'>, text: string): void {
  cli.stdout.write(`${text}\n`)
}

/** How wide a table may be: as the terminal is; null where stdout is a file or another program. */
export function widthOf(cli: Pick<Cli, 'stdout'>): number | null {
  return cli.stdout.isTTY ? (cli.stdout.columns ?? 80) : null
}

export function answerJson(cli: Pick<Cli, 'stdout'>, document: unknown): void {
  cli.stdout.write(`${JSON.stringify(document, null, 2)}\n`)
}

export function settingsFor(cli: Cli, options: { config?: string }): Promise<Settings> {
  const sources: ReadSettingsOptions = { env: cli.env, cwd: cli.cwd, configPath: options.config }
  return readSettings(sources)
}

/**
 * Opens the app for a command. A worker logs as configured. A short command says in a sentence what its user must know, so it logs
 * faults alone unless another level was asked for; `info` in the file is the default and counts as not asked.
 */
export function appFor(cli: Cli, settings: Settings, manner: 'short' | 'worker' = 'short'): Promise<App> {
  return openApp(settings, aroundOf(cli, settings, manner))
}

/** What a part of the app is opened with by a command. */
export function aroundOf(cli: Cli, settings: Settings, manner: 'short' | 'worker' = 'short'): Surroundings {
  const { level } = settings.file.log
  const quiet = manner === 'short' && level === 'info' && !cli.env.CREDSYNC_LOG_LEVEL
  return {
    clock: cli.clock,
    random: cli.random,
    log: openLog(quiet ? 'error' : level, cli.stderr),
    notice: (text) => say(cli, text),
  }
}
