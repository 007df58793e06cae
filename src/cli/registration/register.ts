// The interface that each group of commands uses to register, and the options that several of them share.

import type { Command } from 'commander'
import type { Cli } from '../cli-context.ts'
import type { ExitCode } from '../exit-code.ts'

export interface CommandRegistry {
  cli: Cli
  /** Adds a command to the program, or a sub-command to `under`. */
  command(name: string, description: string, under?: Command): Command
  end(code: ExitCode): void
  /** Sets the heading, in the help, of the commands that follow. */
  group(heading: string): void
}

export const jsonOption = ['--json', 'make stdout one JSON document'] as const
export const byOption = ['--by <name>', 'who decides (default: your user name)'] as const
export const runReasonOption = ['--reason <text>', 'why; kept with the run'] as const
export const rowReasonOption = ['--reason <text>', 'why; kept with the row'] as const
