// Reads courses, learners and completions in the formats that a real Moodle returns.

import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { firstLearner } from '#src/extensions/lms/moodle/first-learner.ts'
import { whyLearnersAreHidden } from '#src/extensions/lms/moodle/hidden-learners.ts'
import { MoodleRecordError } from '#src/extensions/lms/moodle/moodle-error.ts'
import { moodleCapture } from '#test/support/moodle-captures.ts'
import { json, type Script } from '#test/support/scripted-server.ts'
import { exception, openScriptedMoodle, recorded, type ScriptedMoodle } from './scripted-moodle.ts'

const findCourse = 'core_course_get_courses_by_field'
const findUsers = 'core_user_get_users_by_field'
const listEnrolled = 'core_enrol_get_enrolled_users'
const readStatus = 'core_completion_get_course_completion_status'

const ada = {
  id: 3,
  idnumber: 'E-1001',
  username: 'ada',
  firstname: 'Ada',
  lastname: 'Lovelace',
  email: 'ada@learners.example',
}
const adasProfile = JSON.parse(moodleCapture('21-get_users_by_field_after'))[0]

let site: ScriptedMoodle
beforeEach(async () => {
  site = await openScriptedMoodle()
})
afterEach(() => site.close())

describe('a course', () => {
  test.each(['01-courses_by_field', '01b-courses_by_field_raw'])('has its name without entities (%s)', async (name) => {
    site.on(findCourse, recorded(name))
    expect(await site.moodle.courseByIdnumber('CRS-FOOD-201')).toEqual({
      id: 3,
      idnumber: 'CRS-FOOD-201',
      fullname: 'Food hygiene level 2 – Müller & Søn',
      shortname: 'FOOD201',
    })
  })

  test('that does not exist is null, and an empty ID number sends no request', async () => {
    site.on(findCourse, json(200, { courses: [], warnings: [] }))
    expect(await site.moodle.courseByIdnumber('NO-SUCH')).toBeNull()
    expect(await site.moodle.courseByIdnumber('')).toBeNull()
    expect(site.calledFunctions()).toHaveLength(1)
  })

  test('with an ambiguous ID number is an error', async () => {
    const { courses } = JSON.parse(moodleCapture('01b-courses_by_field_raw'))
    site.on(findCourse, json(200, { courses: [...courses, ...courses] }))
    await expect(site.moodle.courseByIdnumber('X')).rejects.toMatchObject({ errorcode: 'severalcourses' })
  })
})

test.each([
  [1, true],
  [0, false],
  [2, false],
  [null, false],
])('a course in the group mode %j has separate groups only if it is 1', async (groupmode, isSeparate) => {
  site.on(findCourse, json(200, { courses: [{ id: 3, fullname: 'A', shortname: 'B', groupmode }] }))
  expect(await site.moodle.courseByIdnumber('X')).toEqual({
    ...{ id: 3, idnumber: 'X', fullname: 'A', shortname: 'B' },
    ...(isSeparate && { separateGroups: true }),
  })
})

describe('an account that sees nobody', () => {
  test.each<[string, object[], boolean]>([
    ['sees others', [{ id: 1 }], true],
    ['sees only itself', [], false],
  ])('is found by asking for the accounts that every Moodle has: it %s', async (_, people, seesOthers) => {
    site.on(findUsers, json(200, people))
    expect(await site.moodle.seesOthers()).toBe(seesOthers)
    const form = site.forms(findUsers)[0]
    expect([form?.get('field'), form?.get('values[0]'), form?.get('values[1]')]).toEqual(['id', '1', '2'])
  })

  test.each<[boolean, boolean | undefined, number, string | null]>([
    [false, true, 0, 'others'],
    [true, true, 0, 'groups'],
    [true, true, 1, null],
    [true, false, 0, null],
    [true, undefined, 0, null],
  ])('(sees others: %j, separate groups: %j, people: %i) lacks the right to see %j', async (...given) => {
    const [seesOthers, separateGroups, people, hiddenBy] = given
    const course = separateGroups === undefined ? {} : { separateGroups }
    let counted = 0
    const countPeople = () => {
      counted++
      return people
    }
    const found = await whyLearnersAreHidden({ seesOthers: async () => seesOthers }, course, countPeople)
    expect(found).toBe(hiddenBy)
    expect(counted).toBe(seesOthers && separateGroups ? 1 : 0)
  })
})

describe('the first learner of a course', () => {
  const people = Array.from({ length: 25 }, (_, index) => ({ ...ada, id: index + 1 }))
  const search = async (kindOf: (id: number) => 'not-enrolled' | 'not-completed') => {
    const asked: number[] = []
    const found = await firstLearner(async (id) => {
      asked.push(id)
      return { kind: kindOf(id) }
    }, people)
    return { asked, found }
  }

  test('is the first one whose completion is tracked', async () => {
    const { asked, found } = await search((id) => (id === 3 ? 'not-completed' : 'not-enrolled'))
    expect(asked).toEqual([1, 2, 3])
    expect(found).toEqual({ learner: people[2], status: 'not-completed' })
  })

  test('is searched among twenty people at most', async () => {
    expect(await search((id) => (id === 21 ? 'not-completed' : 'not-enrolled'))).toEqual({
      asked: people.slice(0, 20).map(({ id }) => id),
      found: null,
    })
  })
})

describe('a learner', () => {
  test('is read by user id', async () => {
    site.on(findUsers, recorded('21-get_users_by_field_after'))
    expect(await site.moodle.learner(3)).toEqual(ada)
    expect(site.forms(findUsers)[0]?.get('field')).toBe('id')
    expect(site.forms(findUsers)[0]?.get('values[0]')).toBe('3')
  })

  test('that Moodle does not show is null, also if it shows another one', async () => {
    site.on(findUsers, json(200, []), recorded('21-get_users_by_field_after'))
    expect(await site.moodle.learner(99)).toBeNull()
    expect(await site.moodle.learner(99)).toBeNull()
  })

  test('may lack the fields that the account may not see', async () => {
    site.on(findUsers, json(200, [{ id: 3, fullname: 'Ada Lovelace', idnumber: '' }]))
    const hidden = { id: 3, idnumber: null, username: null, firstname: null, lastname: null, email: null }
    expect(await site.moodle.learner(3)).toEqual(hidden)
  })

  test('is found by ID number first, without other requests', async () => {
    site.on(findUsers, recorded('21-get_users_by_field_after'))
    expect(await site.moodle.findLearner({ idnumber: 'E-1001', id: 4, email: 'x@y.example' })).toEqual(ada)
    expect(site.forms(findUsers).map((form) => [form.get('field'), form.get('values[0]')])).toEqual([
      ['idnumber', 'E-1001'],
    ])
    expect(await site.moodle.findLearner({ id: 3 })).toEqual(ada)
  })

  test('is found by user id, then user name, then e-mail address if the previous searches find nobody', async () => {
    site.on(findUsers, json(200, []), json(200, []), json(200, []), recorded('21-get_users_by_field_after'))
    const query = { idnumber: 'E-9', id: 99, username: '99', email: 'ada@learners.example' }
    expect(await site.moodle.findLearner(query)).toEqual(ada)
    expect(site.forms(findUsers).map((form) => form.get('field'))).toEqual(['idnumber', 'id', 'username', 'email'])
  })

  test('is found by a user name, which Moodle stores in lower case', async () => {
    site.on(findUsers, recorded('21-get_users_by_field_after'))
    expect(await site.moodle.findLearner({ username: 'Ada' })).toEqual(ada)
    expect(site.forms(findUsers)[0]?.get('values[0]')).toBe('ada')
  })

  test('is found by an address in another case: the given and the lower-case spelling are requested in one call', async () => {
    // PostgreSQL compares case-sensitively, as the recorded Moodle did.
    site.on(findUsers, (seen, response, request) => {
      const values = [...new URLSearchParams(seen.body)]
        .filter(([name]) => name.startsWith('values'))
        .map((pair) => pair[1])
      json(200, values.includes('ada@learners.example') ? [adasProfile] : [])(seen, response, request)
    })
    expect(await site.moodle.findLearner({ email: ' ADA@learners.example ' })).toEqual(ada)
    expect(site.calledFunctions()).toHaveLength(1)
  })

  test('whose account has capitals is found by the address as given', async () => {
    const email = 'Ada@Learners.example'
    site.on(findUsers, json(200, [{ ...adasProfile, email }]))
    expect(await site.moodle.findLearner({ email })).toEqual({ ...ada, email })
  })

  test.each<[string, object, object]>([
    ['an ID number in another case', { idnumber: 'e-1001' }, adasProfile],
    ['a user name that only looks alike', { username: 'adá' }, adasProfile],
    ['an address that only looks alike', { email: 'adá@learners.example' }, adasProfile],
  ])('is not found by %s, although MySQL returns it', async (_what, query, shown) => {
    site.on(findUsers, json(200, [shown]))
    expect(await site.moodle.findLearner(query)).toBeNull()
  })

  test('with an ambiguous ID number is an error', async () => {
    site.on(findUsers, json(200, [adasProfile, { ...adasProfile, id: 4 }]))
    await expect(site.moodle.findLearner({ idnumber: 'E-1001' })).rejects.toMatchObject({ errorcode: 'severalmatch' })
  })

  test('without any identifier is not requested', async () => {
    expect(await site.moodle.findLearner({ idnumber: '', email: ' ' })).toBeNull()
    expect(await site.moodle.findLearner({})).toBeNull()
    expect(site.calledFunctions()).toEqual([])
  })
})

describe('enrolled learners', () => {
  test('are requested without inactive enrollments, and without their other courses', async () => {
    const soren = {
      id: 4,
      username: 'soren',
      firstname: 'Søren',
      lastname: 'O&#039;Neill',
      fullname: 'x',
      idnumber: 'R&amp;D-2',
    }
    site.on(listEnrolled, json(200, [{ ...adasProfile }, soren]))
    expect(await site.moodle.enrolledLearners(2)).toEqual([
      ada,
      { id: 4, idnumber: 'R&D-2', username: 'soren', firstname: 'Søren', lastname: "O'Neill", email: null },
    ])
    const form = Object.fromEntries(site.forms(listEnrolled)[0] ?? [])
    expect(form).toMatchObject({
      courseid: '2',
      'options[0][name]': 'onlyactive',
      'options[0][value]': '1',
      'options[1][name]': 'userfields',
      'options[1][value]': 'id,idnumber,username,firstname,lastname,email',
    })
  })

  test('cannot be listed without the capability to review enrollments, as recorded', async () => {
    site.on(listEnrolled, recorded('02-enrolled_users'))
    await expect(site.moodle.enrolledLearners(2)).rejects.toThrow(/moodle\/course:enrolreview/)
  })
})

describe('a completion', () => {
  const criteria = (completed: boolean, ...rows: [boolean, number | null][]): Script =>
    json(200, {
      completionstatus: {
        completed,
        aggregation: 1,
        completions: rows.map(([complete, timecompleted]) => ({ type: 4, title: 'x', complete, timecompleted })),
      },
      warnings: [],
    })

  test.each<[string, Script, object]>([
    ['not yet', recorded('03-completion_status_before'), { kind: 'not-completed' }],
    [
      'completed, before cron ran',
      recorded('04-completion_status_after_activity_before_cron'),
      { kind: 'completed', at: new Date('2026-11-21T00:02:57Z') },
    ],
    [
      'completed, and stays so when an activity is unticked',
      recorded('06-completion_after_unticking'),
      { kind: 'completed', at: new Date('2026-11-21T00:03:37Z') },
    ],
    ['never enrolled', recorded('33-user-not-enrolled'), { kind: 'not-enrolled' }],
    ['left after completing', recorded('37-unenrolled-after-completion'), { kind: 'not-enrolled' }],
    ['in a course without criteria', exception('nocriteriaset'), { kind: 'no-criteria' }],
    [
      'the latest of several criteria',
      criteria(true, [true, 1795219000], [true, 1795219377], [true, 1795219100]),
      { kind: 'completed', at: new Date(1795219377_000) },
    ],
    [
      'the latest of those that are complete, where one is enough',
      criteria(true, [true, 1795219000], [false, 1795219377]),
      { kind: 'completed', at: new Date(1795219000_000) },
    ],
    ['half done', criteria(false, [true, 1795219000], [false, null]), { kind: 'not-completed' }],
    ['complete without a time', criteria(true, [true, null]), { kind: 'undated' }],
    ['complete at zero', criteria(true, [true, 0]), { kind: 'undated' }],
    ['complete without criteria', criteria(true), { kind: 'undated' }],
  ])('is read: %s', async (_what, script, expected) => {
    site.on(readStatus, script)
    expect(await site.moodle.completion(2, 3)).toEqual(expected)
    expect(Object.fromEntries(site.forms(readStatus)[0] ?? [])).toMatchObject({ courseid: '2', userid: '3' })
  })

  test('of a deleted course is an error for this record', async () => {
    site.on(readStatus, recorded('32-no-such-course'))
    await expect(site.moodle.completion(9, 3)).rejects.toBeInstanceOf(MoodleRecordError)
  })
})
