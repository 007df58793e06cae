// credsync sandbox: runs the built-in sandbox of the service, for experiments.

import type { Sandbox } from '#sandboxes/service/open-sandbox.ts'
import { countOf } from '#src/issuing/results/run-summary.ts'
import { type Cli, print, say } from '../cli-context.ts'
import { type ExitCode, exitCode, UsageError } from '../exit-code.ts'

export async function sandboxCommand(cli: Cli, options: { port?: string }): Promise<ExitCode> {
  const port = Number(options.port ?? 0)
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new UsageError(`--port ${options.port} is not a port number (0 to 65535).`)
  const sandbox = await openOn(port, cli)
  try {
    print(
      cli,
      `export CREDSYNC_BASE_URL=${sandbox.url}\nexport CREDSYNC_KEY=${sandbox.key}\nexport CREDSYNC_SECRET=${sandbox.secret}`,
    )
    say(
      cli,
      `\nThe sandbox is listening at ${sandbox.url}. It keeps everything in memory; Ctrl-C stops it. Its courses:`,
    )
    for (const course of sandbox.courses)
      say(
        cli,
        course.canIssue
          ? `  ${course.number.padEnd(8)} ${course.name}${course.imageColumn ? ` (uploads may carry images: ${course.imageColumn})` : ''}\n           course: ${course.uuid}\n           template: ${course.templateUuid}\n           badgeTemplate: ${course.badgeTemplateUuid}`
          : `  ${course.number.padEnd(8)} ${course.name} (cannot issue)`,
      )
    await new Promise<void>((resolve) => {
      if (cli.signal.aborted) resolve()
      cli.signal.addEventListener('abort', () => resolve(), { once: true })
    })
    const { recipientsAccepted, throttled } = sandbox.journal()
    say(
      cli,
      `The sandbox has stopped. It accepted ${countOf(recipientsAccepted, 'recipient')} and answered 429 (too many requests) ${countOf(throttled, 'time')}.`,
    )
    return exitCode.ok
  } finally {
    await sandbox.close()
  }
}

/** @throws UsageError if the port is not available */
async function openOn(port: number, cli: Cli): Promise<Sandbox> {
  const { openSandbox } = await import('#sandboxes/service/open-sandbox.ts')
  try {
    return await openSandbox({ port }, cli.clock)
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (!['EADDRINUSE', 'EACCES'].includes(code)) throw error
    throw new UsageError(
      `Port ${port} is not available (${code}). Choose another one, or leave out --port to use any free one.`,
    )
  }
}
