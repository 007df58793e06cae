// The classification of every error response of a real Moodle, over a real connection.

import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { classifyErrorCode } from '#src/extensions/lms/moodle/classify-error-code.ts'
import {
  MoodleAwayError,
  MoodleError,
  MoodleRecordError,
  MoodleRefusedError,
} from '#src/extensions/lms/moodle/moodle-error.ts'
import { cutInBody, json, raw, resetBeforeAnswer, type Script, silence } from '#test/support/scripted-server.ts'
import {
  exception,
  openScriptedMoodle,
  plantedToken,
  recorded,
  recordedPage,
  type ScriptedMoodle,
} from './scripted-moodle.ts'

const findCourse = 'core_course_get_courses_by_field'
const xml = '<?xml version="1.0" encoding="UTF-8" ?>\n<RESPONSE><SINGLE><KEY name="courses"></KEY></SINGLE></RESPONSE>'

let site: ScriptedMoodle
beforeEach(async () => {
  site = await openScriptedMoodle()
})
afterEach(() => site.close())

async function failureOf(script: Script): Promise<MoodleError> {
  site.on(findCourse, script)
  return site.moodle.courseByIdnumber('CRS-FOOD-201').then(
    () => expect.unreachable('the call succeeded'),
    (error) => error,
  )
}

describe('Moodle is unavailable and retried later when', () => {
  test.each<[string, Script, string]>([
    ['it is in maintenance', recordedPage('35-maintenance'), 'HTTP 503'],
    ['its database is down, which it reports with HTTP 200', recordedPage('36-db-down'), 'dbconnectionfailed'],
    ['it is being upgraded', exception('upgraderunning'), 'upgraderunning'],
    ['it is in maintenance for web services only', exception('sitemaintenance'), 'sitemaintenance'],
    ['a gateway has no backend', raw(502, '<html>Bad Gateway</html>'), 'HTTP 502'],
    ['a gateway error is JSON', json(503, { exception: 'none', errorcode: 'invalidtoken' }), 'HTTP 503'],
    ['a gateway times out', raw(504, ''), 'HTTP 504'],
    ['the path is wrong', raw(404, '<html>Not found</html>'), 'HTTP 404 without JSON'],
    ['PHP crashed', raw(500, 'Fatal error'), 'HTTP 500 without JSON'],
    ['the response is XML', raw(200, xml, { 'content-type': 'text/xml' }), 'HTTP 200 without JSON'],
    ['its JSON is broken', raw(200, '{"courses":[{"id":3,'), 'HTTP 200 without JSON'],
    ['the response is empty', raw(200, ''), 'HTTP 200 without JSON'],
    ['another server responds with JSON', json(200, { ok: true }), 'unexpected response at courses'],
    [
      'a value has another type',
      json(200, { courses: [{ id: 'x', fullname: 'A', shortname: 'B' }] }),
      'unexpected response at courses.0.id',
    ],
    ['another server refuses with JSON', json(401, { message: 'who are you' }), 'HTTP 401'],
    ['it redirects', raw(301, '', { location: 'http://127.0.0.1:1/' }), 'HTTP 301 without JSON'],
    ['the connection is reset', resetBeforeAnswer, 'ECONNRESET'],
    ['the response is truncated', cutInBody, 'ECONNRESET'],
  ])('%s', async (_when, script, errorcode) => {
    const error = await failureOf(script)
    expect(error).toBeInstanceOf(MoodleAwayError)
    expect(error).toMatchObject({ calledFunction: findCourse, errorcode })
  })

  test('it is slower than the deadline', async () => {
    const slow = await openScriptedMoodle('', 50)
    slow.on(findCourse, silence)
    await expect(slow.moodle.courseByIdnumber('X')).rejects.toMatchObject({ errorcode: 'ETIMEDOUT' })
    await slow.close()
  })

  test('nothing is listening on its port', async () => {
    const closed = await openScriptedMoodle()
    await closed.close()
    const error = await closed.moodle.courseByIdnumber('X').catch((each) => each)
    expect(error).toBeInstanceOf(MoodleAwayError)
    expect(error.errorcode).toBe('ECONNREFUSED')
  })

  test('it limits the rate and states a delay', async () => {
    expect(await failureOf(raw(503, '', { 'retry-after': '120' }))).toMatchObject({
      failure: { retryAfterMs: 120_000 },
    })
    expect(await failureOf(raw(429, 'slow down', { 'retry-after': '7' }))).toMatchObject({
      failure: { retryAfterMs: 7_000 },
    })
    expect(await failureOf(raw(503, ''))).toMatchObject({ failure: { retryAfterMs: null } })
  })
})

/** Errors about the token's account, not about the learner in the request. */
const accountErrors: [string, RegExp][] = [
  ['wsaccessusersuspended', /account of the token is suspended/],
  ['wsaccessuserdeleted', /account of the token was deleted/],
  ['wsaccessuserunconfirmed', /confirm the account/],
  ['wsaccessuserexpired', /password of the account has expired/],
  ['wsaccessusernologin', /Web services authentication/],
  ['passwordisexpired', /password of the account has expired/],
  ['usernotconfirmed', /confirm the account/],
  ['forcepasswordchangenotice', /Force password change/],
  ['nopasswordchangeforced', /Force password change/],
  ['sitepolicynotagreed', /site policy/],
  ['usernotfullysetup', /required fields/],
]

describe('Moodle refuses, and the message says what to check, when', () => {
  test.each<[string, Script, string, string, RegExp]>([
    ['the token is unknown', recorded('30-invalidtoken'), 'invalidtoken', 'everywhere', /create a new token/],
    [
      'the function is not in the service',
      recorded('31-function-not-in-service'),
      'accessexception',
      'here',
      /add core_course_get_courses_by_field to the external service .*webservice\/rest:use/,
    ],
    ['a capability is missing', recorded('02-enrolled_users'), 'nopermissions', 'here', /moodle\/course:view/],
    [
      'the course is closed to the account',
      exception('requireloginerror'),
      'requireloginerror',
      'here',
      /moodle\/course:view/,
    ],
    ['the token has expired', exception('invalidtimedtoken'), 'invalidtimedtoken', 'everywhere', /expired/],
    ['our IP address is not allowed', exception('invalidiptoken'), 'invalidiptoken', 'everywhere', /IP restriction/],
    ['the account is not on the list', exception('usernotallowed'), 'usernotallowed', 'everywhere', /authorised users/],
    ['completion is off', exception('cannotviewreport'), 'cannotviewreport', 'here', /enable completion tracking/],
    ...accountErrors.map(([code, advice]): [string, Script, string, string, RegExp] => [
      `it reports ${code} for the account`,
      exception(code),
      code,
      'everywhere',
      advice,
    ]),
  ])('%s', async (_when, script, errorcode, reach, advice) => {
    const error = await failureOf(script)
    expect(error).toBeInstanceOf(MoodleRefusedError)
    expect(error).toMatchObject({
      errorcode,
      failure: { isOfCourse: reach === 'here' },
      calledFunction: findCourse,
    })
    expect(error.message).toContain(findCourse)
    expect(error.message).toMatch(advice)
  })

  test('the account may not list enrollments, with the missing capability', () => {
    expect(classifyErrorCode('core_enrol_get_enrolled_users', 'nopermissions').message).toContain(
      'moodle/course:enrolreview',
    )
  })

  test('it reports an account error as an error of the course, with all possible causes', () => {
    const { message } = classifyErrorCode('core_enrol_get_enrolled_users', 'errorcoursecontextnotvalid')
    for (const part of [
      'site policy',
      'change its password',
      'required profile fields',
      'hidden',
      'moodle/course:view',
    ])
      expect(message).toContain(part)
  })
})

describe('only one record is refused when', () => {
  test.each<[string, Script, string]>([
    ['the course is gone', recorded('32-no-such-course'), 'invalidrecord'],
    ['the learner is not enrolled', recorded('33-user-not-enrolled'), 'usernotenroled'],
    ['the learner left after completing', recorded('37-unenrolled-after-completion'), 'usernotenroled'],
    ['a value has the wrong form', recorded('34-invalid-param'), 'invalidparameter'],
    ['the course has no criteria', exception('nocriteriaset'), 'nocriteriaset'],
    ['a plugin defines its own code', exception('ownplugintrouble'), 'ownplugintrouble'],
    ['the code is the name of an object property in JavaScript', exception('constructor'), 'constructor'],
    ['an exception has no code', json(200, { exception: 'TypeError', message: 'x' }), 'unnamed'],
    [
      'an error status comes with an exception',
      json(400, { exception: 'x', errorcode: 'invalidrecord' }),
      'invalidrecord',
    ],
  ])('%s', async (_when, script, errorcode) => {
    const error = await failureOf(script)
    expect(error).toBeInstanceOf(MoodleRecordError)
    expect(error).toMatchObject({ errorcode, calledFunction: findCourse })
    expect(error.message).not.toContain('native code')
  })
})

describe('an error message', () => {
  test.each<[string, Script]>([
    ['an echoed code', exception(plantedToken)],
    ['debug text', exception('invalidrecord', { debuginfo: `SELECT ${plantedToken} ada@learners.example` })],
    ['a message', exception('invalidtoken', { message: `${plantedToken} ada@learners.example` })],
    ['a page', raw(500, `wstoken=${plantedToken} ada@learners.example`)],
    ['an unexpected shape', json(200, { courses: [{ id: plantedToken, 'ada@learners.example': 1 }] })],
    ['a redirect', raw(302, '', { location: `/login?wstoken=${plantedToken}` })],
  ])('never repeats the token or a person from %s', async (_from, script) => {
    const error = await failureOf(script)
    expect(error).toBeInstanceOf(MoodleError)
    const message = `${error.message} ${error.stack} ${JSON.stringify(error)} ${error.errorcode}`
    expect(message).not.toContain(plantedToken)
    expect(message).not.toContain('ada@learners.example')
  })
})
