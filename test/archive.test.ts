// The archive against the sandbox on the wire: each certificate once and right in its folder, whatever comes between.

import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { archive } from '#jobs/archive.ts'
import { startWorker } from '#jobs/worker.ts'
import { type App, openApp } from '#src/app.ts'
import { labelOf, sentenceOf } from '#src/check/check.ts'
import { checkArchives } from '#src/check/check-archives.ts'
import { archiveLines } from '#src/cli/archive-lines.ts'
import { parseManifest } from '#src/downloads/manifest.ts'
import { silentLog } from '#src/log/log.ts'
import { systemClock } from '#src/time/clock.ts'
import { sayIn } from './src/cli/say.ts'
import { describeWithDatabase } from './support/database.ts'
import { issued, issueList } from './support/revoking.ts'
import { until } from './support/until.ts'
import { peopleCsv, type World } from './support/world.ts'

const downloadPath = '/downloadCertificate/'
const never = new AbortController().signal
const spring = { pipeline: 'spring' }
const soon = { archiveAgain: { one: { baseMs: 50, capMs: 50 }, all: { baseMs: 1_500, capMs: 1_500 } } }

/** Another process of the world, whose configuration has an archive. */
async function archiving(world: World, to: string, service: object = {}): Promise<App> {
  const { file } = world.settings
  const pipelines = { spring: { ...file.pipelines.spring, archive: { to } } }
  const settings = { ...world.settings, file: { ...file, service: { ...file.service, ...service }, pipelines } }
  const app = await openApp(settings as World['settings'], {
    clock: systemClock,
    log: silentLog,
    random: () => 0.5,
    tuning: { ...world.app.tuning, ...soon },
  })
  onTestFinished(() => app[Symbol.asyncDispose]())
  await app.ledger.archives.watch(app.archives.all)
  return app
}

/** The same app, which does something once so many certificates are noted as kept. */
function afterKept(app: App, count: number, then: () => void): App {
  const { archives } = app.ledger
  let kept = 0
  const noteKept = async (...of: Parameters<typeof archives.noteKept>) => {
    const noted = await archives.noteKept(...of)
    if (++kept === count) then()
    return noted
  }
  return { ...app, ledger: { ...app.ledger, archives: { ...archives, noteKept } } }
}

const downloads = ({ wire }: World) => wire.seen.filter((path) => path.includes(downloadPath)).length
const standing = async ({ ledger }: App) => (await ledger.archives.standings())[0]
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

/** Every credential of the sandbox has one file, with the bytes of the service, on the list and in the ledger. */
async function expectWhole(world: World, folder: string): Promise<void> {
  const { files } = parseManifest(await readFile(join(folder, 'manifest.jsonl'), 'utf8'))
  const credentials = world.sandbox.requests().map(({ credentialId }) => String(credentialId))
  expect((await readdir(folder)).sort()).toEqual([...credentials.map((id) => `${id}.pdf`), 'manifest.jsonl'].sort())
  for (const [at, id] of credentials.entries()) {
    const bytes = await readFile(join(folder, `${id}.pdf`))
    const pieces: Buffer[] = []
    await world.app.issuer.downloadCredential(id, { begin: () => {}, write: (piece) => void pieces.push(piece) })
    expect(sha256(bytes)).toBe(sha256(Buffer.concat(pieces)))
    expect(files.get(id)).toMatchObject({ file: `${id}.pdf`, size: bytes.length, sha256: sha256(bytes) })
    const [life] = await world.app.ledger.explain({ id: at + 1 })
    expect(life?.archived).toMatchObject({
      folder,
      file: `${life?.credentialId}.pdf`,
      size: expect.any(Number),
    })
  }
}

describeWithDatabase('an archive', () => {
  test('takes what was issued before, goes on where a stopped worker was, and has each certificate once and right', async () => {
    await using world = await issued(30)
    const folder = join(world.folder, 'certificates')
    // So slow that there is a middle.
    const slow = { limits: { ...world.settings.file.service.limits, general: 20 } }
    const first = await archiving(world, folder, slow)
    const reached = Promise.withResolvers<void>()
    await using early = await startWorker(afterKept(first, 8, reached.resolve))
    await reached.promise
    await early?.stop()
    expect(await standing(first)).toMatchObject({ archived: expect.any(Number), troubled: 0, problem: null })
    // Another one is told that it has lost its job.
    const between = await archiving(world, folder, slow)
    const losing = new AbortController()
    const tools = afterKept(between, 4, () => losing.abort())
    expect(await archive(tools, spring, losing.signal)).toMatchObject({ kind: 'snooze' })
    const half = await standing(between)
    expect(half?.archived).toBeGreaterThanOrEqual(12)
    expect(half?.archived).toBeLessThan(30)
    expect(half).toMatchObject({ waiting: 30 - (half?.archived ?? 0), troubled: 0, problem: null })
    expect((await readdir(folder)).filter((name) => name.endsWith('.part'))).toEqual([])
    expect((await stat(folder)).mode & 0o777).toBe(0o700)

    const second = await archiving(world, folder)
    await using worker = await startWorker(second)
    await until('the archive', async () => (await standing(second))?.waiting === 0)
    // A list that comes later is archived as it is issued.
    await world.receive('later.csv', peopleCsv(3, 100))
    await until('the later ones', async () => (await standing(second))?.archived === 33)
    await worker?.stop()
    // Four at most were being fetched when the second lost its job; what the first had under way came to its end.
    expect(downloads(world)).toBeLessThanOrEqual(33 + 4)
    await expectWhole(world, folder)

    const before = downloads(world)
    expect(await second.ledger.archives.take()).toEqual([])
    await archive(await archiving(world, folder), spring, never)
    expect([downloads(world), (await standing(second))?.archived]).toEqual([before, 33])
  })

  test('keeps no page of a service under maintenance: it waits, with the reason, and comes when there is one', async () => {
    await using world = await issued(1)
    const folder = join(world.folder, 'certificates')
    const app = await archiving(world, folder)
    world.wire.spoil(downloadPath, { status: 200, body: '{"error":"maintenance"}' })
    await archive(app, spring, never)
    const now = await standing(app)
    expect(now).toMatchObject({ archived: 0, waiting: 1, troubled: 1 })
    expect(now?.example?.problem).toContain('is a JSON document, so it was not kept')
    await app.database.query('UPDATE issuance SET archive_due_at = clock_timestamp()')
    await archive(app, spring, never)
    expect(await standing(app)).toMatchObject({ archived: 1, waiting: 0, troubled: 0 })
  })

  test('tries again later what the service refuses, says why, and lets the others through', async () => {
    await using world = await issued(3)
    const folder = join(world.folder, 'certificates')
    const app = await archiving(world, folder)
    world.wire.spoil(downloadPath, { status: 403, body: JSON.stringify({ status: 403, message: 'Not yet.' }) })
    await archive(app, spring, never)
    const now = await standing(app)
    expect(now).toMatchObject({ archived: 2, waiting: 1, troubled: 1, problem: null })
    expect(archiveLines(now ? [now] : [])[0]).toMatch(
      /^archive spring \(.+\): 2 archived, 1 waiting, 1 of them in trouble\. i\d: The service refused credential-download with status 403: "Not yet\."/,
    )
    const say = (...argv: string[]) => sayIn({ DATABASE_URL: world.databaseUrl }, ...argv)
    const { example } = now ?? {}
    expect((await say('explain', `i${example?.issuance}`)).stdout).toContain('not archived, tried once: The service')
    const { archives: told } = JSON.parse((await say('status', '--json')).stdout)
    expect(told).toMatchObject([{ pipeline: 'spring', folder, archived: 2, waiting: 1, troubled: 1, problem: null }])
    expect(told[0].example).toEqual({ ...example, issuance: `i${example?.issuance}` })
    await until('the second try', async () => (await app.ledger.archives.take()).length === 1)
    await archive(app, spring, never)
    const [kept] = await app.ledger.explain({ id: example?.issuance ?? 0 })
    const { stdout } = await say('explain', `i${example?.issuance}`)
    expect(stdout).toContain(`certificate   ${join(folder, `${kept?.credentialId}.pdf`)}`)
    expect((await say('status')).stdout).toContain(`archive spring (${folder}): 3 archived, 0 waiting\n`)
    expect(await standing(app)).toMatchObject({ archived: 3, waiting: 0, troubled: 0, example: null })
  })

  test('never makes a folder above its last level, nor anew one that was used; and tells it until it is there', async () => {
    await using world = await issued(2)
    const disk = join(world.folder, 'disk')
    const folder = join(disk, 'certificates')
    const app = await archiving(world, folder)
    const sentence = `There is no folder ${disk}, and only the last level of a path is made. Make it, or mount its disk.`
    await archive(app, spring, never)
    expect(await standing(app)).toMatchObject({ archived: 0, waiting: 2, problem: sentence })
    const told = await checkArchives(app)
    expect(told.map((each) => `${labelOf(each)}: ${sentenceOf(each)}.`)).toEqual([`archive spring: ${sentence}`])
    await expect(stat(disk)).rejects.toThrow('ENOENT')
    expect(await app.ledger.archives.take()).toEqual([])

    await mkdir(disk)
    await until('the next try', async () => (await app.ledger.archives.take()).length === 1)
    await archive(app, spring, never)
    expect(await standing(app)).toMatchObject({ archived: 2, waiting: 0, problem: null })
    await issueList(world, 'later.csv', peopleCsv(1, 10))
    await rename(folder, `${folder}.away`)
    await archive(app, spring, never)
    expect((await standing(app))?.problem).toContain(`${folder} is missing, and certificates were kept there before`)
    await expect(stat(folder)).rejects.toThrow('ENOENT')
    await rename(`${folder}.away`, folder)
    await archive(app, spring, never)
    await expectWhole(world, folder)
  })

  test('stops at a service that is away, and counts nothing against the certificates', async () => {
    await using world = await issued(2)
    const app = await archiving(world, join(world.folder, 'certificates'))
    world.wire.spoil('/entityaccess/token', { status: 401, body: '{"status":401,"message":"No."}' }, 9)
    await archive(app, spring, never)
    const now = await standing(app)
    expect(now).toMatchObject({ archived: 0, waiting: 2, troubled: 0 })
    expect(now?.problem).toContain('refused the access key and secret')
  })

  test('takes the link of the report where the download has none, on a host that is allowed', async () => {
    await using world = await issued(2)
    const missing = { status: 404, body: JSON.stringify({ status: 404, message: 'Not found.' }) }
    const folder = join(world.folder, 'certificates')
    world.wire.spoil(downloadPath, missing, 2)
    const closed = await archiving(world, folder)
    await archive(closed, spring, never)
    expect((await standing(closed))?.example?.problem).toContain('is not among the allowed ones')
    world.wire.spoil(downloadPath, missing, 2)
    const open = await archiving(world, folder, { certificateHosts: [new URL(world.sandbox.url).host] })
    await until('the second try', async () => (await open.ledger.archives.due('spring', 9)).length === 2)
    await archive(open, spring, never)
    expect(await standing(open)).toMatchObject({ archived: 2, waiting: 0 })
    await expectWhole(world, folder)
  })
})
