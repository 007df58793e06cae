// What each kind of answer makes of a call: every way in which a real Moodle fails, over a real connection.

import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { judgeErrorcode } from '#src/moodle/judge-errorcode.ts'
import { MoodleAwayError } from '#src/moodle/moodle-away-error.ts'
import { MoodleError } from '#src/moodle/moodle-error.ts'
import { MoodleRecordError } from '#src/moodle/moodle-record-error.ts'
import { MoodleRefusedError } from '#src/moodle/moodle-refused-error.ts'
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
    () => expect.unreachable('the call went well'),
    (error) => error,
  )
}

describe('Moodle is away, and is asked again later, when', () => {
  test.each<[string, Script, string]>([
    ['it is in maintenance', recordedPage('35-maintenance'), 'HTTP 503'],
    ['its database is down, which it says under HTTP 200', recordedPage('36-db-down'), 'dbconnectionfailed'],
    ['it is being upgraded', exception('upgraderunning'), 'upgraderunning'],
    ['it is in maintenance for web services only', exception('sitemaintenance'), 'sitemaintenance'],
    ['a gateway has nobody behind it', raw(502, '<html>Bad Gateway</html>'), 'HTTP 502'],
    ['a gateway says so in JSON', json(503, { exception: 'none', errorcode: 'invalidtoken' }), 'HTTP 503'],
    ['a gateway waited too long', raw(504, ''), 'HTTP 504'],
    ['the path is wrong', raw(404, '<html>Not found</html>'), 'HTTP 404 without JSON'],
    ['PHP broke', raw(500, 'Fatal error'), 'HTTP 500 without JSON'],
    ['it answers XML', raw(200, xml, { 'content-type': 'text/xml' }), 'HTTP 200 without JSON'],
    ['its JSON is broken', raw(200, '{"courses":[{"id":3,'), 'HTTP 200 without JSON'],
    ['its answer is empty', raw(200, ''), 'HTTP 200 without JSON'],
    ['something else answers in JSON', json(200, { ok: true }), 'unexpected answer at courses'],
    ['something else refuses in JSON', json(401, { message: 'who are you' }), 'HTTP 401'],
    ['it sends us elsewhere', raw(301, '', { location: 'http://127.0.0.1:1/' }), 'HTTP 301 without JSON'],
    ['the connection is reset', resetBeforeAnswer, 'ECONNRESET'],
    ['the answer is cut', cutInBody, 'ECONNRESET'],
  ])('%s', async (_when, script, seen) => {
    const error = await failureOf(script)
    expect(error).toBeInstanceOf(MoodleAwayError)
    expect(error).toMatchObject({ calledFunction: findCourse, errorcode: seen })
  })

  test('it is slower than the deadline', async () => {
    const slow = await openScriptedMoodle('', 50)
    slow.on(findCourse, silence)
    await expect(slow.moodle.courseByIdnumber('X')).rejects.toMatchObject({ errorcode: 'ETIMEDOUT' })
    await slow.close()
  })

  test('nobody listens', async () => {
    const gone = await openScriptedMoodle()
    await gone.close()
    const error = await gone.moodle.courseByIdnumber('X').catch((each) => each)
    expect(error).toBeInstanceOf(MoodleAwayError)
    expect(error.errorcode).toBe('ECONNREFUSED')
  })

  test('it asks for patience, and says for how long', async () => {
    expect(await failureOf(raw(503, '', { 'retry-after': '120' }))).toMatchObject({ retryAfterMs: 120_000 })
    expect(await failureOf(raw(429, 'slow down', { 'retry-after': '7' }))).toMatchObject({ retryAfterMs: 7_000 })
    expect(await failureOf(raw(503, ''))).toMatchObject({ retryAfterMs: null })
  })
})

describe('Moodle refuses, and a person is told what to check, when', () => {
  test.each<[string, Script, string, string, RegExp]>([
    ['the token is unknown', recorded('30-invalidtoken'), 'invalidtoken', 'everywhere', /make a new token/],
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
    ['we call from elsewhere', exception('invalidiptoken'), 'invalidiptoken', 'everywhere', /IP restriction/],
    ['the account is not on the list', exception('usernotallowed'), 'usernotallowed', 'everywhere', /authorised users/],
    ['completion is off', exception('cannotviewreport'), 'cannotviewreport', 'here', /enable completion tracking/],
  ])('%s', async (_when, script, errorcode, reach, advice) => {
    const error = await failureOf(script)
    expect(error).toBeInstanceOf(MoodleRefusedError)
    expect(error).toMatchObject({ errorcode, reach, calledFunction: findCourse })
    expect(error.message).toContain(findCourse)
    expect(error.message).toMatch(advice)
  })

  test('the list of the enrolled is closed: it names the capability that this function needs', () => {
    expect(judgeErrorcode('core_enrol_get_enrolled_users', 'nopermissions').message).toContain(
      'moodle/course:enrolreview',
    )
  })
})

describe('one record is refused, and the others go on, when', () => {
  test.each<[string, Script, string]>([
    ['the course is gone', recorded('32-no-such-course'), 'invalidrecord'],
    ['the learner is not enrolled', recorded('33-user-not-enrolled'), 'usernotenroled'],
    ['the learner left after completing', recorded('37-unenrolled-after-completion'), 'usernotenroled'],
    ['a value has the wrong form', recorded('34-invalid-param'), 'invalidparameter'],
    ['the course has no criteria', exception('nocriteriaset'), 'nocriteriaset'],
    ['a plugin has a code of its own', exception('ownplugintrouble'), 'ownplugintrouble'],
    ['the code is a word that JavaScript knows', exception('constructor'), 'constructor'],
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

describe('what an error says', () => {
  test.each<[string, Script]>([
    ['an echoed code', exception(plantedToken)],
    ['debug text', exception('invalidrecord', { debuginfo: `SELECT ${plantedToken} ada@learners.example` })],
    ['a message', exception('invalidtoken', { message: `${plantedToken} ada@learners.example` })],
    ['a page', raw(500, `wstoken=${plantedToken} ada@learners.example`)],
    ['a strange shape', json(200, { courses: [{ id: plantedToken, 'ada@learners.example': 1 }] })],
    ['a place to go', raw(302, '', { location: `/login?wstoken=${plantedToken}` })],
  ])('never repeats the token or a person from %s', async (_from, script) => {
    const error = await failureOf(script)
    expect(error).toBeInstanceOf(MoodleError)
    const said = `${error.message} ${error.stack} ${JSON.stringify(error)} ${error.errorcode}`
    expect(said).not.toContain(plantedToken)
    expect(said).not.toContain('ada@learners.example')
  })
})
