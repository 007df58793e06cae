// The HTTP request of a call, which goes through the caller's rate limiter.

import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { encodeArguments, type MoodleCall, openMoodleCall } from '#src/extensions/lms/moodle/call.ts'
import type { LmsRequest } from '#src/platform/http/http-client.ts'
import { Secret } from '#src/platform/secret.ts'
import { systemClock } from '#src/platform/time/clock.ts'
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

describe('the request of a call', () => {
  async function requestsOf(url: string, ...calls: ((call: MoodleCall) => Promise<unknown>)[]): Promise<LmsRequest[]> {
    const requests: LmsRequest[] = []
    const call = openMoodleCall({
      ...{ url, token: new Secret(plantedToken), clock: systemClock, gate: (work) => work() },
      async send(request) {
        requests.push(request)
        return { kind: 'answer', status: 200, headers: {}, text: '{"ok":true}' }
      },
    })
    for (const each of calls) await each(call)
    return requests
  }
  const anything = z.unknown()

  test.each([
    ['https://moodle.example', 'https://moodle.example/webservice/rest/server.php'],
    ['https://moodle.example///', 'https://moodle.example/webservice/rest/server.php'],
    ['https://example.org/moodle/', 'https://example.org/moodle/webservice/rest/server.php'],
  ])('to the site %s goes to %s, and has its limits', async (url, address) => {
    const [short, long] = await requestsOf(
      url,
      (call) => call('a_function', {}, anything),
      (call) => call('a_function', {}, anything, 'long'),
    )
    expect(short).toEqual({
      ...{ method: 'POST', url: address, deadlineMs: 30_000, maxBytes: 4_194_304 },
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
      body: `moodlewssettingraw=1&wstoken=${plantedToken}&wsfunction=a_function&moodlewsrestformat=json`,
    })
    expect(long).toEqual({ ...short, deadlineMs: 180_000, maxBytes: 67_108_864 })
  })

  test('cannot replace the token or the function by an argument, but can replace a setting', async () => {
    const args = { moodlewssettingraw: false, wstoken: 'other', wsfunction: 'other', moodlewsrestformat: 'xml' }
    const [request] = await requestsOf('https://moodle.example', (call) => call('a_function', args, anything))
    expect(Object.fromEntries(new URLSearchParams(request?.body))).toEqual({
      ...{ moodlewssettingraw: '0', wstoken: plantedToken, wsfunction: 'a_function', moodlewsrestformat: 'json' },
    })
  })

  test.each<[z.ZodType, string]>([
    [z.object({ ok: z.string() }), 'unexpected response at ok'],
    [z.array(z.string()), 'unexpected response at the top level'],
  ])('whose response has another shape fails with the path', async (shape, errorcode) => {
    const called = requestsOf('https://moodle.example', (call) => call('a_function', {}, shape))
    await expect(called).rejects.toMatchObject({ name: 'MoodleAwayError', calledFunction: 'a_function', errorcode })
  })
})
