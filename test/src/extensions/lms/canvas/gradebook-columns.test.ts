// Writes entries in custom gradebook columns, which count as written if Canvas answers with what was written.

import { describe, expect, onTestFinished, test } from 'vitest'
import { steppedClock } from '#test/support/clock.ts'
import { json, openScriptedServer } from '#test/support/scripted-server.ts'
import { clientOf, openSite, openSiteAndClient } from './open-site-and-client.ts'

const link = 'https://verify.example/C-1'

describe('the columns of a gradebook', () => {
  test('are created if missing, protected from manual edits, and show what was delivered', async () => {
    const { canvas, enroll, columns } = await openSiteAndClient()
    const { id } = enroll('Ada')
    const entry = { course: '7', learnerId: id, cells: { Credential: 'C-1', Link: link, Status: '' } }
    expect(await canvas.columns.write(entry)).toEqual({ kind: 'verified' })
    expect(columns.map(({ title, read_only }) => [title, read_only])).toEqual([
      ['Credential', true],
      ['Link', true],
    ])
    expect(columns.map(({ cells }) => cells.get(id))).toEqual(['C-1', link])
    await canvas.columns.write({ ...entry, cells: { ...entry.cells, Link: '' } })
    expect(columns.map(({ cells }) => cells.get(id))).toEqual(['C-1', undefined])
    expect(columns).toHaveLength(2)
  })

  test('cost one call for each entry: they are listed and created once for a course', async () => {
    const { canvas, enroll, requests } = await openSiteAndClient({ pageSize: 2 })
    const people = Array.from({ length: 30 }, (_, n) => enroll(`L${n}`))
    for (const { id, name } of people)
      await canvas.columns.write({ course: '7', learnerId: id, cells: { Credential: name, Link: link } })
    const base = 'courses/7/custom_gradebook_columns'
    expect(requests.slice(0, 4)).toEqual([`GET ${base}`, `POST ${base}`, `POST ${base}`, `GET ${base}`])
    expect(requests.slice(4).filter((request) => !request.startsWith('PUT'))).toEqual([])
    expect(requests).toHaveLength(4 + 2 * people.length)
  })

  test('that are deleted meanwhile are found anew, and so is one that was added by hand', async () => {
    const { canvas, enroll, columns } = await openSiteAndClient()
    const { id } = enroll('Ada')
    const entry = { course: '7', learnerId: id, cells: { Credential: 'C-1' } }
    await canvas.columns.write(entry)
    columns.splice(0, 1, { id: 200, title: 'Credential', cells: new Map() })
    expect(await canvas.columns.write(entry)).toEqual({ kind: 'verified' })
    expect(columns.map((column) => [column.id, column.cells.get(id)])).toEqual([[200, 'C-1']])
  })

  test('are read again after a while, because a teacher may have renamed one', async () => {
    const site = await openSite()
    const clock = steppedClock()
    const canvas = clientOf(site, clock)
    const { id } = site.enroll('Ada')
    const entry = { course: '7', learnerId: id, cells: { Credential: 'C-1' } }
    await canvas.columns.write(entry)
    for (const column of site.columns) column.title = 'Nut allergy'
    await clock.advance(15 * 60_000)
    await canvas.columns.write({ ...entry, cells: { Credential: 'C-2' } })
    expect(site.columns.map(({ title, cells }) => [title, cells.get(id)])).toEqual([
      ['Nut allergy', 'C-1'],
      ['Credential', 'C-2'],
    ])
  })

  test.each(['completed', 'inactive'] as const)('accept a learner whose enrollment is %s', async (enrollment) => {
    const { canvas, enroll, columns } = await openSiteAndClient()
    const { id } = enroll('Ada', { enrollment })
    await canvas.columns.write({ course: '7', learnerId: id, cells: { Credential: 'C-1' } })
    expect(columns[0]?.cells.get(id)).toBe('C-1')
  })

  test("with the same title as the teacher's notes are created beside those, which stay as they are", async () => {
    const { canvas, enroll, columns } = await openSiteAndClient()
    const { id } = enroll('Ada')
    columns.push({ id: 1, title: 'Credential', teacher_notes: true, cells: new Map([[id, 'needs more time']]) })
    await canvas.columns.write({ course: '7', learnerId: id, cells: { Credential: 'C-1' } })
    expect(columns.map(({ cells }) => cells.get(id))).toEqual(['needs more time', 'C-1'])
  })

  test('with the same title are resolved to the oldest one, regardless of the order of the list', async () => {
    const { canvas, enroll, columns } = await openSiteAndClient()
    const { id } = enroll('Ada')
    for (const each of [12, 9, 11]) columns.push({ id: each, title: 'Credential', cells: new Map() })
    await canvas.columns.write({ course: '7', learnerId: id, cells: { Credential: 'C-1' } })
    expect(columns.map((column) => [column.id, column.cells.get(id)])).toEqual([
      [12, undefined],
      [9, 'C-1'],
      [11, undefined],
    ])
  })

  test('that cannot hold the text are reported, although Canvas returns 200', async () => {
    const { canvas, enroll } = await openSiteAndClient()
    const { id } = enroll('Ada')
    await canvas.columns.write({ course: '7', learnerId: id, cells: { Link: link } })
    const cells = { Credential: 'C-1', Link: `https://verify.example/${'x'.repeat(255)}` }
    expect(await canvas.columns.write({ course: '7', learnerId: id, cells })).toEqual({
      kind: 'differs',
      titles: ['Link'],
    })
  })

  test('that were created but are missing are reported', async () => {
    const server = await openScriptedServer()
    onTestFinished(() => server.close())
    server.on('columns', json(200, []))
    const entry = { course: '7', learnerId: '3', cells: { Credential: 'C-1' } }
    expect(await clientOf({ url: server.url, token: 't' }).columns.write(entry)).toEqual({
      kind: 'differs',
      titles: ['Credential'],
    })
  })

  test('reject a learner whose enrollment was deleted, which affects only that record', async () => {
    const { canvas, enroll } = await openSiteAndClient()
    const { id } = enroll('Ada', { enrollment: 'deleted' })
    const result = canvas.columns.write({ course: '7', learnerId: id, cells: { Credential: 'C-1' } })
    await expect(result).rejects.toMatchObject({
      failure: { kind: 'record' },
      message: expect.stringContaining('gradebook'),
    })
  })
})
