// Everything that a command gets from outside, so that a test can replace its terminal, clock and environment. The help
// needs this file too, so the settings and the app are imported only by a command that uses them.

import { extname } from 'node:path'
import type { Settings } from '#config/settings.ts'
import type { App } from '#src/app/app.ts'
import type { AppOptions } from '#src/app/open-core.ts'
import { openLog } from '#src/platform/log/log.ts'
import { sumRepeatedFaults } from '#src/platform/log/sum-repeated-lines.ts'
import type { Clock } from '#src/platform/time/clock.ts'
import type { JobActions } from './job-actions.ts'
import { terminalSafeText } from './text/terminal-text.ts'

export interface Cli {
  argv: readonly string[]
  env: Readonly<Record<string, string | undefined>>
  cwd: string
  clock: Clock
  random: () => number
  /** Where the operator answers prompts; if this is not a terminal, nothing is asked (see confirm.ts). */
  stdin?: NodeJS.ReadableStream & { isTTY?: boolean }
  stdout: NodeJS.WritableStream & { isTTY?: boolean }
  stderr: NodeJS.WritableStream & { isTTY?: boolean; columns?: number }
  /** Aborted by the first SIGINT or SIGTERM, with the signal's name as reason. */
  signal: AbortSignal
  jobs: JobActions
}

/**
 * Prints text for people to stderr. Control characters are removed, here and in the functions below, so that text from
 * files or from the service cannot control the terminal.
 */
export function say(cli: Pick<Cli, 'stderr'>, text: string): void {
  cli.stderr.write(`${terminalSafeText(text)}\n`)
}

/** Prints results to stdout. */
export function print(cli: Pick<Cli, 'stdout'>, text: string): void {
  cli.stdout.write(`${terminalSafeText(text)}\n`)
}

export function printJson(cli: Pick<Cli, 'stdout'>, document: unknown): void {
  // JSON allows these characters unescaped; escaping them gives a parser the same text.
  const escaped = JSON.stringify(document, null, 2).replace(
    /[\u007f-\u009f\p{Zl}\p{Zp}\p{Bidi_Control}]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  cli.stdout.write(`${escaped}\n`)
}

export async function settingsFor(cli: Cli, options: { config?: string }): Promise<Settings> {
  const { readSettings } = await import('#config/settings.ts')
  return readSettings({ env: cli.env, cwd: cli.cwd, configPath: options.config })
}

/**
 * Opens the app for a command. A worker logs as configured. A short command reports in sentences, so it logs only
 * errors unless another level was requested; `info` in the file is the default and does not count as requested.
 */
export async function appFor(cli: Cli, settings: Settings, mode: 'short' | 'worker' = 'short'): Promise<App> {
  const { openApp } = await import('#src/app/app.ts')
  return openApp(settings, appOptionsFor(cli, settings, mode))
}

/**
 * Opens the app for a command that calls the service, after the checks that a worker makes when it starts. Their
 * warnings are left to `start` and `check`.
 * @throws what runStartupChecks throws
 */
export async function callingAppFor(cli: Cli, settings: Settings): Promise<App> {
  const { runStartupChecks } = await import('#src/check/startup-checks.ts')
  await using stack = new AsyncDisposableStack()
  const app = stack.use(await appFor(cli, settings))
  await runStartupChecks(app)
  stack.move()
  return app
}

/** Returns the options with which a command opens the app or a part of it. */
export function appOptionsFor(cli: Cli, settings: Settings, mode: 'short' | 'worker' = 'short'): AppOptions {
  const { level } = settings.file.log
  const quiet = mode === 'short' && level === 'info' && !cli.env.CREDSYNC_LOG_LEVEL
  return {
    clock: cli.clock,
    random: cli.random,
    log: sumRepeatedFaults(openLog(quiet ? 'error' : level, cli.stderr), cli.clock),
    notice: (text) => say(cli, text),
  }
}

/**
 * Returns how the person at the terminal starts credsync, for messages that name the next command. Pure.
 * @param file the URL of a file of ours: in a checkout, it ends with .ts
 */
export function invocation(env: Readonly<Record<string, string | undefined>>, file: string = import.meta.url): string {
  if (extname(file) === '.ts') return 'npm run -s credsync --'
  return env.npm_command === 'exec' ? 'npx credsync' : 'credsync'
}
