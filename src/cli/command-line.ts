// Defines the command line (commands and options) and turns errors into sentences and exit codes.

import { Command, CommanderError } from 'commander'
import { registerDownload } from '#src/extensions/certificates/commands/register-download.ts'
import { registerConsole } from '#src/extensions/console/commands/register-console.ts'
import { registerCourses } from '#src/extensions/courses/commands/register-courses.ts'
import { registerLearningSystems } from '#src/extensions/lms/commands/register-learning-systems.ts'
import { registerNotices } from '#src/extensions/notices/commands/register-notices.ts'
import { registerPrivacy } from '#src/extensions/privacy/commands/register-privacy.ts'
import { registerProbe } from '#src/extensions/probe/commands/register-probe.ts'
import { safeMessage } from '#src/platform/safe-message.ts'
import { version } from '#src/platform/version.ts'
import { type Cli, printJson, say } from './cli-context.ts'
import type { CommandRegistry } from './command-registry.ts'
import { type ExitCode, exitCode, exitCodeOf } from './exit-code.ts'
import { registerCredentials } from './registration/credentials.ts'
import { registerDecisions } from './registration/decisions.ts'
import { registerEveryday, registerExperiments } from './registration/everyday.ts'
import { registerLookups } from './registration/lookups.ts'
import { untilInterrupted } from './until-interrupted.ts'

const afterHelp = `
Text for people goes to stderr, results to stdout; --json makes stdout one JSON document.

Exit codes: 0 success; 1 internal error; 2 usage or configuration error; 3 finished, but some rows need an operator,
or the brake holds the run; 4 the service cannot be reached, refuses our keys, or gave an incomplete answer;
5 the timeout expired before the run was finished; 130 interrupted.

Environment: CREDSYNC_BASE_URL, CREDSYNC_KEY, CREDSYNC_SECRET (each also as NAME_FILE), DATABASE_URL, REDIS_URL,
CREDSYNC_DATA_DIR (default ./data), CREDSYNC_ALLOW_PLAIN, CREDSYNC_LOG_LEVEL. Settings: config/credsync.yaml, or --config PATH.`

export async function runCommandLine(cli: Cli): Promise<ExitCode> {
  let code: ExitCode = exitCode.ok
  const program = defineProgram(cli, (result) => {
    code = result
  })
  try {
    await program.parseAsync(cli.argv, { from: 'user' })
    return code
  } catch (error) {
    return reportError(cli, error)
  }
}

/** Registers every command. Nothing runs before it is parsed. */
export function defineProgram(cli: Cli, end: (code: ExitCode) => void): Command {
  const program = new Command('credsync')
    .description('Turns course results into issued credentials, once each.')
    .version(version, '--version', 'print the version')
    .option(
      '--config <path>',
      'the configuration file, before or after the command (default: config/credsync.yaml); demo, explain, notices and sandbox do not read it, and status works without it',
    )
    // Defined only on the program, so that no command can lack it; each command finds it among its own options.
    .hook('preAction', (all, command) => void command.setOptionValue('config', all.opts().config))
    .configureHelp({ showGlobalOptions: true })
    .addHelpText('after', afterHelp)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void cli.stdout.write(text),
      writeErr: (text) => void cli.stderr.write(text),
    })
    .showHelpAfterError('(add --help for all options)')
    .showSuggestionAfterError()
  const register: CommandRegistry = {
    cli,
    end,
    run:
      (load) =>
      async (...args) =>
        end(await (await load())(cli, ...args)),
    runBriefly:
      (load) =>
      async (...args) =>
        end(
          await untilInterrupted(
            cli,
            load().then((command) => command(cli, ...args)),
          ),
        ),
    group: (heading) => void program.commandsGroup(heading),
    command: (name, description, under = program) =>
      under.command(name).description(description).copyInheritedSettings(program),
  }
  registerEveryday(register)
  registerDecisions(register)
  registerCredentials(register)
  registerDownload(register)
  registerPrivacy(register)
  registerLearningSystems(register)
  registerNotices(register)
  registerConsole(register)
  registerLookups(register)
  registerCourses(register)
  registerExperiments(register)
  registerProbe(register)
  return program
}

function reportError(cli: Cli, error: unknown): ExitCode {
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCode.ok : exitCode.usage
  const code = exitCodeOf(error)
  const message = safeMessage(error)
  say(cli, code === exitCode.fault ? [message, ...stackFramesOf(error)].join('\n') : message)
  if (cli.argv.includes('--json'))
    printJson(cli, { error: { code, name: error instanceof Error ? error.name : 'Error', message } })
  return code
}

/**
 * Returns the stack frames of an internal error, for bug reports. The first lines of the stack are left out, because
 * they repeat the message.
 */
function stackFramesOf(error: unknown): string[] {
  const stack = error instanceof Error ? (error.stack ?? '') : ''
  return stack
    .split('\n')
    .filter((line) => /^\s+at .*:\d+:\d+\)?$/.test(line))
    .slice(0, 6)
}
