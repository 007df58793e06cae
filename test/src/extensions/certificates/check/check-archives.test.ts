// What `check` reports about the folder of an archive.

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { checkArchives } from '#src/extensions/certificates/check/check-archives.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { openTestLedger } from '#test/support/test-ledger.ts'

describeWithDatabase('the folder of an archive', () => {
  let parent: string
  beforeEach(async () => {
    parent = await mkdtemp(join(tmpdir(), 'credsync-archive-'))
    onTestFinished(() => rm(parent, { recursive: true, force: true }))
  })

  test('may be missing until certificates were stored in it, and after that only if it was not mounted', async () => {
    await using open = await openTestLedger()
    const folder = join(parent, 'certificates')
    const settings = { file: { pipelines: { spring: { archive: { to: folder } }, autumn: {} } } }
    const check = () => checkArchives({ settings, ledger: open.ledger })
    const usable = [{ name: 'archive', pipeline: 'spring', ok: true, what: `${folder} is writable` }]
    expect(await check()).toMatchObject(usable)

    await open.ledger.archives.watch([{ pipeline: 'spring', folder }])
    const file = { file: 'a.pdf', size: 1, sha256: '0', contentType: '', fetchedAt: '2026-11-21T01:00:00Z' }
    await open.ledger.archives.noteKept('spring', [], { ...file, folder })
    expect(await check()).toMatchObject([
      { ok: false, pipeline: 'spring', what: expect.stringContaining(`${folder} is missing, and certificates were`) },
    ])
    // Without the ledger it is unknown which folder was used.
    expect(await checkArchives({ settings, ledger: null })).toMatchObject(usable)
    await mkdir(folder)
    expect(await check()).toMatchObject(usable)
  })

  test('cannot be a file', async () => {
    const folder = join(parent, 'certificates')
    await writeFile(folder, '')
    const settings = { file: { pipelines: { spring: { archive: { to: folder } } } } }
    expect(await checkArchives({ settings, ledger: null })).toMatchObject([
      { ok: false, what: `${folder} is not a folder` },
    ])
  })
})
