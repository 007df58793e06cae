// What each group of commands is given to be offered with, and the options that several of them have.

import type { Command } from 'commander'
import type { ExitCode } from '../exit-code.ts'
import type { Cli } from '../surroundings.ts'

export interface Offer {
  cli: Cli
  /** Begins a command of the program, or one of `under`. */
  command(name: string, words: string, under?: Command): Command
  end(code: ExitCode): void
  /** The heading, in the help, of the commands that follow. */
  group(heading: string): void
}

export const config = ['--config <path>', 'the configuration file (default: config/credsync.yaml)'] as const
export const json = ['--json', 'make stdout one JSON document'] as const
export const by = ['--by <name>', 'who decides (default: you)'] as const
export const reason = ['--reason <text>', 'why; kept with the run'] as const
export const why = ['--reason <text>', 'why; kept with the row'] as const
