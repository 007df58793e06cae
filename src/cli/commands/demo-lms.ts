// credsync demo --lms: turns completions of a learning system into credentials, which the learners then see in their
// profiles. Everything is built in: a sandbox of Moodle, one of the service, a database, and the worker with its HTTP
// endpoints.

import { type App, openApp } from '#src/app/app.ts'
import { moodleSystem } from '#src/lms/systems/moodle.ts'
import { version } from '#src/platform/version.ts'
import type { Sandbox } from '#src/sandboxes/service/open-sandbox.ts'
import type { Metrics } from '#src/web/open-metrics.ts'
import { appOptionsFor, type Cli, print, printJson, say } from '../cli-context.ts'
import { clearPreviousDemo } from '../demo/clear-previous-demo.ts'
import { type Campus, type DemoLearner, openCampus, pipelineName, profileFields } from '../demo/demo-campus.ts'
import type { DemoStorage } from '../demo/demo-settings.ts'
import { demoStorage, whatLeaves } from '../demo/demo-storage.ts'
import { type ExitCode, exitCode } from '../exit-code.ts'
import { invocation } from '../invocation.ts'
import { workNames } from '../job-actions.ts'
import { operatorDecision } from '../operator-decision.ts'
import { tableLines } from '../text/table.ts'

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

type Profile = Record<keyof typeof profileFields, string>

class TooSlowError extends Error {
  override readonly name = 'TooSlowError'
}

export async function demoLmsCommand(cli: Cli, options: { json?: boolean }): Promise<ExitCode> {
  const storage = await demoStorage(cli)
  say(cli, `credsync demo --lms: a sandbox of Moodle and one of the service. ${whatLeaves(storage)}`)
  await using stack = new AsyncDisposableStack()
  const { openSandbox } = await import('#src/sandboxes/service/open-sandbox.ts')
  const sandbox = await openSandbox({ pace, reportLagMs: 100 }, cli.clock)
  stack.defer(() => sandbox.close())
  const campus = await openCampus(sandbox, storage, cli.clock)
  stack.defer(() => campus.lms.close())
  await clearPreviousDemo(cli, campus.settings)
  try {
    const demo = await openDemo({ cli, campus, sandbox }, stack)
    await runDemo(demo)
    const profiles = await profilesOf(demo)
    if (options.json) printJson(cli, documentOf(demo, profiles))
    else for (const line of linesOf(profiles)) print(cli, line)
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
  const metrics = await metricsOfDemo()
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

/** Imports the metrics only here, because their libraries take a long time to load. */
async function metricsOfDemo(): Promise<Metrics> {
  const { openMetrics } = await import('#src/web/open-metrics.ts')
  return openMetrics({ version, environment: 'development', storage: 'embedded-postgresql' }, [pipelineName])
}

async function runDemo(demo: Demo): Promise<void> {
  const { cli, app, campus, sandbox } = demo
  const { lms, course } = campus
  const [ada, grace, alan] = campus.learners
  await until(demo, 'the first poll of Moodle', async () =>
    (await app.ledger.learningSystems.statuses()).some(({ polledAt }) => polledAt !== null),
  )
  say(cli, '1. Moodle was polled for completions of the course: there are none yet.')

  await lms.complete(ada.id, course)
  await until(demo, `${ada.name}'s credential`, () => profileShows(demo, ada, 'issued'))
  say(cli, `2. ${ada.name} completed the course. The webhook reported it, Moodle confirmed it, and the credential`)
  say(cli, '   was issued, written into the profile and read back.')

  lms.sendEventsTo({ webhook: null })
  await lms.complete(grace.id, course)
  await lms.complete(alan.id, course)
  await lms.cron()
  for (const each of [grace, alan])
    await until(demo, `${each.name}'s credential`, () => profileShows(demo, each, 'issued'))
  await until(demo, 'the last statement', async () => (await app.ledger.inboundEvents.waiting()).length === 0)
  const requests = sandbox.requests().length
  if (requests !== 3) throw new Error(`The demo made ${requests} requests for 3 people.`)
  say(
    cli,
    `3. The webhook was switched off, and ${grace.name} and ${alan.name} completed the course. The xAPI plugin's next batch`,
  )
  say(
    cli,
    `   reported all three, ${ada.name} a second time: ${requests} requests for 3 people, and no credential twice.`,
  )

  await revoke(demo, alan)
  await until(demo, 'the revocation in the profile', () => profileShows(demo, alan, 'revoked'))
  say(cli, `4. ${alan.name}'s credential was revoked, and the profile followed: its link is gone.`)
}

/** Does the same as `credsync revoke`. */
async function revoke({ cli, app, sandbox }: Demo, whose: DemoLearner): Promise<void> {
  const credential = sandbox.requests().find(({ student }) => nameOf(student) === whose.name)?.credentialId
  const targets = await app.ledger.revocations.targets({ issuances: [], credentials: credential ? [credential] : [] })
  for (const { issuanceId, credentialId } of targets) {
    if (credentialId === null) continue
    const decision = operatorDecision(cli, { reason: 'the demo shows it' })
    const { id } = await app.ledger.revocations.request({ credentialId, issuanceId, correction: null, decision })
    await cli.jobs.processRevocations(app, [id])
  }
}

const nameOf = (student: Readonly<Record<string, unknown>>) => `${student['First Name']} ${student['Last Name']}`

async function profileShows(demo: Demo, learner: DemoLearner, status: string): Promise<boolean> {
  return (await profileOf(demo, learner)).credstatus === status
}

async function profileOf({ app }: Demo, { id }: DemoLearner): Promise<Profile> {
  const profile = await app.learning.client(moodleSystem, 'campus').readProfile(id)
  const fieldValue = (field: keyof Profile) => profile?.get(field) ?? ''
  return { credid: fieldValue('credid'), credurl: fieldValue('credurl'), credstatus: fieldValue('credstatus') }
}

async function profilesOf(demo: Demo): Promise<{ learner: string; profile: Profile }[]> {
  const profiles = []
  for (const learner of demo.campus.learners)
    profiles.push({ learner: learner.name, profile: await profileOf(demo, learner) })
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

function documentOf({ sandbox, campus }: Demo, profiles: { learner: string; profile: Profile }[]): object {
  const sent = campus.lms.journal().filter((entry) => entry.kind === 'sent')
  const events = (channel: string) =>
    sent.reduce((sum, entry) => sum + (entry.channel === channel ? entry.events : 0), 0)
  return {
    events: { webhook: events('webhook'), xapi: events('xapi') },
    requests: sandbox.requests().length,
    profiles,
  }
}

function linesOf(profiles: { learner: string; profile: Profile }[]): string[] {
  const names = Object.keys(profileFields) as (keyof Profile)[]
  return tableLines(
    [{ title: 'learner' }, ...names.map((title) => ({ title, whole: true }))],
    profiles.map(({ learner, profile }) => [learner, ...names.map((name) => profile[name] || '-')]),
    null,
  )
}

function sayNext(cli: Cli, { dataDir, databaseUrl }: DemoStorage): void {
  const run = invocation(cli.env)
  const where = databaseUrl ? 'DATABASE_URL=postgres://…/credsync_demo' : `CREDSYNC_DATA_DIR='${dataDir}'`
  const lines = [
    'The table shows the profile fields as Moodle had them. Both sandboxes have stopped, so the links no longer work.',
    "The ledger is still there. To see one learner's full history (`status` instead of `explain ada@…` shows all runs):",
    `  ${where} ${run} explain ada@example.org`,
    'docs/moodle.md explains how to set up a Moodle site for this, and the README (“From a learning system”) has the smallest',
    `configuration; once it is in place, \`${run} check\` checks the service and the site.`,
  ]
  for (const line of lines) say(cli, line)
}
