// Serves the console in a worker of `start`.

import type { FileSettings } from '#config/schema.ts'
import type { App } from '#src/app/app.ts'
import { UsageError } from '#src/cli/exit-code.ts'
import type { RunningWorker, WorkName } from '#src/cli/job-actions.ts'
import { orRefuse } from '#src/cli/or-refuse.ts'
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
