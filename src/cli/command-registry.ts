// The interface through which each group of commands registers itself, and the options that several of them share.

import type { Command } from 'commander'
import type { Cli } from './cli-context.ts'
import type { ExitCode } from './exit-code.ts'

type CommandFunction<Args extends unknown[]> = (cli: Cli, ...args: Args) => Promise<ExitCode>

export interface CommandRegistry {
  cli: Cli
  /** Adds a command to the program, or a sub-command to `under`. */
  command(name: string, description: string, under?: Command): Command
  /** Records the exit code of a command that has finished. */
  end(code: ExitCode): void
  /** Makes the action of a command, which is imported when it runs. */
  run<Args extends unknown[]>(load: () => Promise<CommandFunction<Args>>): (...args: Args) => Promise<void>
  /** Does the same for a command that may be abandoned at any point (until-interrupted.ts). */
  runBriefly<Args extends unknown[]>(load: () => Promise<CommandFunction<Args>>): (...args: Args) => Promise<void>
  /** Sets the heading under which the help lists the commands that follow. */
  group(heading: string): void
}

export const jsonOption = ['--json', 'print one JSON document to stdout'] as const
export const byOption = ['--by <name>', 'who made the decision (default: your user name)'] as const
export const yesOption = ['--yes', 'do not ask for confirmation'] as const
export const runReasonOption = ['--reason <text>', 'the reason; stored with the run'] as const
export const rowReasonOption = ['--reason <text>', 'the reason; stored with the row'] as const
