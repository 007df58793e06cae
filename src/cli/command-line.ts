// The command line: which commands and options there are, and how a fault becomes a sentence and an exit code.

import { Command, CommanderError } from 'commander'
import { speakable } from '#src/check/speakable.ts'
import { approveCommand, type BrakeOptions, rejectCommand } from './commands/brake.ts'
import { checkCommand } from './commands/check.ts'
import { resolveCommand, retryCommand } from './commands/decide.ts'
import { demoCommand } from './commands/demo.ts'
import { explainCommand } from './commands/explain.ts'
import { heldCommand } from './commands/held.ts'
import { type IssueOptions, issueCommand } from './commands/issue.ts'
import { type ProbeOptions, probeCommand } from './commands/probe.ts'
import { reconcileCommand } from './commands/reconcile.ts'
import { sandboxCommand } from './commands/sandbox.ts'
import { startCommand } from './commands/start.ts'
import { statusCommand } from './commands/status.ts'
import { type ExitCode, exitCode, exitCodeOf } from './exit-code.ts'
import { answerJson, type Cli, say } from './surroundings.ts'
import { version } from './version.ts'

const afterHelp = `
Human text goes to stderr, results to stdout; --json makes stdout one JSON document.

Exit codes: 0 all is well; 1 a fault of ours; 2 usage or configuration; 3 finished, but rows need a person,
or the brake holds the run; 4 the service cannot be reached or refuses our keys; 5 the timeout of --wait came first;
130 interrupted.

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
  const config = ['--config <path>', 'the configuration file (default: config/credsync.yaml)'] as const
  const by = ['--by <name>', 'who decides (default: you)'] as const
  const reason = ['--reason <text>', 'why; kept with the run'] as const
  const why = ['--why <text>', 'why, for the history'] as const
  const json = ['--json', 'make stdout one JSON document'] as const
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
  const command = (name: string, words: string) =>
    program.command(name).description(words).copyInheritedSettings(program)

  command('demo', 'the whole main job with nothing configured, against the built-in sandbox')
    .option(...json)
    .action(async (options: { json?: boolean }) => end(await demoCommand(cli, options)))
  command('issue', 'issue one file, start to end: returns once every row is sent, or final with --wait')
    .argument('<file>', 'a CSV or XLSX file')
    .requiredOption('--pipeline <name>', 'which pipeline of the configuration it belongs to (required)')
    .option('--dry-run', 'read and check everything; changes nothing at the service, and no row of the ledger')
    .option('--wait', 'return once every row is final')
    .option('--timeout <duration>', 'how long to wait at most, such as 10m (default: as long as it takes)')
    .option(...json)
    .option(...config)
    .action(async (file: string, options: IssueOptions) => end(await issueCommand(cli, file, options)))
  command('start', 'the long-running worker')
    .option('--only <parts>', 'only these: intake,issue,reconcile,write-back,archive,sweep,web')
    .option(...config)
    .action(async (options: { only?: string; config?: string }) => end(await startCommand(cli, options)))
  command(
    'check',
    'every fault of the configuration, then live checks; names the templates of a course when yours is wrong; changes nothing at the service, and no row of the ledger',
  )
    .option(...json)
    .option(...config)
    .action(async (options: { json?: boolean; config?: string }) => end(await checkCommand(cli, options)))
  command('status', 'the last 20 runs and their counts, or one run')
    .option('--run <id>', 'one run, by its id or the first eight characters')
    .option(...json)
    .action(async (options: { run?: string; json?: boolean }) => end(await statusCommand(cli, options)))
  command('explain', 'all that happened to one recipient or issuance, in order, with the evidence')
    .argument('<who>', 'an e-mail address, contact number, register number, or issuance id (i42)')
    .option(...json)
    .action(async (who: string, options: { json?: boolean }) => end(await explainCommand(cli, who, options)))
  command(
    'reconcile',
    'reads the credential report now, back to the oldest open row (nothing is read when nothing is open)',
  )
    .option('--once', 'one pass and return (this is what it does; `start` is the one that goes on)')
    .option(...json)
    .option(...config)
    .action(async (options: { json?: boolean; config?: string }) => end(await reconcileCommand(cli, options)))
  command('held', 'the rows that need a decision, with the evidence and the answers there are')
    .option(...json)
    .option(...config)
    .action(async (options: { json?: boolean; config?: string }) => end(await heldCommand(cli, options)))
  command('resolve', 'decide held rows: the service has the request, or it does not')
    .argument('<ids...>', 'issuance ids, such as i42')
    .option('--sent', 'the service has it: follow it in the report, send nothing')
    .option('--not-sent', 'the service does not have it: send it, as if for the first time')
    .option(...by)
    .option(...why)
    .option(...json)
    .option(...config)
    .action(async (ids: string[], options: Parameters<typeof resolveCommand>[2]) =>
      end(await resolveCommand(cli, ids, options)),
    )
  command('retry', 'send failed rows again')
    .argument('[ids...]', 'issuance ids, such as i42')
    .option('--run <id>', 'every failed row of a run, by its id or the first eight characters')
    .option(...by)
    .option(...why)
    .option(...json)
    .option(...config)
    .action(async (ids: string[], options: Parameters<typeof retryCommand>[2]) =>
      end(await retryCommand(cli, ids, options)),
    )
  command('approve', 'let a braked run go: it is read again and issued, whatever its size')
    .argument('<run>', 'its id, or the first eight characters, which file names carry')
    .option(...reason)
    .option(...by)
    .option(...json)
    .option(...config)
    .action(async (run: string, options: BrakeOptions) => end(await approveCommand(cli, run, options)))
  command('reject', 'refuse a braked run: nothing of it is issued')
    .argument('<run>', 'its id, or the first eight characters, which file names carry')
    .option(...reason)
    .option(...by)
    .option(...json)
    .option(...config)
    .action(async (run: string, options: BrakeOptions) => end(await rejectCommand(cli, run, options)))
  command(
    'probe',
    'finds out what the service leaves unsaid about a course, with a few throwaway recipients: development environment only',
  )
    .requiredOption('--pipeline <name>', 'whose course is probed (required)')
    .option('--timeout <duration>', 'how long to wait for the report at most', '10m')
    .option(...json)
    .option(...config)
    .action(async (options: ProbeOptions) => end(await probeCommand(cli, options)))
  command(
    'sandbox',
    'the built-in sandbox of the service, for trying things: addresses that begin with reject., fail. or hold. end so',
  )
    .option('--port <n>', 'the port to listen on (default: any free one)')
    .action(async (options: { port?: string }) => end(await sandboxCommand(cli, options)))
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
