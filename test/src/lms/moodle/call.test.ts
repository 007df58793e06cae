// The HTTP request of a call, which goes through the caller's rate limiter.

import { expect, test } from 'vitest'
import { encodeArguments } from '#src/lms/moodle/form-body.ts'
import { openScriptedMoodle, plantedToken, recorded } from './scripted-moodle.ts'

test('a call posts a form to the site’s REST server, with the token only in the body', async () => {
  const site = await openScriptedMoodle('/moodle/')
  site.on('core_course_get_courses_by_field', recorded('01b-courses_by_field_raw'))
  await site.moodle.courseByIdnumber('CRS-FOOD-201')
  expect(site.paths()).toEqual(['POST /moodle/webservice/rest/server.php'])
  expect(Object.fromEntries(site.forms('core_course_get_courses_by_field')[0] ?? [])).toEqual({
    wstoken: plantedToken,
    wsfunction: 'core_course_get_courses_by_field',
    moodlewsrestformat: 'json',
    moodlewssettingraw: '1',
    field: 'idnumber',
    value: 'CRS-FOOD-201',
  })
  await site.close()
})

test('every call waits at the gate', async () => {
  const site = await openScriptedMoodle()
  site.on('core_course_get_courses_by_field', recorded('01b-courses_by_field_raw'))
  await site.moodle.courseByIdnumber('A')
  await site.moodle.courseByIdnumber('B')
  await site.moodle.completion(1, 2).catch(() => null)
  expect(site.gatedCalls()).toBe(3)
  expect(site.calledFunctions()).toHaveLength(3)
  await site.close()
})

test('nested arguments become the brackets that PHP parses', () => {
  const fields = {
    users: [{ id: 3, customfields: [{ type: 'credurl', value: 'https://v.example/?a=1&b=ø' }] }],
    all: false,
    any: true,
  }
  expect([...new URLSearchParams(encodeArguments(fields))]).toEqual([
    ['users[0][id]', '3'],
    ['users[0][customfields][0][type]', 'credurl'],
    ['users[0][customfields][0][value]', 'https://v.example/?a=1&b=ø'],
    ['all', '0'],
    ['any', '1'],
  ])
})
