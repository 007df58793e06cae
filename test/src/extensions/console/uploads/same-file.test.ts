// A file that is handed in again while its first run is not finished: nothing would come of it, so the page says so, and
// nobody is recorded as having issued it.

import { expect, test } from 'vitest'
import { sameFileSentence } from '#src/extensions/console/uploads/issue-upload.ts'
import { addRun } from '#test/support/add-run.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { openRehearsed } from '#test/support/rehearsed-list.ts'

describeWithDatabase('a file whose first run is not finished', () => {
  test('is not issued again, and the page says what to do instead', async () => {
    await using list = await openRehearsed()
    const { database, ledger } = list.app
    const first = await addRun(database, 'first.csv', {
      state: 'published',
      source_sha256: list.upload.sha256,
      source_path: '/first',
    })
    const page = (await list.show()).text
    expect(page).toContain(`This file has already been submitted (first.csv, run ${first.slice(0, 8)})`)
    expect(page).toContain('download the invalid rows on the page of that run')
    expect(page).toContain(`href="/runs/${first}"`)
    expect(page).not.toMatch(/Issue \d+ credentials/)

    // Another tab still has the button.
    const answer = await list.issue()
    expect([answer.status, answer.text]).toEqual([409, expect.stringContaining('Nothing was done.')])
    expect(await list.issuers()).toEqual([])
    expect(await list.runs()).toMatchObject([{ id: first, sourcePath: '/first' }])
    expect(await ledger.issuedLists.runOf(list.id)).toBeNull()
    expect((await list.show()).status).toBe(200)
  })

  test.each([
    ['braked', 'decide about it on its page'],
    ['received', 'a worker has yet to read it'],
  ] as const)('has another remedy while its run is %s', (state, remedy) => {
    expect(sameFileSentence({ id: 'r', sourceName: 'a.csv', state })).toContain(remedy)
  })

  test('is issued as a run of its own once that one is finished', async () => {
    await using list = await openRehearsed()
    const { database } = list.app
    const first = await addRun(database, 'first.csv', {
      ...{ state: 'refused', source_sha256: list.upload.sha256, settled_at: new Date() },
    })
    expect((await list.show()).text).toContain('Issue 3 credentials')
    const { headers } = await list.issue()
    expect(headers.location).not.toBe(`/runs/${first}`)
    expect(await list.issuers()).toMatchObject([{ run: String(headers.location).replace('/runs/', '') }])
  })
})
