// Files that were kept for as long as the settings say, in a real outbox, inbox and archive.

import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { archive } from '#jobs/certificates/archive.ts'
import { expireCertificates } from '#jobs/certificates/expire-certificates.ts'
import { removeFiles } from '#jobs/privacy/clean-run-files.ts'
import { expireFiles } from '#jobs/privacy/expire-files.ts'
import { writeBack } from '#jobs/write-back.ts'
import { checkExpiry } from '#src/extensions/privacy/check/check-expiry.ts'
import { takenName } from '#src/files/inbox/taken-file-name.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { emptyPeople } from '#test/support/emptied-people.ts'
import { issueList, openIssuedWorld } from '#test/support/revocation-steps.ts'
import { openWorld, peopleCsv, type World } from '#test/support/world.ts'

const never = new AbortController().signal

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'credsync-expiry-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** Moves the end of a run, and the writing of its results, into the past. */
async function runEnded({ app }: World, run: string, days: number): Promise<void> {
  const back = '- make_interval(days => $2)'
  await app.database.query(
    `UPDATE run SET settled_at = settled_at ${back}, filed_at = filed_at ${back} WHERE id = $1`,
    [run, days],
  )
  await app.database.query(`UPDATE write_back SET written_at = written_at ${back} WHERE run_id = $1`, [run, days])
}

describeWithDatabase('files of runs', () => {
  test('are removed some days after the run ended, but not while it waits for anything', async () => {
    const inbox = await temporaryFolder()
    await using world = await openWorld({
      pipeline: { source: { inbox, schedule: '* * * * *' } },
      file: { files: { keepDays: 30 } },
    })
    const runs: string[] = []
    for (const name of ['old', 'young', 'unwritten']) {
      const run = await issueList(world, `${name}.csv`, peopleCsv(1, runs.length + 1))
      await writeBack(world.app, { runId: run })
      runs.push(run)
    }
    const [old = '', young = '', unwritten = ''] = runs
    await runEnded(world, old, 31)
    await runEnded(world, young, 29)
    await runEnded(world, unwritten, 31)
    await world.app.ledger.writeBacks.want(unwritten)
    await mkdir(join(inbox, 'done'))
    const taken = (run: string, more = '') => `2026-01-02T03-04-05Z.${run.slice(0, 8)}.list.csv${more}`
    const kept = [taken(young), taken('00000000'), 'mine.csv']
    for (const name of [...kept, taken(old), taken(old, '.reason.txt')]) await writeFile(join(inbox, 'done', name), '')

    expect(await expireFiles(world.app)).toBe(4)
    const left = await readdir(join(world.folder, 'outbox'))
    expect(left.filter((name) => name.startsWith('old'))).toEqual([])
    expect(left.filter((name) => name.startsWith('young'))).toHaveLength(2)
    expect(left.filter((name) => name.startsWith('unwritten'))).toHaveLength(2)
    expect((await readdir(join(inbox, 'done'))).sort()).toEqual(kept.sort())
    expect(await expireFiles(world.app)).toBe(0)
  })

  test('go with the exact copies of the list, which have no run and are named to whoever forgets', async () => {
    const inbox = await temporaryFolder()
    await using world = await openWorld({
      pipeline: { source: { inbox, schedule: '* * * * *' } },
      file: { files: { keepDays: 30 } },
    })
    const { ledger, database } = world.app
    const run = await issueList(world, 'list.csv', peopleCsv(1))
    await writeBack(world.app, { runId: run })
    const nameOf = (id: string) => `2026-01-02T03-04-05Z.${id}.list.csv`
    const copy = nameOf('aaaaaaaa')
    await mkdir(join(inbox, 'done'))
    for (const name of [copy, `${copy}.reason.txt`, nameOf('bbbbbbbb')]) await writeFile(join(inbox, 'done', name), '')
    await database.query(
      `INSERT INTO list_copy (environment, pipeline, run_id, path) VALUES ('development', 'spring', $1, $2)`,
      [run, join(inbox, 'processing', copy)],
    )
    const files = await ledger.erasures.sourceFiles({ issuances: [1], rows: [] })
    expect(files.map(({ path }) => path)).toEqual([expect.stringContaining('list.csv'), join(inbox, 'done', copy)])
    expect(await expireFiles(world.app)).toBe(0)
    await runEnded(world, run, 31)
    await expireFiles(world.app)
    expect(await readdir(join(inbox, 'done'))).toEqual([nameOf('bbbbbbbb')])
  })

  test('go if they were refused before they had a run, some days after they were taken', async () => {
    const inbox = await temporaryFolder()
    await using world = await openWorld({
      pipeline: { source: { inbox, schedule: '* * * * *' } },
      file: { files: { keepDays: 30 } },
    })
    const run = await issueList(world, 'list.csv', peopleCsv(1))
    const daysAgo = (days: number) => new Date(world.app.clock.now().getTime() - days * 86_400_000)
    const old = takenName('old.csv', daysAgo(31), 'aaaaaaaa')
    const kept = [
      takenName('young.csv', daysAgo(29), 'bbbbbbbb'),
      // Its run has not ended long ago.
      takenName('list.csv', daysAgo(31), run.slice(0, 8)),
      takenName('named.csv', daysAgo(31), 'cccccccc'),
      'mine.csv',
    ]
    const refused = join(inbox, 'refused')
    await mkdir(refused)
    for (const name of [...kept, old, `${old}.reason.txt`, `${old}.ok`]) await writeFile(join(refused, name), '')
    await mkdir(join(inbox, 'done'))
    await writeFile(join(inbox, 'done', old), '')
    await world.app.database.query('UPDATE run SET inbox = true, source_path = $2 WHERE id = $1', [
      ...[run, join(refused, kept[2] ?? '')],
    ])
    expect(await expireFiles(world.app)).toBe(3)
    expect((await readdir(refused)).sort()).toEqual(kept.sort())
    expect(await readdir(join(inbox, 'done'))).toEqual([old])
  })

  test('are kept for ever by default, and `check` says so once', async () => {
    await using world = await openWorld()
    const run = await issueList(world, 'old.csv', peopleCsv(1))
    await writeBack(world.app, { runId: run })
    await runEnded(world, run, 10_000)
    expect(await expireFiles(world.app)).toBe(0)
    const { file } = world.settings
    expect(checkExpiry(file)).toMatchObject([{ ok: true, notices: [expect.stringContaining('nothing expires')] }])
    expect(checkExpiry({ ...file, files: { keepDays: 1 } })).toEqual([])
  })
})

describeWithDatabase('archived certificates', () => {
  /** A world in which the certificates of three people are archived. */
  async function openArchived() {
    const folder = await temporaryFolder()
    const world = await openIssuedWorld(3, { pipeline: { archive: { to: folder, keepDays: 30 } } })
    await world.app.ledger.archives.watch(world.app.archives.all)
    await archive(world.app, { pipeline: 'spring' }, never)
    const ids = world.sandbox.requests().map(({ credentialId }) => String(credentialId))
    return { world, folder, ids, manifest: () => readFile(join(folder, 'manifest.jsonl'), 'utf8') }
  }

  test('are removed with their line of the manifest after some days, and not downloaded again', async () => {
    const { world, folder, ids, manifest } = await openArchived()
    await using _ = world
    await world.app.database.query(
      "UPDATE archived_certificate SET kept_at = kept_at - interval '31 days' WHERE issuance_id <> 2",
    )
    expect(await expireCertificates(world.app)).toBe(true)
    expect((await readdir(folder)).sort()).toEqual([`${ids[1]}.pdf`, 'manifest.jsonl'].sort())
    expect(
      (await manifest())
        .trim()
        .split('\n')
        .filter((line) => line.trim() !== ''),
    ).toHaveLength(1)
    expect(await manifest()).not.toContain(ids[0])
    expect(await world.app.ledger.archives.take()).toEqual([])
    await archive(world.app, { pipeline: 'spring' }, never)
    expect(await readdir(folder)).toHaveLength(2)
  })

  test('of a forgotten person are left to the next sweep once its time is over', async () => {
    const { world, folder, ids } = await openArchived()
    await using _ = world
    const erasure = await emptyPeople(world.app.database, { issuances: [2] })
    // Each look at this clock takes a second.
    let nowMs = 0
    const tools = { ...world.app, clock: { ...world.app.clock, monotonicMs: () => (nowMs += 1_000) } }
    const sweep = async (leftMs: number) => {
      const time = { leftMs }
      return [
        await removeFiles(tools, erasure, time),
        time.leftMs,
        (await readdir(folder)).join().includes(ids[1] ?? ''),
      ]
    }
    // The files of the list take the first second.
    expect(await sweep(1_000)).toEqual(['Archived certificates are being removed.', 0, true])
    expect(await sweep(1_000)).toEqual([null, 0, false])
  })

  test('of a forgotten person go, after kills and with what a killed download left, and a missing folder is waited for', async () => {
    const { world, folder, ids, manifest } = await openArchived()
    await using _ = world
    const [, id = ''] = ids
    const erasure = await emptyPeople(world.app.database, { issuances: [2] })
    // A download that was killed before the ledger recorded its file.
    await world.app.database.query('DELETE FROM archived_certificate WHERE issuance_id = 2')
    await writeFile(join(folder, `.${id}.0a1b2c3d.part`), '')
    const archives = { ...world.app.ledger.archives, noteRemoved: () => Promise.reject(new Error('killed')) }
    const killed = { ...world.app, ledger: { ...world.app.ledger, archives } }
    await expect(removeFiles(killed, erasure)).rejects.toThrow('killed')
    const text = await manifest()
    await rm(join(folder, 'manifest.jsonl'))
    expect(await removeFiles(world.app, erasure)).toMatch(/^The archive of pipeline spring: .* has no manifest\.jsonl/)
    await writeFile(join(folder, 'manifest.jsonl'), text)
    expect(await removeFiles(world.app, erasure)).toBeNull()
    expect((await readdir(folder)).some((name) => name.includes(id))).toBe(false)
    expect(await manifest()).not.toContain(id)
    expect(await manifest()).toContain(ids[0])
    // Other lines are where they were, so that a process that appends at the same time loses nothing.
    expect((await manifest()).length).toBe(text.length)
  })
})
