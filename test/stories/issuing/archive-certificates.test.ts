// Archives certificates from the sandbox over HTTP: each is stored once and correctly, whatever interrupts the job.

import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { archive } from '#jobs/certificates/archive.ts'
import { startWorker } from '#jobs/worker.ts'
import { type App, openApp } from '#src/app/app.ts'
import { checkSentence, labelOf } from '#src/check/check-result.ts'
import { checkArchives } from '#src/extensions/certificates/check/check-archives.ts'
import { archiveLines } from '#src/extensions/certificates/commands/archive-status.ts'
import { parseManifest } from '#src/extensions/certificates/manifest.ts'
import { type Log, silentLog } from '#src/platform/log/log.ts'
import { systemClock } from '#src/platform/time/clock.ts'
import { runWithEnv } from '#test/src/cli/run-without-config.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { openRecordedLog } from '#test/support/recorded-log.ts'
import { issueList, openIssuedWorld } from '#test/support/revocation-steps.ts'
import { until } from '#test/support/until.ts'
import { peopleCsv, type World } from '#test/support/world.ts'

const downloadPath = '/downloadCertificate/'
const never = new AbortController().signal
const spring = { pipeline: 'spring' }
const hour = { baseMs: 3_600_000, capMs: 3_600_000 }

/** Opens another process of the world, with an archive in its configuration. */
async function archiving(world: World, to: string, service: object = {}, log: Log = silentLog): Promise<App> {
  const { file } = world.settings
  const pipelines = { spring: { ...file.pipelines.spring, archive: { to } } }
  const settings = { ...world.settings, file: { ...file, service: { ...file.service, ...service }, pipelines } }
  const app = await openApp(settings as World['settings'], {
    clock: systemClock,
    log,
    random: () => 0.5,
    tuning: { ...world.app.tuning, archiveRetry: { one: hour, all: hour } },
  })
  onTestFinished(() => app[Symbol.asyncDispose]())
  await app.ledger.archives.watch(app.archives.all)
  return app
}

/** Skips the hour after which failed downloads are retried. */
async function anHourPasses({ database }: App): Promise<void> {
  for (const [table, column] of [
    ['issuance', 'archive_due_at'],
    ['archive', 'due_at'],
  ])
    await database.query(`UPDATE ${table} SET ${column} = ${column} - interval '1 hour'`)
}

/** Returns the same app, which calls `then` once `count` certificates are recorded as stored. */
function callAfterKept(app: App, count: number, then: () => void): App {
  const { archives } = app.ledger
  let kept = 0
  const noteKept = async (...args: Parameters<typeof archives.noteKept>) => {
    const noted = await archives.noteKept(...args)
    if (++kept === count) then()
    return noted
  }
  return { ...app, ledger: { ...app.ledger, archives: { ...archives, noteKept } } }
}

const downloads = ({ wire }: World) => wire.seen.filter((path) => path.includes(downloadPath)).length
const archiveStatus = async ({ ledger }: App) => (await ledger.archives.statuses())[0]
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

/**
 * Checks that every credential of the sandbox has one file with the service's bytes, is in the manifest, and is
 * recorded in the ledger.
 */
async function expectWhole(world: World, folder: string): Promise<void> {
  const { files } = parseManifest(await readFile(join(folder, 'manifest.jsonl'), 'utf8'))
  const credentials = world.sandbox.requests().map(({ credentialId }) => String(credentialId))
  expect((await readdir(folder)).sort()).toEqual([...credentials.map((id) => `${id}.pdf`), 'manifest.jsonl'].sort())
  for (const [at, id] of credentials.entries()) {
    const bytes = await readFile(join(folder, `${id}.pdf`))
    expect(sha256(bytes)).toBe(sha256((await world.app.issuer.downloadCredential(id)).bytes))
    expect(files.get(id)).toMatchObject({ file: `${id}.pdf`, size: bytes.length, sha256: sha256(bytes) })
    const [life] = await world.app.ledger.issuances.explain({ id: at + 1 })
    const archived = await world.app.ledger.archives.ofIssuances([at + 1])
    expect(archived.get(at + 1)).toMatchObject({
      folder,
      file: `${life?.credentialId}.pdf`,
      size: expect.any(Number),
    })
  }
}

describeWithDatabase('an archive', () => {
  test('stores earlier certificates too, continues where a worker stopped, and stores each certificate once and correctly', async () => {
    await using world = await openIssuedWorld(30)
    const folder = join(world.folder, 'certificates')
    // The service is slow enough for the job to be interrupted in the middle.
    const slow = { limits: { ...world.settings.file.service.limits, general: 20 } }
    const first = await archiving(world, folder, slow)
    const reached = Promise.withResolvers<void>()
    await using early = await startWorker(callAfterKept(first, 8, reached.resolve))
    await reached.promise
    await early?.stop()
    expect(await archiveStatus(first)).toMatchObject({ archived: expect.any(Number), troubled: 0, problem: null })
    // The other worker is notified that it has lost the job.
    const between = await archiving(world, folder, slow)
    const losing = new AbortController()
    const tools = callAfterKept(between, 4, () => losing.abort())
    expect(await archive(tools, spring, losing.signal)).toMatchObject({ kind: 'snooze' })
    const halfway = await archiveStatus(between)
    expect(halfway?.archived).toBeGreaterThanOrEqual(12)
    expect(halfway?.archived).toBeLessThan(30)
    expect(halfway).toMatchObject({ waiting: 30 - (halfway?.archived ?? 0), troubled: 0, problem: null })
    expect((await readdir(folder)).filter((name) => name.endsWith('.part'))).toEqual([])
    expect((await stat(folder)).mode & 0o777).toBe(0o700)

    const second = await archiving(world, folder)
    await using worker = await startWorker(second)
    await until('the archive', async () => (await archiveStatus(second))?.waiting === 0)
    // A later list is archived as it is issued.
    await world.receive('later.csv', peopleCsv(3, 100))
    await until('the later certificates', async () => (await archiveStatus(second))?.archived === 33)
    await worker?.stop()
    // At most four downloads were running when the second worker lost its job; the first worker completed its
    // downloads.
    expect(downloads(world)).toBeLessThanOrEqual(33 + 4)
    await expectWhole(world, folder)

    const before = downloads(world)
    expect(await second.ledger.archives.take()).toEqual([])
    await archive(await archiving(world, folder), spring, never)
    expect([downloads(world), (await archiveStatus(second))?.archived]).toEqual([before, 33])
  })

  test('does not store a maintenance page, but waits and reports the reason, and continues once there is a certificate', async () => {
    await using world = await openIssuedWorld(1)
    const folder = join(world.folder, 'certificates')
    const app = await archiving(world, folder)
    world.wire.spoil(downloadPath, { status: 200, body: '{"error":"maintenance"}' })
    await archive(app, spring, never)
    const now = await archiveStatus(app)
    expect(now).toMatchObject({ archived: 0, waiting: 1, troubled: 1 })
    expect(now?.example?.problem).toContain('a JSON document, which was not kept')
    await anHourPasses(app)
    await archive(app, spring, never)
    expect(await archiveStatus(app)).toMatchObject({ archived: 1, waiting: 0, troubled: 0 })
  })

  test('retries later if the service refuses a download, reports why, and continues with the others', async () => {
    await using world = await openIssuedWorld(3)
    const folder = join(world.folder, 'certificates')
    const log = openRecordedLog()
    const app = await archiving(world, folder, {}, log)
    world.wire.spoil(downloadPath, { status: 403, body: JSON.stringify({ status: 403, message: 'Not yet.' }) })
    await archive(app, spring, never)
    const now = await archiveStatus(app)
    expect(now).toMatchObject({ archived: 2, waiting: 1, troubled: 1, problem: null })
    expect(log.lines).toEqual([
      ['archive.kept', { pipeline: 'spring', count: 2 }],
      ['archive.refused', { pipeline: 'spring', issuance: now?.example?.issuance, error: 'ServiceRefusedError' }],
    ])
    expect(archiveLines(now ? [now] : [])[0]).toMatch(
      /^archive spring \(.+\): 2 archived, 1 waiting, 1 of them failing\. i\d: The service refused credential-download with status 403: "Not yet\."/,
    )
    const runCli = (...argv: string[]) => runWithEnv({ DATABASE_URL: world.databaseUrl }, ...argv)
    const { example } = now ?? {}
    expect((await runCli('explain', `i${example?.issuance}`)).stdout).toContain('not archived, tried once: The service')
    const { archives: reported } = JSON.parse((await runCli('status', '--json')).stdout)
    expect(reported).toMatchObject([
      { pipeline: 'spring', folder, archived: 2, waiting: 1, troubled: 1, problem: null },
    ])
    expect(reported[0].example).toEqual({ ...example, issuance: `i${example?.issuance}` })
    await anHourPasses(app)
    expect(await app.ledger.archives.take()).toEqual(['spring'])
    await archive(app, spring, never)
    const [kept] = await app.ledger.issuances.explain({ id: example?.issuance ?? 0 })
    const { stdout } = await runCli('explain', `i${example?.issuance}`)
    expect(stdout).toContain(`certificate   ${join(folder, `${kept?.credentialId}.pdf`)}`)
    expect((await runCli('status')).stdout).toContain(`archive spring (${folder}): 3 archived, 0 waiting\n`)
    expect(await archiveStatus(app)).toMatchObject({ archived: 3, waiting: 0, troubled: 0, example: null })
  })

  test('creates only the last level of its path, never a folder that was already used, and reports a missing folder until it exists', async () => {
    await using world = await openIssuedWorld(2)
    const disk = join(world.folder, 'disk')
    const folder = join(disk, 'certificates')
    const log = openRecordedLog()
    const app = await archiving(world, folder, {}, log)
    const sentence = `There is no folder ${disk}, and only the last level of a path is created. Create that folder, or mount its disk.`
    await archive(app, spring, never)
    await archive(app, spring, never)
    expect(await archiveStatus(app)).toMatchObject({ archived: 0, waiting: 2, problem: sentence })
    // The second time, the problem is no longer new.
    expect(log.lines).toEqual([['archive.stuck', { pipeline: 'spring', reason: sentence }]])
    const checks = await checkArchives(app)
    expect(checks.map((check) => `${labelOf(check)}: ${checkSentence(check)}.`)).toEqual([
      `archive spring: ${sentence}`,
    ])
    await expect(stat(disk)).rejects.toThrow('ENOENT')
    expect(await app.ledger.archives.take()).toEqual([])

    await mkdir(disk)
    await anHourPasses(app)
    expect(await app.ledger.archives.take()).toEqual(['spring'])
    await archive(app, spring, never)
    expect(await archiveStatus(app)).toMatchObject({ archived: 2, waiting: 0, problem: null })
    await issueList(world, 'later.csv', peopleCsv(1, 10))
    await rename(folder, `${folder}.away`)
    await archive(app, spring, never)
    expect((await archiveStatus(app))?.problem).toContain(
      `${folder} is missing, and certificates were stored there before`,
    )
    await expect(stat(folder)).rejects.toThrow('ENOENT')
    await rename(`${folder}.away`, folder)
    await archive(app, spring, never)
    await expectWhole(world, folder)
  })

  test('stops when the service is unavailable, and does not count that as a failure of the certificates', async () => {
    await using world = await openIssuedWorld(2)
    const app = await archiving(world, join(world.folder, 'certificates'))
    world.wire.spoil('/entityaccess/token', { status: 401, body: '{"status":401,"message":"No."}' }, 9)
    await archive(app, spring, never)
    const now = await archiveStatus(app)
    expect(now).toMatchObject({ archived: 0, waiting: 2, troubled: 0 })
    expect(now?.problem).toContain('refused the access key and secret')
  })
})
