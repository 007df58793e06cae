// The command line: which commands and options there are, and how a fault becomes a sentence and an exit code.

import { Command, CommanderError } from 'commander'
import { speakable } from '#src/check/speakable.ts'
import { type ExitCode, exitCode, exitCodeOf } from './exit-code.ts'
import { offerCourses } from './offers/courses.ts'
import { offerCredentials } from './offers/credentials.ts'
import { offerDaily } from './offers/daily.ts'
import { offerDecisions } from './offers/decisions.ts'
import { offerLearning } from './offers/learning.ts'
import { offerLookups } from './offers/lookups.ts'
import type { Offer } from './offers/offer.ts'
import { offerTrying } from './offers/trying.ts'
import { answerJson, type Cli, say } from './surroundings.ts'
import { version } from './version.ts'

const afterHelp = `
Human text goes to stderr, results to stdout; --json makes stdout one JSON document.

Exit codes: 0 all is well; 1 a fault of ours; 2 usage or configuration; 3 finished, but rows need a person,
or the brake holds the run; 4 the service cannot be reached, refuses our keys, or gave less than it promised;
5 the timeout of --wait came first; 130 interrupted.

Environment: CREDSYNC_BASE_URL, CREDSYNC_KEY, CREDSYNC_SECRET (each also as NAME_FILE), DATABASE_URL, REDIS_URL,
CREDSYNC_DATA_DIR (default ./data), CREDSYNC_LOG_LEVEL. Settings: config/credsync.yaml, or --config PATH.`

export async function runCommandLine(cli: Cli): Promise<ExitCode> {
  let code: ExitCode = exitCode.ok
  const program = describe(cli, (result) => {
    code = result
  })
  try {
    await program.parseAsync(cli.argv, { from: 'user' })
    return code
  } catch (error) {
    return tellFault(cli, error)
  }
}

function describe(cli: Cli, end: (code: ExitCode) => void): Command {
  const program = new Command('credsync')
    .description('Turns course results into issued credentials, once each.')
    .version(version, '--version', 'print the version')
    .addHelpText('after', afterHelp)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void cli.stdout.write(text),
      writeErr: (text) => void cli.stderr.write(text),
    })
    .showHelpAfterError('(add --help for all options)')
    .showSuggestionAfterError()
  const offer: Offer = {
    cli,
    end,
    group: (heading) => void program.commandsGroup(heading),
    command: (name, words, under = program) => under.command(name).description(words).copyInheritedSettings(program),
  }
  offerDaily(offer)
  offerDecisions(offer)
  offerCredentials(offer)
  offerLearning(offer)
  offerLookups(offer)
  offerCourses(offer)
  offerTrying(offer)
  return program
}

function tellFault(cli: Cli, error: unknown): ExitCode {
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCode.ok : exitCode.usage
  const code = exitCodeOf(error)
  const message = speakable(error)
  say(cli, code === exitCode.fault ? [message, ...placesOf(error)].join('\n') : message)
  if (cli.argv.includes('--json'))
    answerJson(cli, { error: { code, name: error instanceof Error ? error.name : 'Error', message } })
  return code
}

/** Where a fault of ours happened: it helps whoever reports it. The stack's first lines are left out, for they repeat the text. */
function placesOf(error: unknown): string[] {
  const stack = error instanceof Error ? (error.stack ?? '') : ''
  return stack
    .split('\n')
    .filter((line) => /^\s+at .*:\d+:\d+\)?$/.test(line))
    .slice(0, 6)
}
