// Polls a course: finds learners with a new completion, and counts the calls to Moodle.

import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { FoundInMoodle } from '#src/extensions/lms/moodle/completed-learners.ts'
import { MoodleRecordError } from '#src/extensions/lms/moodle/moodle-error.ts'
import { moodleCapture } from '#test/support/moodle-captures.ts'
import { json, raw, type Script } from '#test/support/scripted-server.ts'
import { exception, openScriptedMoodle, recorded, recordedPage, type ScriptedMoodle } from './scripted-moodle.ts'

const listEnrolled = 'core_enrol_get_enrolled_users'
const readStatus = 'core_completion_get_course_completion_status'
const readReport = 'core_reportbuilder_retrieve_report'

const fire = { id: 2, idnumber: 'CRS-FIRE-101', fullname: 'Fire safety basics', shortname: 'FIRE101' }
const enrolledUsers = [
  { id: 3, username: 'ada', firstname: 'Ada', lastname: 'Lovelace', idnumber: 'E-1001' },
  { id: 4, username: 'soren', firstname: 'Søren', lastname: "O'Neill", idnumber: 'E-1002' },
  { id: 5, username: 'nguyen', firstname: 'Thị Ánh', lastname: 'Nguyễn', idnumber: 'E-1003' },
  { id: 6, username: 'noid', firstname: 'No', lastname: 'Idnumber', idnumber: '' },
].map((each) => ({ ...each, email: `${each.username}@learners.example` }))
const completedAt = new Date('2026-11-21T00:02:57Z')

/** The finding for a learner who has completed, with the data from the enrollment list. */
const completedBy = (userId: number): FoundInMoodle => {
  const learner = enrolledUsers.find(({ id }) => id === userId)
  if (!learner) throw new Error(`No one has the id ${userId}.`)
  return { kind: 'completed', userId, learner: { ...learner, idnumber: learner.idnumber || null }, at: completedAt }
}

/** Answers requests for the status: the learners with these user ids have completed. */
const completionsOf =
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

async function listOf<T>(given: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = []
  for await (const one of given) list.push(one)
  return list
}

async function poll(reportId: number | null, known: number[] = []): Promise<FoundInMoodle[]> {
  return listOf(site.moodle.completedLearners(fire, reportId, new Set(known)))
}

describe('without a report', () => {
  test('the status of every enrolled learner who is not known is requested', async () => {
    site.on(readStatus, completionsOf(3, 4))
    expect(await poll(null, [4])).toEqual([completedBy(3)])
    expect(site.forms(readStatus).map((form) => form.get('userid'))).toEqual(['3', '5', '6'])
    expect(site.calledFunctions()).not.toContain(readReport)
  })

  test('a learner who left in the meantime is skipped, and one with an unusual error or no time is reported', async () => {
    const undated = JSON.parse(moodleCapture('04-completion_status_after_activity_before_cron'))
    undated.completionstatus.completions[0].timecompleted = null
    site.on(readStatus, recorded('33-user-not-enrolled'), exception('oddtrouble'), json(200, undated), completionsOf(6))
    expect(await poll(null)).toEqual([
      { kind: 'failed', userId: 4, error: expect.any(MoodleRecordError) },
      { kind: 'undated', userId: 5 },
      completedBy(6),
    ])
  })

  test('a course without criteria ends the poll at the first learner, with an error message', async () => {
    site.on(readStatus, exception('nocriteriaset'))
    await expect(poll(null)).rejects.toThrow(/no completion criteria: set them/)
    await expect(poll(null)).rejects.toMatchObject({ calledFunction: readStatus, errorcode: 'nocriteriaset' })
    expect(site.forms(readStatus)).toHaveLength(2)
  })

  test.each<[string, Script, string]>([
    ['unavailable', recordedPage('36-db-down'), 'MoodleAwayError'],
    ['refusing', recorded('30-invalidtoken'), 'MoodleRefusedError'],
  ])('a Moodle site that is %s ends the poll, and later learners are not processed', async (_how, script, name) => {
    site.on(readStatus, completionsOf(3), script)
    const found: FoundInMoodle[] = []
    const reading = async () => {
      for await (const one of site.moodle.completedLearners(fire, null, new Set())) found.push(one)
    }
    await expect(reading()).rejects.toMatchObject({ name })
    expect(found).toEqual([completedBy(3)])
    expect(site.forms(readStatus)).toHaveLength(2)
  })
})

describe('with a report', () => {
  test('one page is read, and only the status of new learners who may have completed is requested', async () => {
    site.on(readReport, recorded('45-retrieve_report'))
    site.on(readStatus, completionsOf(3, 4))
    expect(await poll(12, [3])).toEqual([completedBy(4)])
    expect(site.calledFunctions()).toEqual([listEnrolled, readReport, readStatus])
    expect(Object.fromEntries(site.forms(readReport)[0] ?? [])).toMatchObject({
      reportid: '12',
      page: '0',
      perpage: '1000',
    })
  })

  test('the report is no proof: Moodle’s completion status is authoritative', async () => {
    site.on(readReport, recorded('45-retrieve_report'))
    site.on(readStatus, completionsOf(4))
    expect(await poll(12)).toEqual([completedBy(4)])
    expect(site.forms(readStatus)).toHaveLength(2)
  })

  test('pages are read until all rows that Moodle counts were received', async () => {
    const { details, data } = JSON.parse(moodleCapture('45-retrieve_report'))
    const pageOf = (from: number, to: number) =>
      json(200, { details, data: { ...data, rows: data.rows.slice(from, to) }, warnings: [] })
    site.on(readReport, pageOf(0, 5), pageOf(5, 10), pageOf(10, 11))
    site.on(readStatus, completionsOf(3, 4))
    expect(await poll(12)).toEqual([completedBy(3), completedBy(4)])
    expect(site.forms(readReport).map((form) => form.get('page'))).toEqual(['0', '1', '2'])
  })

  test('an empty page ends the list even if Moodle counts more rows', async () => {
    site.on(readReport, json(200, { data: { headers: [], rows: [], totalrowcount: 11 } }))
    site.on(readStatus, recorded('33-user-not-enrolled'))
    expect(await poll(12)).toEqual([])
    expect(site.forms(readReport)).toHaveLength(1)
  })

  test('a report that shows none of a course’s learners is itself reported', async () => {
    site.on(readReport, json(200, { data: { headers: [], rows: [], totalrowcount: 0 } }))
    site.on(readStatus, recorded('33-user-not-enrolled'), completionsOf(4))
    expect(await poll(12)).toEqual([{ kind: 'useless-report', people: 4 }])
    expect(site.forms(readStatus)).toHaveLength(2)
  })

  test('cells are compared without entities and links', async () => {
    const link = '<a href="https://lms.example/user/view.php?id=4&amp;course=2">O&#039;Neill</a>'
    site.on(listEnrolled, json(200, [{ ...enrolledUsers[1], firstname: null }]))
    site.on(readReport, json(200, { data: { rows: [{ columns: ['E-1002', link, null] }], totalrowcount: 1 } }))
    expect(await poll(12)).toEqual([])
    expect(site.calledFunctions()).toEqual([listEnrolled, readReport])
  })

  test('a report that the account may not see is refused, with advice on what to check', async () => {
    site.on(readReport, exception('errorreportview'))
    await expect(poll(12)).rejects.toThrow(/check the id of the report/)
  })

  test('a truncated report is an error, not a shorter list of learners', async () => {
    site.on(readReport, raw(200, '{"data":{"rows":['))
    await expect(poll(12)).rejects.toMatchObject({ name: 'MoodleAwayError' })
    expect(site.forms(readStatus)).toEqual([])
  })
})
