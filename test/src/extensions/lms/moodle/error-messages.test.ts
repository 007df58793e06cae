// What the errors of Moodle calls say to the operator, and what they mean for the caller.

import { describe, expect, test } from 'vitest'
import { classifyErrorCode } from '#src/extensions/lms/moodle/classify-error-code.ts'
import { MoodleAwayError, MoodleRecordError, MoodleRefusedError } from '#src/extensions/lms/moodle/moodle-error.ts'
import { capabilitiesFor, privileges, refusingCapabilitiesFor } from '#src/extensions/lms/moodle/privileges.ts'
import { systemFailureOf } from '#src/platform/http/lms-error.ts'

const findUsers = 'core_user_get_users_by_field'
const readReport = 'core_reportbuilder_retrieve_report'

describe('a site that is unavailable', () => {
  const later = 'Try again later; if the problem persists,'
  const redirected =
    "Check the url of the system, since redirects are not followed: the url must be the site's own address, with https if the site supports it"
  const appended = 'Check the url of the system, to which /webservice/rest/server.php is appended'
  test.each([
    ['HTTP 301', redirected],
    ['HTTP 404', appended],
    ['HTTP 405', appended],
    ['HTTP 410 without JSON', appended],
    [
      'HTTP 403',
      'Check that web services and the REST protocol are enabled in Moodle, and that no proxy or firewall in front of Moodle blocks the call',
    ],
    ['unexpected response at courses', `${later} compare the version of Moodle with the versions in the documentation`],
    ['ECONNREFUSED', `${later} check whether Moodle is running, being upgraded, or in maintenance mode`],
    ['no HTTP 404', `${later} check whether Moodle is running, being upgraded, or in maintenance mode`],
    ['no HTTP 403', `${later} check whether Moodle is running, being upgraded, or in maintenance mode`],
    ['no unexpected response', `${later} check whether Moodle is running, being upgraded, or in maintenance mode`],
    ['no HTTP 301', `${later} check whether Moodle is running, being upgraded, or in maintenance mode`],
  ])('gives the next step for %s', (seen, step) => {
    const error = new MoodleAwayError(findUsers, seen)
    expect(error.message).toBe(`Moodle sent no usable response to ${findUsers} (${seen}). ${step}.`)
    expect(error).toMatchObject({ name: 'MoodleAwayError', calledFunction: findUsers, errorcode: seen })
  })

  test.each([null, 7_000])('is tried again later, after the time that it names (%j)', (retryAfterMs) => {
    const error = new MoodleAwayError(findUsers, 'HTTP 503', retryAfterMs)
    expect(systemFailureOf(error)).toEqual({
      ...{ name: 'MoodleAwayError', kind: 'away', sentence: error.message },
      ...{ isOfCourse: false, code: 'HTTP 503', retryAfterMs },
    })
  })
})

describe('a record that Moodle rejects', () => {
  test.each([
    ['invalidrecord', 'The record no longer exists: check whether the course or the learner was deleted'],
    [
      'usernotenroled',
      'The learner is not, or is no longer, enrolled in the course; credentials that were issued stay issued',
    ],
    [
      'invalidparameter',
      'Moodle does not accept the format of a value: check the learner, the course and the field names',
    ],
    ['nocriteriaset', 'The course has no completion criteria: set them in the course, under "Course completion"'],
    ['severalmatch', 'More than one account has this ID number or e-mail address: give each account its own in Moodle'],
    ['severalcourses', 'More than one course has this ID number: give each course its own in Moodle'],
    [
      'noassignment',
      'The course shows no assignment with the configured ID number: check the ID number in the settings of the assignment',
    ],
    ['oddtrouble', 'Check the record in Moodle; other records are not affected'],
  ])('gives the next step for %s', (code, step) => {
    const error = new MoodleRecordError(findUsers, code)
    expect(error.message).toBe(`Moodle rejected this record at ${findUsers} (${code}). ${step}.`)
    expect(systemFailureOf(error)).toEqual({
      ...{ name: 'MoodleRecordError', kind: 'record', sentence: error.message },
      ...{ isOfCourse: true, code, retryAfterMs: null },
    })
  })

  test('may be a report that does not exist', () => {
    expect(new MoodleRecordError(readReport, 'invalidrecord').message).toBe(
      'Moodle has no report with this number (core_reportbuilder_retrieve_report, invalidrecord). Set `report` of the system to the number in the address of the report, such as 12 in …/reportbuilder/edit.php?id=12.',
    )
    expect(new MoodleRecordError(readReport, 'oddtrouble').message).toMatch(/^Moodle rejected this record/)
  })
})

describe('a call that Moodle refuses', () => {
  test.each([
    ['here', true],
    ['everywhere', false],
  ] as const)('%s waits for an operator', (reach, isOfCourse) => {
    const error = new MoodleRefusedError(findUsers, 'nopermissions', reach, 'do something')
    expect(error.message).toBe(`Moodle refuses ${findUsers} (nopermissions) until someone acts: do something.`)
    expect(systemFailureOf(error)).toEqual({
      ...{ name: 'MoodleRefusedError', kind: 'refused', sentence: error.message },
      ...{ isOfCourse, code: 'nopermissions', retryAfterMs: null },
    })
  })

  const exempt =
    'give the account of the token the authentication method "Web services authentication", which does not have this requirement, or sign in with the account once and do what Moodle asks for'
  test.each([
    ['wsaccessuserexpired', `the password of the account has expired; ${exempt}`],
    ['sitepolicynotagreed', `the account has not agreed to the site policy; ${exempt}`],
    ['servicenotavailable', 'enable the external service of the token'],
    ['enablewsdescription', 'enable web services and the REST protocol in the site administration'],
    ['missingrequiredcapability', 'give the role of the account the capability that the external service requires'],
    [
      'invalidtimedtoken',
      'the token has expired; create a new token for the account in Moodle, and replace the old one',
    ],
    [
      'wsaccessusersuspended',
      'the account of the token is suspended; enable the account of the token again, or create a token for another account',
    ],
  ])('everywhere because of %s says what to do', (code, advice) => {
    const error = classifyErrorCode(findUsers, code)
    expect(error).toMatchObject({ name: 'MoodleRefusedError', reach: 'everywhere' })
    expect(error.message).toBe(`Moodle refuses ${findUsers} (${code}) until someone acts: ${advice}.`)
  })

  const granted =
    "give the role of the token's account the capabilities that this function needs: webservice/rest:use, moodle/course:view, report/completion:view"
  test.each([
    ['nopermissions', granted],
    ['requireloginerror', granted],
    ['nopermissiontoviewgrades', granted],
    ['cannotviewreport', `enable completion tracking in the course, or ${granted}`],
    ['errorreportview', `check the id of the report and its audience, and ${granted}`],
    ['accessdenied', `allow moodle/site:accessallgroups in the role of the account, or ${granted}`],
    [
      'notshown',
      'what was written is not shown to the account; give its role the capabilities to see it: webservice/rest:use, moodle/course:view, report/completion:view, moodle/site:accessallgroups',
    ],
  ])('for one function because of %s names the capabilities of that function', (code, advice) => {
    const name = 'core_completion_get_course_completion_status'
    const error = classifyErrorCode(name, code)
    expect(error).toMatchObject({ name: 'MoodleRefusedError', reach: 'here' })
    expect(error.message).toBe(`Moodle refuses ${name} (${code}) until someone acts: ${advice}.`)
  })

  test.each([
    ['a'.repeat(60), 'a'.repeat(60)],
    ['a'.repeat(61), 'unnamed'],
    ['with space', 'unnamed'],
    ['nopermissions!', 'unnamed'],
    ['!nopermissions', 'unnamed'],
    ['', 'unnamed'],
  ])('with a code that is not one of Moodle’s is not repeated: %j', (code, safe) => {
    expect(classifyErrorCode(findUsers, code)).toMatchObject({ name: 'MoodleRecordError', errorcode: safe })
  })
})

describe('the capabilities of a function', () => {
  const general = ['webservice/rest:use', 'moodle/course:view']
  const seePeople = [
    'moodle/user:viewdetails',
    'moodle/user:viewalldetails',
    'moodle/site:viewfullnames',
    'moodle/course:useremail',
    'moodle/site:viewuseridentity',
  ]
  const groups = 'moodle/site:accessallgroups'

  test.each<[string, string[], string[]]>([
    ['core_webservice_get_site_info', [], []],
    ['core_course_get_courses_by_field', [], []],
    [
      'core_enrol_get_enrolled_users',
      ['moodle/course:viewparticipants', 'moodle/course:enrolreview'],
      [groups, ...seePeople],
    ],
    ['core_completion_get_course_completion_status', ['report/completion:view'], [groups]],
    [findUsers, [], seePeople],
    [readReport, ['moodle/reportbuilder:view', 'moodle/reportbuilder:viewall'], []],
    ['core_user_update_users', ['moodle/user:update'], []],
    ['mod_assign_save_grade', ['mod/assign:view', 'mod/assign:grade', 'moodle/grade:edit'], []],
    ['mod_assign_get_grades', ['mod/assign:view', 'mod/assign:viewgrades'], []],
    ['gradereport_user_get_grade_items', ['gradereport/user:view', 'moodle/grade:viewall'], []],
    ['an_unknown_function', [], []],
  ])('%s are those without which Moodle refuses it, and those without which it leaves something out', (...given) => {
    const [name, refusing, silent] = given
    expect(refusingCapabilitiesFor(name)).toBe([...general, ...refusing].join(', '))
    expect(capabilitiesFor(name)).toBe([...general, ...refusing, ...silent].join(', '))
  })

  test('are listed with what the function is needed for', () => {
    expect(privileges.map(({ name, part, neededFor }) => `${part}: ${name}, ${neededFor}`)).toEqual([
      'reading: core_webservice_get_site_info, checking what the token may call',
      'reading: core_course_get_courses_by_field, finding a course by its ID number',
      'reading: core_enrol_get_enrolled_users, listing the learners of a course',
      'reading: core_completion_get_course_completion_status, reading whether and when a learner completed a course',
      'reading: core_user_get_users_by_field, finding a learner, and reading profile fields back',
      'report: core_reportbuilder_retrieve_report, finding new completions with one call instead of one for each learner',
      'profile: core_user_update_users, writing the credential into profile fields',
      'assignment: mod_assign_save_grade, writing grade and comment into an assignment',
      'assignment: mod_assign_get_grades, reading the grade of an assignment back',
      'assignment: gradereport_user_get_grade_items, finding an assignment by its ID number, and reading its comment back',
    ])
  })
})
