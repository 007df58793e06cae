// credsync demo --lms: turns completions of a Moodle into credentials, which the learners then see in their profiles.
// Everything is built in: a sandbox of Moodle, one of the service, a database, and the worker with its HTTP endpoints.

import type { Sandbox } from '#sandboxes/service/open-sandbox.ts'
import { type App, openApp } from '#src/app/app.ts'
import { appOptionsFor, type Cli, invocation, print, printJson, say } from '#src/cli/cli-context.ts'
import { clearPreviousDemo, type DemoStorage, demoStorage, whatLeaves } from '#src/cli/demo/demo-storage.ts'
import { type ExitCode, exitCode } from '#src/cli/exit-code.ts'
import { workNames } from '#src/cli/job-actions.ts'
import { operatorDecision } from '#src/cli/operator-decision.ts'
import { tableLines } from '#src/cli/text/table.ts'
import { version } from '#src/platform/version.ts'
import { type Campus, type DemoLearner, openMoodleCampus, pipelineName } from './demo-moodle.ts'

/** A safety limit: at the sandboxes' speed, the demo finishes much sooner. */
const timeoutMs = 240_000
const pollMs = 100
const pace = { queueMs: 300, progressMs: 300 }

interface Demo {
  cli: Cli
  app: App
  campus: Campus
  sandbox: Sandbox
  untilMs: number
}

interface ShownProfile {
  learner: string
  profile: Record<string, string>
}

class TooSlowError extends Error {
  override readonly name = 'TooSlowError'
}

export async function demoLmsCommand(cli: Cli, options: { json?: boolean }): Promise<ExitCode> {
  const storage = await demoStorage(cli)
  await using stack = new AsyncDisposableStack()
  const { openSandbox } = await import('#sandboxes/service/open-sandbox.ts')
  const sandbox = await openSandbox({ pace, reportLagMs: 100 }, cli.clock)
  stack.defer(() => sandbox.close())
  const campus = await openMoodleCampus(sandbox, storage, cli.clock)
  stack.defer(() => campus.close())
  say(cli, `credsync demo --lms: a sandbox of Moodle and one of the service. ${whatLeaves(storage)}`)
  await clearPreviousDemo(cli, campus.settings)
  try {
    const demo = await openDemo({ cli, campus, sandbox }, stack)
    await runDemo(demo)
    const profiles = await profilesOf(demo)
    if (options.json) printJson(cli, { events: campus.events(), requests: sandbox.requests().length, profiles })
    else for (const line of linesOf(demo, profiles)) print(cli, line)
    sayNext(cli, storage)
    return exitCode.ok
  } catch (error) {
    if (cli.signal.aborted) return exitCode.interrupted
    if (!(error instanceof TooSlowError)) throw error
    say(cli, error.message)
    return exitCode.timeout
  }
}

async function openDemo(parts: Pick<Demo, 'cli' | 'campus' | 'sandbox'>, stack: AsyncDisposableStack): Promise<Demo> {
  const { cli, campus } = parts
  // Imported only here, because the libraries of metrics take a long time to load.
  const { openMetrics } = await import('#src/web/open-metrics.ts')
  const about = { version, environment: 'development', storage: 'embedded-postgresql' } as const
  const metrics = openMetrics(about, [pipelineName])
  const app = stack.use(
    await openApp(campus.settings, { ...appOptionsFor(cli, campus.settings), meter: metrics.meter }),
  )
  const worker = await cli.jobs.startWorker(app, workNames, { inboxes: true })
  if (!worker) throw new Error('The worker of the demo did not start: another worker is running on its ledger.')
  stack.use(worker)
  const { serveWeb } = await import('#src/web/serve-web.ts')
  const web = stack.use(await serveWeb(app, metrics, app.settings.file.web))
  campus.sendTo(web.url)
  say(
    cli,
    `  The worker listens at ${web.url}; Moodle's plugins send to /events/campus-webhook and /xapi/campus-xapi there.`,
  )
  return { ...parts, app, untilMs: cli.clock.monotonicMs() + timeoutMs }
}

async function runDemo(demo: Demo): Promise<void> {
  const { cli, app, campus, sandbox } = demo
  const [ada, grace, alan] = campus.learners
  await until(demo, `the first poll of Moodle`, async () =>
    (await app.ledger.learningSystems.statuses()).some(({ polledAt }) => polledAt !== null),
  )
  say(cli, `1. Moodle was polled for completions of the course: there are none yet.`)

  await campus.completeWithEvent()
  await until(demo, `${ada.name}'s credential`, () => profileShows(demo, ada, 'issued'))
  say(cli, `2. ${ada.name} completed the course. An event reported it, Moodle confirmed it, and the credential`)
  say(cli, `   was issued, written into the profile and verified there.`)

  await campus.completeWithoutEvent()
  for (const each of [grace, alan])
    await until(demo, `${each.name}'s credential`, () => profileShows(demo, each, 'issued'))
  await until(demo, 'the last event', async () => (await app.ledger.inboundEvents.waiting()).length === 0)
  const requests = sandbox.requests().length
  if (requests !== 3) throw new Error(`The demo made ${requests} requests for 3 people.`)
  say(
    cli,
    `3. The webhook was switched off, and ${grace.name} and ${alan.name} completed the course. The xAPI plugin's`,
  )
  say(cli, `   next batch reported all three, ${ada.name} a second time: ${requests} requests for 3 people, and no`)
  say(cli, '   credential twice.')

  await revoke(demo, alan)
  await until(demo, `the revocation in the profile`, () => profileShows(demo, alan, 'revoked'))
  say(cli, `4. ${alan.name}'s credential was revoked, and the profile followed: the link is gone.`)
}

/** Does the same as `credsync revoke`. */
async function revoke({ cli, app, sandbox }: Demo, whose: DemoLearner): Promise<void> {
  const credentials = sandbox
    .requests()
    .flatMap(({ student, credentialId }) => (nameOf(student) === whose.name && credentialId ? [credentialId] : []))
  for (const { issuanceId, credentialId } of await app.ledger.revocations.targets({ issuances: [], credentials })) {
    if (credentialId === null) continue
    const decision = operatorDecision(cli, { reason: 'the demo shows it' })
    const { id } = await app.ledger.revocations.request({ credentialId, issuanceId, correction: null, decision })
    await cli.jobs.processRevocations(app, [id])
  }
}

const nameOf = (student: Readonly<Record<string, unknown>>) => `${student['First Name']} ${student['Last Name']}`

async function profileShows({ app, campus }: Demo, learner: DemoLearner, status: string): Promise<boolean> {
  return (await campus.shown(app, learner)).credstatus === status
}

async function profilesOf(demo: Demo): Promise<ShownProfile[]> {
  const profiles = []
  for (const learner of demo.campus.learners)
    profiles.push({ learner: learner.name, profile: await demo.campus.shown(demo.app, learner) })
  return profiles
}

/** Polls until the condition is true. @throws TooSlowError, or the abort reason of the signal */
async function until({ cli, untilMs }: Demo, what: string, isDone: () => Promise<boolean>): Promise<void> {
  while (!(await isDone())) {
    if (cli.clock.monotonicMs() > untilMs)
      throw new TooSlowError(
        `The demo gave up waiting for ${what}: this machine is busy, or something is wrong. Run it again with CREDSYNC_LOG_LEVEL=debug.`,
      )
    await cli.clock.sleep(pollMs, cli.signal)
  }
}

function linesOf({ campus }: Demo, profiles: readonly ShownProfile[]): string[] {
  const { fields } = campus
  return tableLines(
    ['learner', ...fields],
    profiles.map(({ learner, profile }) => [learner, ...fields.map((field) => profile[field] || '-')]),
  )
}

function sayNext(cli: Cli, { dataDir, databaseUrl }: DemoStorage): void {
  const run = invocation(cli.env)
  const where = databaseUrl ? 'DATABASE_URL=postgres://…/credsync_demo' : `CREDSYNC_DATA_DIR='${dataDir}'`
  const lines = [
    'The table shows the profile as Moodle had it. Both sandboxes have stopped, so the links no longer work.',
    "The ledger is still there. To see one learner's full history (`status` instead of `explain ada@…` shows all runs):",
    `  ${where} ${run} explain ada@example.org`,
    'docs/moodle.md explains how to set up a Moodle site for this, and has the smallest configuration. Once it is in',
    `place, \`${run} check\` checks the service and the site.`,
  ]
  for (const line of lines) say(cli, line)
}
