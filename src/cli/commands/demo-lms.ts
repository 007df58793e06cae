// credsync demo --lms: completions of a learning system become credentials, and the learners find them in their profiles. Everything is
// built in: a sandbox of Moodle, one of the service, a database, and the worker with its doors.

import { join, resolve } from 'node:path'
import { type App, openApp } from '#src/app.ts'
import { openSandbox, type Sandbox } from '#src/sandbox/open-sandbox.ts'
import { makeDataDir } from '#src/storage.ts'
import type { Metrics } from '#src/web/open-metrics.ts'
import { decisionOf } from '../decision-of.ts'
import { type Campus, type Learner, openCampus, pipelineName, profileFields } from '../demo-campus.ts'
import { workNames } from '../doing.ts'
import { type ExitCode, exitCode } from '../exit-code.ts'
import { forgetFormerDemo } from '../forget-former-demo.ts'
import { answer, answerJson, aroundOf, type Cli, say } from '../surroundings.ts'
import { tableLines } from '../table.ts'
import { version } from '../version.ts'

/** The demo ends by itself; with the sandboxes' pace all of it is done long before. */
const timeoutMs = 50_000
const lookMs = 100
const pace = { queueMs: 300, progressMs: 300 }

interface Stage {
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
  const dataDir = join(resolve(cli.cwd, cli.env.CREDSYNC_DATA_DIR || './data'), 'demo')
  await makeDataDir(dataDir)
  say(cli, 'credsync demo --lms: a sandbox of Moodle and one of the service. Nothing leaves this machine.')
  await using stack = new AsyncDisposableStack()
  const sandbox = await openSandbox({ pace, reportLagMs: 100 }, cli.clock)
  stack.defer(() => sandbox.close())
  const campus = await openCampus(sandbox, dataDir, cli.clock)
  stack.defer(() => campus.lms.close())
  await forgetFormerDemo(cli, campus.settings)
  try {
    const stage = await openStage({ cli, campus, sandbox }, stack)
    await play(stage)
    const profiles = await profilesOf(stage)
    if (options.json) answerJson(cli, documentOf(stage, profiles))
    else for (const line of linesOf(profiles)) answer(cli, line)
    tellNext(cli, dataDir)
    return exitCode.ok
  } catch (error) {
    if (cli.signal.aborted) return exitCode.interrupted
    if (!(error instanceof TooSlowError)) throw error
    say(cli, error.message)
    return exitCode.timeout
  }
}

async function openStage(of: Pick<Stage, 'cli' | 'campus' | 'sandbox'>, stack: AsyncDisposableStack): Promise<Stage> {
  const { cli, campus } = of
  const metrics = await metricsOfDemo()
  const app = stack.use(await openApp(campus.settings, { ...aroundOf(cli, campus.settings), meter: metrics.meter }))
  const worker = await cli.doing.startWorker(app, workNames, { inboxes: true })
  if (!worker) throw new Error('The worker of the demo did not start: another one has its ledger.')
  stack.use(worker)
  const { serveWeb } = await import('#src/web/serve-web.ts')
  const web = stack.use(await serveWeb(app, metrics, app.settings.file.web))
  campus.sendTo(web.url)
  say(
    cli,
    `  The worker listens at ${web.url}; Moodle's plugins send to /events/campus-webhook and /xapi/campus-xapi there.`,
  )
  return { ...of, app, untilMs: cli.clock.monotonicMs() + timeoutMs }
}

/** Only here, for the libraries behind it take their time to load. */
async function metricsOfDemo(): Promise<Metrics> {
  const { openMetrics } = await import('#src/web/open-metrics.ts')
  return openMetrics({ version, environment: 'development', storage: 'embedded-postgresql' }, [pipelineName])
}

async function play(stage: Stage): Promise<void> {
  const { cli, app, campus, sandbox } = stage
  const { lms, course } = campus
  const [ada, grace, alan] = campus.learners
  await until(stage, 'the first question to Moodle', async () =>
    (await app.ledger.learningSystems.standing()).some(({ polledAt }) => polledAt !== null),
  )
  say(cli, '1. Moodle was asked who has completed the course: nobody yet.')

  await lms.complete(ada.id, course)
  await until(stage, `${ada.name}'s credential`, () => shows(stage, ada, 'issued'))
  say(
    cli,
    `2. ${ada.name} completed the course. The webhook said so, Moodle was asked whether it is true, the credential`,
  )
  say(cli, '   was issued, written into the profile and read back.')

  lms.tell({ webhook: null })
  await lms.complete(grace.id, course)
  await lms.complete(alan.id, course)
  await lms.cron()
  for (const each of [grace, alan]) await until(stage, `${each.name}'s credential`, () => shows(stage, each, 'issued'))
  await until(stage, 'the last statement', async () => (await app.ledger.deliveries.waiting()).length === 0)
  const requests = sandbox.requests().length
  if (requests !== 3) throw new Error(`The demo made ${requests} requests for 3 people.`)
  say(
    cli,
    `3. The webhook fell silent, and ${grace.name} and ${alan.name} completed the course. The xAPI plugin's next batch told`,
  )
  say(cli, `   of all three, ${ada.name} a second time: ${requests} requests for 3 people, nobody twice.`)

  await revoke(stage, alan)
  await until(stage, 'the revocation in the profile', () => shows(stage, alan, 'revoked'))
  say(cli, `4. ${alan.name}'s credential was revoked, and the profile followed: its link is gone.`)
}

/** As `credsync revoke` does. */
async function revoke({ cli, app, sandbox }: Stage, whose: Learner): Promise<void> {
  const credential = sandbox.requests().find(({ student }) => nameOf(student) === whose.name)?.credentialId
  const targets = await app.ledger.revocations.targets({ issuances: [], credentials: credential ? [credential] : [] })
  for (const { issuanceId, credentialId } of targets) {
    if (credentialId === null) continue
    const decision = decisionOf(cli, { reason: 'the demo shows it' })
    const { id } = await app.ledger.revocations.want({ credentialId, issuanceId, correction: null, decision })
    await cli.doing.tendRevocations(app, [id])
  }
}

const nameOf = (student: Readonly<Record<string, unknown>>) => `${student['First Name']} ${student['Last Name']}`

async function shows(stage: Stage, learner: Learner, status: string): Promise<boolean> {
  return (await profileOf(stage, learner)).credstatus === status
}

async function profileOf({ app }: Stage, { id }: Learner): Promise<Profile> {
  const shown = await app.learning.moodle('campus').moodle.readProfile(id)
  const of = (field: keyof Profile) => shown?.get(field) ?? ''
  return { credid: of('credid'), credurl: of('credurl'), credstatus: of('credstatus') }
}

async function profilesOf(stage: Stage): Promise<{ learner: string; profile: Profile }[]> {
  const profiles = []
  for (const learner of stage.campus.learners)
    profiles.push({ learner: learner.name, profile: await profileOf(stage, learner) })
  return profiles
}

/** @throws TooSlowError, and what the person's signal says */
async function until({ cli, untilMs }: Stage, what: string, isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) {
    if (cli.clock.monotonicMs() > untilMs)
      throw new TooSlowError(
        `The demo waited for ${what}, and gave up: this machine is busy, or something is wrong. Run it again with CREDSYNC_LOG_LEVEL=debug.`,
      )
    await cli.clock.sleep(lookMs, cli.signal)
  }
}

function documentOf({ sandbox, campus }: Stage, profiles: { learner: string; profile: Profile }[]): object {
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

function tellNext(cli: Cli, dataDir: string): void {
  const lines = [
    'The table shows the profile fields as Moodle had them. Both sandboxes have ended, and the links with them.',
    "The ledger is still there. One learner's whole story (all runs: the same with `status`):",
    `  CREDSYNC_DATA_DIR='${dataDir}' npm run -s credsync -- explain ada@example.org`,
    'docs/moodle.md tells how to set up a Moodle for this, the README (“From a learning system”) has the smallest',
    'configuration; with it in place `npm run -s credsync -- check` looks at both ends.',
  ]
  for (const line of lines) say(cli, line)
}
