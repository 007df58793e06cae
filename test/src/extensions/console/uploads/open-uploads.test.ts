// The space that lists take: one person alone cannot fill the disk.

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { mostOfPerson, openUploads } from '#src/extensions/console/uploads/open-uploads.ts'

test('a list counts for its person until its run has read it', async () => {
  const root = await mkdtemp(join(tmpdir(), 'credsync-space-'))
  onTestFinished(() => rm(root, { recursive: true }))
  const uploads = openUploads(root)
  const { id, folder } = await uploads.begin()
  await writeFile(join(folder, 'a.csv'), 'a')
  const what = { environment: 'development', pipeline: 'spring', name: 'a.csv', file: 'a.csv', sha256: '' }
  await uploads.keep({ id, ...what, bytes: mostOfPerson.bytes - 10, by: 'ada', at: '2026-01-01T00:00:00.000Z' })
  const hand = (by: string, bytes: number) => uploads.refuseWithoutSpace(root, by, bytes)
  await hand('ada', 10)
  await expect(hand('ada', 11)).rejects.toMatchObject({ status: 409 })
  await hand('grace', 11)
  await uploads.removeList(id)
  await hand('ada', 11)
  await expect(hand('ada', Number.MAX_SAFE_INTEGER / 2)).rejects.toMatchObject({ status: 409 })
})
