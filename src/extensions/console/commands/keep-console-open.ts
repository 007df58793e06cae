// Keeps the console open on the ledger of the demo until Ctrl-C.

import type { Settings } from '#config/settings.ts'
import { appFor, type Cli, say } from '#src/cli/cli-context.ts'

/** Prints the address with a link that is good once. */
export async function keepConsoleOpen(cli: Cli, demo: Settings): Promise<void> {
  const settings = demo.file.console
  if (!settings) return
  // One of its own, because that of the demo has stopped its queues.
  await using app = await appFor(cli, demo)
  const { serveConsole } = await import('#src/extensions/console/serve-console.ts')
  const { invitePerson } = await import('#src/extensions/console/sign-in/invite-person.ts')
  // As in `start`, a worker belongs to it: without one, the console says that nothing goes on.
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
