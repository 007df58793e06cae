// Two people go through everything that the program does with a person, so that each of their values is left in as many
// places as possible: files of each kind, invalid, changed, corrected, braked; a poll, an event, an xAPI statement; delivered,
// archived, uploaded, mailed.

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { openSandbox } from '#sandboxes/service/open-sandbox.ts'
import { hashFile } from '#src/files/tables/hash-file.ts'
import { openTableWriter } from '#src/files/tables/table-writer.ts'
import { openLog } from '#src/platform/log/log.ts'
import { systemClock } from '#src/platform/time/clock.ts'
import { type Campus, completedHook, openCampus, xapiPassword } from '#test/support/campus.ts'
import { openMailServer, type TestMailServer } from '#test/support/mail-server.ts'
import { aPng, zipOfList } from '#test/support/portraits.ts'
import { until } from '#test/support/until.ts'
import { type Canary, canaryIn, gone, stays } from './canary.ts'

export interface Scene extends AsyncDisposable {
  campus: Campus
  mail: TestMailServer
  /** Certificates of the pipeline `files`. */
  archive: string
  /** The lists as they were sent, which belong to their senders. */
  sources: Set<string>
  /** Everything that was logged. */
  log(): string
  /** Hands over a list of the pipeline `files`, and waits until it is read. */
  list(name: string, content: string | Buffer, pipeline?: string): Promise<string>
}

/** The second course of every sandbox. The first one is the only one with images. */
async function otherCourse() {
  const sandbox = await openSandbox({}, systemClock)
  const [, course] = sandbox.courses
  await sandbox.close()
  return { course: course?.uuid, template: course?.templateUuid, badgeTemplate: course?.badgeTemplateUuid }
}

const header = ['e_mail', 'First Name', 'Last Name', 'Contact Number', 'Remark', 'Photo']
export const rowOf = (person: Canary, more: Partial<Record<string, string>> = {}) =>
  header.map(
    (name) =>
      more[name] ??
      {
        e_mail: person.email,
        'First Name': person.first,
        'Last Name': person.formerLast,
        'Contact Number': person.phone,
        Remark: person.remark,
        Photo: `${person.photo}.png`,
      }[name] ??
      '',
  )
export const csvOf = (...rows: string[][]) => `${[header, ...rows].map((cells) => cells.join(',')).join('\n')}\n`

export async function openScene(redisUrl: string): Promise<Scene> {
  await using stack = new AsyncDisposableStack()
  const archive = await mkdtemp(join(tmpdir(), 'credsync-archive-'))
  stack.defer(() => rm(archive, { recursive: true, force: true }))
  const mail = stack.use(await openMailServer())
  const logged = new PassThrough()
  const lines: string[] = []
  logged.on('data', (chunk) => lines.push(String(chunk)))
  const campus = stack.use(
    await openCampus({
      every: '500ms',
      sweep: '500ms',
      redisUrl,
      appOptions: { log: openLog('debug', logged) },
      pipeline: { ...(await otherCourse()), archive: { to: join(archive, 'campus') } },
      morePipelines: (spring, { courses }) => {
        const { source: _, writeBack: __, options: ___, archive: ____, ...own } = spring
        const [withImages, , other] = courses.filter(({ canIssue }) => canIssue)
        const columns = { Email: 'e_mail', 'Primary Value': { value: 'Email' } }
        const of = (course: (typeof courses)[number] | undefined) => ({
          ...{ ...own, columns, course: course?.uuid },
          ...{ template: course?.templateUuid, badgeTemplate: course?.badgeTemplateUuid },
        })
        return {
          files: { ...of(withImages), batch: { size: 5, mode: 'upload' }, archive: { to: join(archive, 'files') } },
          braked: { ...of(other), brake: { rows: 0 } },
        }
      },
      settings: {
        notify: {
          smtp: { host: '127.0.0.1', port: mail.port, tls: 'none', from: 'credsync@example.edu' },
          to: { office: { email: ['office@example.edu'] } },
          group: '1s',
        },
      },
    }),
  )
  const { world } = campus
  const sources = new Set<string>()
  const closing = stack.move()
  return {
    campus,
    mail,
    archive,
    sources,
    log: () => lines.join(''),
    async list(name, content, pipeline = 'files') {
      const path = join(world.folder, name)
      await writeFile(path, content)
      sources.add(path)
      const source = { pipeline, sourceName: name, sourcePath: path, sourceSha256: await hashFile(path) }
      const { run } = await world.app.ledger.runs.receive(source)
      await until(
        `${name}`,
        async () => {
          const now = await world.app.ledger.runs.find(run.id)
          return now?.state === 'braked' || now?.settledAt != null || JSON.stringify(now)
        },
        { ms: 60_000 },
      )
      return run.id
    },
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  }
}

/** Takes both people through everything. */
export async function playScene(scene: Scene): Promise<void> {
  const { campus } = scene
  const { lms, course, world } = campus
  await scene.list(
    'photos.zip',
    zipOfList(csvOf(rowOf(gone), rowOf(stays)), {
      [`${gone.photo}.png`]: aPng(gone.photo),
      [`${stays.photo}.png`]: aPng(stays.photo),
    }),
  )
  await scene.list('same.xlsx', await workbook(world.folder, [rowOf(gone, { Photo: '' }), rowOf(stays, { Photo: '' })]))
  const photo = { Photo: '' }
  const changed = { ...photo, 'Contact Number': '+44 20 7946 0000' }
  await scene.list('changed.csv', csvOf(rowOf(gone, changed), rowOf(stays, changed)))
  const wrong = { ...photo, 'Contact Number': 'no number' }
  await scene.list('wrong.csv', csvOf(rowOf(gone, wrong), rowOf(stays, wrong)))
  await scene.list('braked.csv', csvOf(rowOf(gone, photo), rowOf(stays, photo)), 'braked')
  lms.sendEventsTo({
    xapi: { endpoint: `${campus.web.url}/xapi/statements`, user: 'lms', password: xapiPassword, actor: 'mbox' },
  })
  for (const person of [gone, stays]) {
    const { first: firstname, formerLast: lastname, email, username, idnumber } = person
    const id = Number(person.learner)
    const learner = campus.enroll(firstname, { id, lastname, email, username, idnumber })
    await lms.complete(learner, course)
    await lms.cron()
    const extra = { useremail: email, username, remark: person.remark }
    const answer = await campus.post(completedHook(learner, course, extra))
    if (!answer.ok) throw new Error(`The event was answered with ${answer.status}.`)
    await until('the profile', async () => (await campus.profileOf(learner)).credstatus === 'issued' || 'not yet', {
      ms: 120_000,
    })
  }
  for (const person of [gone, stays]) {
    const done = await campus.runCli(
      'correct',
      await idOf(scene, person),
      '--set',
      `Last Name=${person.last}`,
      '--wait',
      '--yes',
      '--by',
      'me',
    )
    if (done.code !== 0) throw new Error(done.stderr)
  }
  await until(
    'the archives',
    async () =>
      (await count(scene, `issuance WHERE state = 'issued' AND archive_due_at IS NOT NULL`)) === 0 || 'not yet',
    { ms: 120_000 },
  )
  await until('the events', async () => (await count(scene, `inbound_event WHERE state = 'new'`)) === 0 || 'not yet', {
    ms: 120_000,
  })
  await until('a message', () => scene.mail.received.length > 0 || 'none yet', { ms: 120_000 })
}

/** Forgets a person by the command, and waits until the worker has carried it out. */
export async function forgetCompletely({ campus }: Scene, { email }: Canary): Promise<void> {
  const { code, stdout, stderr } = await campus.runCli('forget', email, '--reason', 'a letter', '--yes')
  if (code !== 0 || canaryIn(Buffer.from(stdout + stderr), gone).length > 0)
    throw new Error(`forget ended with ${code}: ${stderr}`)
  await until(
    'the erasure',
    async () => {
      const [open] = await campus.world.app.ledger.erasures.open()
      return open === undefined || (open.waitsFor ?? 'under way')
    },
    { ms: 120_000 },
  )
}

export async function count({ campus }: Scene, from: string): Promise<number> {
  return (await campus.world.app.database.query(`SELECT FROM ${from}`)).rowCount
}

async function idOf({ campus }: Scene, { email }: Canary): Promise<string> {
  const { rows } = await campus.world.app.database.query<{ id: number }>(
    `SELECT id FROM issuance WHERE pipeline = 'spring' AND recipient->>'Email' = $1 ORDER BY id LIMIT 1`,
    [email],
  )
  return `i${rows[0]?.id}`
}

async function workbook(folder: string, rows: string[][]): Promise<Buffer> {
  const path = join(folder, 'made.xlsx')
  const table = await openTableWriter(path, { format: 'xlsx', header, mode: 0o600 })
  for (const row of rows) await table.write(row)
  await table.close()
  const bytes = await readFile(path)
  await rm(path)
  return bytes
}
