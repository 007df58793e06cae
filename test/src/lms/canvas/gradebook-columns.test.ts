// Writes entries in custom gradebook columns, which count as written only after they are read back.

import { describe, expect, onTestFinished, test } from 'vitest'
import { json, openScriptedServer } from '#test/support/scripted-server.ts'
import { clientOf, openSiteAndClient } from './open-site-and-client.ts'

const link = 'https://verify.example/C-1'

describe('the columns of a gradebook', () => {
  test('are created if missing, protected from manual edits, and show what was delivered', async () => {
    const { canvas, enroll, columns } = await openSiteAndClient()
    const { id } = enroll('Ada')
    const entry = { course: '7', learnerId: id, cells: { Credential: 'C-1', Link: link, Status: '' } }
    expect(await canvas.writeColumns(entry)).toEqual({ kind: 'verified' })
    expect(columns.map(({ title, read_only }) => [title, read_only])).toEqual([
      ['Credential', true],
      ['Link', true],
    ])
    expect(columns.map(({ cells }) => cells.get(id))).toEqual(['C-1', link])
    await canvas.writeColumns({ ...entry, cells: { ...entry.cells, Link: '' } })
    expect(columns.map(({ cells }) => cells.get(id))).toEqual(['C-1', undefined])
    expect(columns).toHaveLength(2)
  })

  test('are read up to the page that contains the learner', async () => {
    const { canvas, enroll } = await openSiteAndClient({ pageSize: 2 })
    for (const learner of ['Ada', 'Byron', 'Carl', 'Dora', 'Emil'].map((each) => enroll(each)))
      expect(
        await canvas.writeColumns({ course: '7', learnerId: learner.id, cells: { Credential: learner.name } }),
      ).toEqual({ kind: 'verified' })
  })

  test('with the same title are resolved to the oldest one, regardless of the order of the list', async () => {
    const { canvas, enroll, columns } = await openSiteAndClient()
    const { id } = enroll('Ada')
    for (const each of [12, 9, 11]) columns.push({ id: each, title: 'Credential', cells: new Map() })
    await canvas.writeColumns({ course: '7', learnerId: id, cells: { Credential: 'C-1' } })
    expect(columns.map((column) => [column.id, column.cells.get(id)])).toEqual([
      [12, undefined],
      [9, 'C-1'],
      [11, undefined],
    ])
  })

  test('that cannot hold the text are reported, although Canvas returns 200', async () => {
    const { canvas, enroll } = await openSiteAndClient()
    const { id } = enroll('Ada')
    await canvas.writeColumns({ course: '7', learnerId: id, cells: { Link: link } })
    const cells = { Credential: 'C-1', Link: `https://verify.example/${'x'.repeat(255)}` }
    expect(await canvas.writeColumns({ course: '7', learnerId: id, cells })).toEqual({
      kind: 'differs',
      titles: ['Link'],
    })
  })

  test('that were created but are missing are reported', async () => {
    const server = await openScriptedServer()
    onTestFinished(() => server.close())
    server.on('columns', json(200, []))
    const entry = { course: '7', learnerId: '3', cells: { Credential: 'C-1' } }
    expect(await clientOf({ url: server.url, token: 't' }).writeColumns(entry)).toEqual({
      kind: 'differs',
      titles: ['Credential'],
    })
  })

  test('reject a learner who is no longer a student, which affects only that record', async () => {
    const { canvas, enroll } = await openSiteAndClient()
    const { id } = enroll('Ada', { isStudent: false })
    const result = canvas.writeColumns({ course: '7', learnerId: id, cells: { Credential: 'C-1' } })
    await expect(result).rejects.toMatchObject({ fault: 'record', message: expect.stringContaining('gradebook') })
  })
})
