import type { Cli } from '#src/cli/cli-context.ts'
import { defineProgram } from '#src/cli/command-line.ts'

/** The commands of the command line, without their sub-commands. */
export const commandNames: readonly string[] = defineProgram(
  { stdout: process.stdout, stderr: process.stderr } as unknown as Cli,
  () => {},
).commands.map((command) => command.name())
