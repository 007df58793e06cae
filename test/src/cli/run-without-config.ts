// Runs commands that end before they open anything, in the test's own process and without configuration.

import { PassThrough } from 'node:stream'
import type { Cli } from '#src/cli/cli-context.ts'
import { runCommandLine } from '#src/cli/command-line.ts'
import { systemClock } from '#src/platform/time/clock.ts'

const rejectCall = () => Promise.reject(new Error('This test must not call any job.'))

/** Runs a command that needs no worker, without configuration. */
export const runWithoutConfig = (...argv: string[]) => runWithEnv({}, ...argv)

/** Does the same with environment variables. Returns exit code, stdout and stderr. */
export async function runWithEnv(env: Cli['env'], ...argv: string[]) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()]
  const cli: Cli = {
    argv,
    env,
    cwd: '/nowhere',
    clock: systemClock,
    random: () => 0.5,
    stdout,
    stderr,
    signal: new AbortController().signal,
    jobs: {
      startWorker: rejectCall,
      readReportOnce: rejectCall,
      watchIssued: rejectCall,
      processRevocations: rejectCall,
      writeResults: rejectCall,
      writeWantedResults: rejectCall,
      carryOutErasures: rejectCall,
    },
  }
  const code = await runCommandLine(cli)
  const text = (stream: PassThrough) => String(stream.read() ?? '')
  return { code, stdout: text(stdout), stderr: text(stderr) }
}
