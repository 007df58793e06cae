// Serves the console: in a worker of `start`, or on the ledger of the demo.

import type { FileSettings } from '#config/schema.ts'
import type { Settings } from '#config/settings.ts'
import type { App } from '#src/app/app.ts'
import { appFor, type Cli, say } from '#src/cli/cli-context.ts'
import { UsageError } from '#src/cli/exit-code.ts'
import type { RunningWorker, WorkName } from '#src/cli/job-actions.ts'
import { orRefuse } from '#src/cli/listen-or-stop.ts'
import type { RunningConsole } from '#src/extensions/console/serve-console.ts'
import type { ConnectionGuard } from '#src/platform/connection-guard.ts'

/** @throws UsageError if the console is to be served and is not configured */
export function refuseMissingConsole(only: readonly WorkName[], settings: Pick<FileSettings, 'console'>): void {
  if (only.includes('console') && !settings.console)
    throw new UsageError(
      'The configuration has no `console`, so there is nothing to serve. Add it (docs/console.md), or leave console out of --only.',
    )
}

/** @returns null if the console is not configured. @throws UsageError if its address is not available */
export async function openConsole(
  app: App,
  worker: RunningWorker,
  guard: ConnectionGuard,
): Promise<RunningConsole | null> {
  const settings = app.settings.file.console
  if (!settings) return null
  const { serveConsole } = await import('#src/extensions/console/serve-console.ts')
  const named = { what: 'The console', setting: 'console', address: settings, otherwise: '' }
  return orRefuse(worker, () => serveConsole(app, settings, guard), named)
}

/** Keeps the console open on the ledger of the demo until Ctrl-C. Prints its address, with a link that works once. */
export async function keepConsoleOpen(cli: Cli, demo: Settings): Promise<void> {
  const settings = demo.file.console
  if (!settings) return
  // A new app, because the one of the demo has stopped its queues.
  await using app = await appFor(cli, demo)
  const { serveConsole } = await import('#src/extensions/console/serve-console.ts')
  const { invitePerson } = await import('#src/extensions/console/sign-in/invite-person.ts')
  // As in `start`, a worker runs beside it: without one, the console says that nothing makes progress.
  await using _worker = await cli.jobs.startWorker(app)
  await using pages = await serveConsole(app, settings)
  const path = await invitePerson(app, { name: 'demo', role: 'operator', pipelines: null }, 'the demo')
  say(
    cli,
    'The console stays open on what the demo has issued. Choose a password for the name “demo” here, once, within an hour:',
  )
  say(cli, `    ${pages.url}${path}`)
  say(cli, 'Ctrl-C ends it.')
  await untilAborted(cli.signal)
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
