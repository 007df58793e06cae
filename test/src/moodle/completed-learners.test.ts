// The sweep: who completed a course and is new, and what it costs Moodle to find out.

import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { FoundCompletion } from '#src/moodle/completed-learners.ts'
import { MoodleRecordError } from '#src/moodle/moodle-record-error.ts'
import { moodleCapture } from '#test/support/moodle-captures.ts'
import { json, raw, type Script } from '#test/support/scripted-server.ts'
import { exception, openScriptedMoodle, recorded, recordedPage, type ScriptedMoodle } from './scripted-moodle.ts'

const listEnrolled = 'core_enrol_get_enrolled_users'
const askStatus = 'core_completion_get_course_completion_status'
const readReport = 'core_reportbuilder_retrieve_report'

const fire = { id: 2, idnumber: 'CRS-FIRE-101', fullname: 'Fire safety basics', shortname: 'FIRE101' }
const enrolledUsers = [
  { id: 3, username: 'ada', firstname: 'Ada', lastname: 'Lovelace', idnumber: 'E-1001' },
  { id: 4, username: 'soren', firstname: 'Søren', lastname: "O'Neill", idnumber: 'E-1002' },
  { id: 5, username: 'nguyen', firstname: 'Thị Ánh', lastname: 'Nguyễn', idnumber: 'E-1003' },
  { id: 6, username: 'noid', firstname: 'No', lastname: 'Idnumber', idnumber: '' },
].map((each) => ({ ...each, email: `${each.username}@learners.example` }))
const completedAt = new Date('2026-11-21T00:02:57Z')

/** As the list of the enrolled shows them: nobody is asked for again. */
const completedBy = (userId: number): FoundCompletion => {
  const learner = enrolledUsers.find(({ id }) => id === userId)
  if (!learner) throw new Error(`Nobody has the id ${userId}.`)
  return { kind: 'completed', userId, learner: { ...learner, idnumber: learner.idnumber || null }, at: completedAt }
}

/** Completed are the learners with these user ids. */
const statusOf =
  (...completed: number[]): Script =>
  (seen, response, request) => {
    const done = completed.includes(Number(new URLSearchParams(seen.body).get('userid')))
    const name = done ? '04-completion_status_after_activity_before_cron' : '03-completion_status_before'
    recorded(name)(seen, response, request)
  }

let site: ScriptedMoodle
beforeEach(async () => {
  site = await openScriptedMoodle()
  site.on(listEnrolled, json(200, enrolledUsers))
})
afterEach(() => site.close())

async function all<T>(given: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = []
  for await (const one of given) list.push(one)
  return list
}

async function sweep(reportId: number | null, known: number[] = []): Promise<FoundCompletion[]> {
  const report = reportId === null ? null : { id: reportId }
  return all(site.moodle.completedLearners(fire, report, new Set(known)))
}

describe('without a report', () => {
  test('everybody enrolled who is not known is asked about', async () => {
    site.on(askStatus, statusOf(3, 4))
    expect(await sweep(null, [4])).toEqual([completedBy(3)])
    expect(site.forms(askStatus).map((form) => form.get('userid'))).toEqual(['3', '5', '6'])
    expect(site.called()).not.toContain(readReport)
  })

  test('a learner who left meanwhile is passed over, and one with an odd error or no time is told', async () => {
    const undated = JSON.parse(moodleCapture('04-completion_status_after_activity_before_cron'))
    undated.completionstatus.completions[0].timecompleted = null
    site.on(askStatus, recorded('33-user-not-enrolled'), exception('oddtrouble'), json(200, undated), statusOf(6))
    expect(await sweep(null)).toEqual([
      { kind: 'failed', userId: 4, error: expect.any(MoodleRecordError) },
      { kind: 'undated', userId: 5 },
      completedBy(6),
    ])
  })

  test('a course without criteria ends it at the first learner, in words', async () => {
    site.on(askStatus, exception('nocriteriaset'))
    await expect(sweep(null)).rejects.toThrow(/no completion criteria: set them/)
    expect(site.forms(askStatus)).toHaveLength(1)
  })

  test.each<[string, Script, string]>([
    ['away', recordedPage('36-db-down'), 'MoodleAwayError'],
    ['refusing', recorded('30-invalidtoken'), 'MoodleRefusedError'],
  ])('a Moodle that is %s ends it: the learners after it are not done', async (_how, script, name) => {
    site.on(askStatus, statusOf(3), script)
    const given: FoundCompletion[] = []
    const reading = async () => {
      for await (const one of site.moodle.completedLearners(fire, null, new Set())) given.push(one)
    }
    await expect(reading()).rejects.toMatchObject({ name })
    expect(given).toEqual([completedBy(3)])
    expect(site.forms(askStatus)).toHaveLength(2)
  })
})

describe('with a report', () => {
  test('one page is read, and only learners whom it shows as further and who are new are asked about', async () => {
    site.on(readReport, recorded('45-retrieve_report'))
    site.on(askStatus, statusOf(3, 4))
    expect(await sweep(12, [3])).toEqual([completedBy(4)])
    expect(site.called()).toEqual([listEnrolled, readReport, askStatus])
    expect(Object.fromEntries(site.forms(readReport)[0] ?? [])).toMatchObject({
      reportid: '12',
      page: '0',
      perpage: '1000',
    })
  })

  test('its list is no proof: Moodle has the last word', async () => {
    site.on(readReport, recorded('45-retrieve_report'))
    site.on(askStatus, statusOf(4))
    expect(await sweep(12)).toEqual([completedBy(4)])
    expect(site.forms(askStatus)).toHaveLength(2)
  })

  test('it names who takes part, and in which column to look if told so', async () => {
    site.on(readReport, recorded('45-retrieve_report'))
    const given = await all(site.moodle.participants(fire, { id: 12, completedColumn: 9 }))
    expect(given.filter((each) => each.completed).map((each) => each.userId)).toEqual([3, 4])
    expect(given).toHaveLength(4)
  })

  test('pages are read until as many rows came as Moodle counts', async () => {
    const { details, data } = JSON.parse(moodleCapture('45-retrieve_report'))
    const pageOf = (from: number, to: number) =>
      json(200, { details, data: { ...data, rows: data.rows.slice(from, to) }, warnings: [] })
    site.on(readReport, pageOf(0, 5), pageOf(5, 10), pageOf(10, 11))
    site.on(askStatus, statusOf(3, 4))
    expect((await sweep(12)).map((each) => each.userId)).toEqual([3, 4])
    expect(site.forms(readReport).map((form) => form.get('page'))).toEqual(['0', '1', '2'])
  })

  test('an empty page ends it though Moodle counts more', async () => {
    site.on(readReport, json(200, { data: { headers: [], rows: [], totalrowcount: 11 } }))
    expect(await sweep(12)).toEqual([])
    expect(site.forms(readReport)).toHaveLength(1)
  })

  test('cells lose their entities and links before they are compared', async () => {
    const link = '<a href="https://lms.example/user/view.php?id=4&amp;course=2">O&#039;Neill</a>'
    site.on(listEnrolled, json(200, [{ ...enrolledUsers[1], firstname: null }]))
    site.on(readReport, json(200, { data: { rows: [{ columns: ['E-1002', link, null] }], totalrowcount: 1 } }))
    expect(await sweep(12)).toEqual([])
    expect(site.called()).toEqual([listEnrolled, readReport])
  })

  test('one that the account may not see is refused, and says where to look', async () => {
    site.on(readReport, exception('errorreportview'))
    await expect(sweep(12)).rejects.toThrow(/check the id of the report/)
  })

  test('one that breaks off gives nobody, rather than some', async () => {
    site.on(readReport, raw(200, '{"data":{"rows":['))
    await expect(sweep(12)).rejects.toMatchObject({ name: 'MoodleAwayError' })
    expect(site.forms(askStatus)).toEqual([])
  })
})
