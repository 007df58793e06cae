// What `check` reports about learning systems: a realistic Moodle over HTTP, an LTI platform, endpoints, and targets,
// to which nothing is sent.

import { generateKeyPairSync } from 'node:crypto'
import { afterEach, describe, expect, test } from 'vitest'
import { parseFileSettings } from '#config/settings.ts'
import { type MoodleSandbox, openMoodleSandbox } from '#sandboxes/moodle/open-moodle-sandbox.ts'
import type { MoodleSandboxSettings } from '#sandboxes/moodle/settings.ts'
import { labelOf } from '#src/check/check-result.ts'
import { checkSystems } from '#src/extensions/lms/check/check-systems.ts'
import { privileges } from '#src/extensions/lms/moodle/privileges.ts'
import { systemClock } from '#src/platform/time/clock.ts'
import { clientId, openPlatform, toolKey } from '#test/src/extensions/lms/lti/lti-platform.ts'

const uuid = '00000000-0000-4000-8000-000000000001'
const planted = 'planted-token-of-the-account'
const fields = { credid: 'credential', credurl: 'link' }
const everything = privileges.map(({ name }) => name)

const sandboxesToClose: MoodleSandbox[] = []
afterEach(() => Promise.all(sandboxesToClose.splice(0).map((each) => each.close())))

async function openSite(settings: Partial<MoodleSandboxSettings> = {}): Promise<MoodleSandbox> {
  const lms = await openMoodleSandbox({ reviewsEnrollments: true, ...settings }, systemClock)
  sandboxesToClose.push(lms)
  return lms
}

/** Opens a site with a course FIRE-1 in which one learner is enrolled. */
async function openSiteWithCourse(settings: Partial<MoodleSandboxSettings> = {}) {
  const lms = await openSite(settings)
  const { id: course } = lms.addCourse({ idnumber: 'FIRE-1', shortname: 'FIRE', fullname: 'Fire safety' })
  const { id: ada } = lms.addLearner({ firstname: 'Ada', lastname: 'Lovelace', email: 'ada@example.org' })
  lms.enroll(ada, course)
  return { lms, course, ada }
}

const pipelineOf = (more: object) => ({
  course: uuid,
  template: uuid,
  badgeTemplate: uuid,
  columns: {},
  options: { publicLink: true },
  ...more,
})

/** A campus that is polled for FIRE-1 and gets deliveries in profiles. */
const campusFile = (lms: Pick<MoodleSandbox, 'url' | 'token'>, system: object = {}, pipeline: object = {}) => ({
  systems: { campus: { type: 'moodle', url: lms.url, token: lms.token, ...system } },
  pipelines: {
    spring: pipelineOf({
      source: { system: 'campus', course: 'FIRE-1' },
      writeBack: [{ to: 'moodle-profile', system: 'campus', fields }],
      ...pipeline,
    }),
  },
})

async function runCheck(file: object, { known = [] }: { known?: readonly number[] } = {}) {
  const settings = parseFileSettings({ service: { environment: 'development' }, pipelines: {}, ...file })
  const checks = await checkSystems({
    settings: { file: settings },
    ledger: { completions: { known: async () => new Map(known.map((id) => [String(id), new Date(0)])) } },
    clock: systemClock,
  })
  return {
    checks,
    faults: checks.filter(({ ok }) => !ok),
    named: (name: string) => checks.filter((check) => check.name === name),
    text: JSON.stringify(checks.map(({ fault: _, ...shown }) => shown)),
  }
}

describe('a Moodle site', () => {
  test('that works is listed with its functions, course and fields, and nothing is written to it', async () => {
    const { lms } = await openSiteWithCourse({ functions: everything })
    const { checks, faults } = await runCheck(campusFile(lms))
    expect(faults).toEqual([])
    expect(checks.map((check) => `${labelOf(check)}: ${check.name}`)).toEqual([
      'system campus: system',
      'pipeline spring: system course',
      'pipeline spring: profile fields',
    ])
    expect(checks[0]?.what).toMatch(/^127\.0\.0\.1:\d+ accepts the token, which may call 6 of the 6 functions/)
    expect(lms.journal().filter(({ kind }) => kind === 'wrote')).toEqual([])
  })

  test('may lack functions that the configuration does not need', async () => {
    const functions = privileges.flatMap(({ name, part }) => (part === 'reading' || part === 'profile' ? [name] : []))
    const { lms } = await openSiteWithCourse({ functions })
    expect((await runCheck(campusFile(lms))).faults).toEqual([])
  })

  test('that refuses the token is reported once, without the token, and with what could not be checked', async () => {
    const { lms } = await openSiteWithCourse()
    const { checks, text } = await runCheck(campusFile({ url: lms.url, token: planted }))
    expect(checks).toMatchObject([
      {
        name: 'system',
        ok: false,
        what: expect.stringContaining('invalidtoken'),
        notices: [expect.stringContaining('spring')],
      },
    ])
    expect(text).not.toContain(planted)
  })

  test('in maintenance does not prevent another one from being checked', async () => {
    const [down, working] = [await openSiteWithCourse(), await openSiteWithCourse()]
    down.lms.maintenance(true)
    const of = (lms: MoodleSandbox) => ({ type: 'moodle', url: lms.url, token: lms.token })
    const systems = { down: of(down.lms), well: of(working.lms) }
    const source = (system: string) => pipelineOf({ source: { system, course: 'FIRE-1' } })
    const { checks } = await runCheck({ systems, pipelines: { one: source('down'), two: source('well') } })
    expect(checks.map(({ system, name, ok }) => [system, name, ok])).toEqual([
      ['down', 'system', false],
      ['well', 'system', true],
      ['well', 'system course', true],
    ])
    expect(checks[0]?.what).toContain('HTTP 503')
  })

  test('is reported if it lacks the course, the course has no criteria, or the role may not list learners', async () => {
    const { lms } = await openSiteWithCourse()
    lms.addCourse({ idnumber: 'EMPTY-1', shortname: 'EMPTY', fullname: 'Empty', criteria: [] })
    const { id } = lms.addLearner({ firstname: 'Alan', lastname: 'Turing', email: 'alan@example.org' })
    lms.enroll(id, 3)
    const of = (course: string) => ({ source: { system: 'campus', course }, writeBack: [] })
    const absent = await runCheck(campusFile(lms, {}, of('NONE-1')))
    expect(absent.faults).toMatchObject([
      { pipeline: 'spring', what: expect.stringContaining('ID number NONE-1 (pipelines.spring.source.course)') },
    ])
    const empty = await runCheck(campusFile(lms, {}, of('EMPTY-1')))
    expect(empty.faults).toMatchObject([{ what: expect.stringContaining('has no completion criteria') }])
    const unprivileged = (await openSiteWithCourse({ reviewsEnrollments: false })).lms
    const { faults } = await runCheck(campusFile(unprivileged))
    expect(faults).toMatchObject([{ remedy: expect.stringContaining('moodle/course:enrolreview') }])
  })

  test('shows profile fields only where they are filled, so nothing is claimed about the others', async () => {
    const { lms, ada } = await openSiteWithCourse()
    const fresh = await runCheck(campusFile(lms), { known: [ada] })
    expect(fresh.named('profile fields')).toMatchObject([
      {
        ok: true,
        what: 'its profile fields show in no profile yet',
        notices: [expect.stringMatching(/^credid, credurl could not be checked:/)],
      },
    ])
    lms.addProfileField({ shortname: 'credid', name: 'Credential' })
    const body = new URLSearchParams({
      wstoken: lms.token,
      wsfunction: 'core_user_update_users',
      moodlewsrestformat: 'json',
      'users[0][id]': String(ada),
      'users[0][customfields][0][type]': 'credid',
      'users[0][customfields][0][value]': '1234-5678',
    })
    await fetch(`${lms.url}/webservice/rest/server.php`, { method: 'POST', body })
    const filled = await runCheck(campusFile(lms), { known: [ada] })
    expect(filled.named('profile fields')).toMatchObject([
      { what: 'credid show in profiles', notices: [expect.stringMatching(/^credurl could not be checked:/)] },
    ])
  })
})

describe('an LTI platform', () => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  const spki = publicKey.export({ type: 'spki', format: 'pem' }).toString()
  const platform = (lms: MoodleSandbox, more: object = {}) => ({
    systems: {
      gradebook: { type: 'lti', clientId: 'tool', tokenUrl: `${lms.url}/mod/lti/token.php`, privateKey: pem, ...more },
    },
  })

  test('that has registered the tool issues a token', async () => {
    const lms = await openSite({ tool: { clientId: 'tool', publicKey: spki } })
    expect((await runCheck(platform(lms))).checks).toMatchObject([{ system: 'gradebook', ok: true }])
  })

  test('that expects an audience other than its address is asked for a token with that audience', async () => {
    const openedPlatform = await openPlatform({
      now: () => systemClock.now(),
      audience: 'https://api.platform.example',
    })
    const { tokenUrl } = openedPlatform
    const named = { clientId, tokenUrl, privateKey: toolKey.reveal(), audience: 'https://api.platform.example' }
    expect((await runCheck({ systems: { gradebook: { type: 'lti', ...named } } })).checks).toMatchObject([{ ok: true }])
  })

  test('that does not know the tool is reported as a fault', async () => {
    const lms = await openSite({ tool: { clientId: 'tool', publicKey: spki } })
    const what = expect.stringMatching(/did not issue a token to this tool \(HTTP 400, invalid_client\)/)
    expect((await runCheck(platform(lms, { clientId: 'other' }))).faults).toMatchObject([{ system: 'gradebook', what }])
  })

  test.each([
    [{ tokenUrl: 'http://lms.example/token' }, /tokenUrl.* must begin with https/],
    [{ privateKey: planted }, /privateKey.* is not an RSA private key/],
  ])('with a faulty setting is refused, without the value (%#)', async (more, message) => {
    const lms = await openSite()
    const read = () =>
      parseFileSettings({ service: { environment: 'development' }, pipelines: {}, ...platform(lms, more) })
    expect(read).toThrow(message)
    expect(read).not.toThrow(planted)
  })
})

test('endpoints are shown with the address for their sender', async () => {
  const systems = {
    hooks: { type: 'webhook', auth: { type: 'bearer', secret: planted }, map: { preset: 'moodle-webhook' } },
    statements: { type: 'xapi', user: 'lms', password: planted },
  }
  const { checks, text } = await runCheck({ systems, web: { host: '0.0.0.0', port: 8081 } })
  expect(checks.map(({ what }) => what)).toEqual([
    'events are received at http://0.0.0.0:8081/events/hooks',
    'events are received at http://0.0.0.0:8081/xapi/statements',
  ])
  expect(text).not.toContain(planted)
  expect(checks.map(({ notices = [] }) => notices.some((notice) => notice.includes('homePage')))).toEqual([false, true])
  const named = { statements: { ...systems.statements, homePage: 'https://lms.example' } }
  expect((await runCheck({ systems: named })).text).not.toContain('homePage')
})

test('an endpoint that checks only addresses is reported if a proxy is in front of it', async () => {
  const systems = {
    open: { type: 'webhook', auth: { type: 'none', allow: ['192.0.2.7'] }, map: { preset: 'moodle-webhook' } },
  }
  const notices = async (web: object) => (await runCheck({ systems, web })).checks[0]?.notices
  const others = [expect.stringContaining('put a proxy in front'), expect.stringContaining('can issue nothing')]
  expect(await notices({})).toEqual([...others, expect.stringContaining('web.trustedProxies')])
  expect(await notices({ trustedProxies: ['127.0.0.1'] })).toEqual(others)
})

test('an endpoint whose events can issue nothing is mentioned, with what to set', async () => {
  const hook = { type: 'webhook', auth: { type: 'none', allow: ['192.0.2.7'] }, map: { preset: 'moodle-webhook' } }
  const notices = async (given: object) => (await runCheck(given)).checks[0]?.notices?.join()
  const useless = 'set `confirm` of hook to the system that has the courses, or name hook as the source of a pipeline'
  expect(await notices({ systems: { hook } })).toContain(useless)
  const source = { system: 'hook', course: 'FIRE-1' }
  expect(await notices({ systems: { hook }, pipelines: { spring: pipelineOf({ source }) } })).not.toContain(useless)
})

describe('a target that shows the public link', () => {
  const pipelineWith = (writeBack: object[], more: object = {}) => ({
    systems: {},
    pipelines: { spring: pipelineOf({ options: {}, writeBack, ...more }) },
  })
  const publicLinkChecks = async (file: object) => (await runCheck(file)).named('public link')

  test('is reported if its pipeline requests no public links, with a remedy', async () => {
    const systems = {
      campus: { type: 'moodle', url: 'http://127.0.0.1:9', token: 'x' },
      school: { type: 'canvas', url: 'http://127.0.0.1:9', token: 'x' },
    }
    const writeBack = [
      { to: 'moodle-profile', system: 'campus', fields },
      { to: 'canvas-columns', system: 'school', columns: { Link: 'link' } },
    ]
    const found = await publicLinkChecks({ ...pipelineWith(writeBack), systems })
    expect(found).toMatchObject([
      {
        ok: false,
        pipeline: 'spring',
        system: 'campus',
        what: expect.stringMatching(/^moodle-profile is to show the link/),
      },
      {
        ok: false,
        pipeline: 'spring',
        system: 'school',
        remedy: expect.stringContaining('options: { publicLink: true }'),
      },
    ])
    expect(await publicLinkChecks({ ...pipelineWith(writeBack, { options: { publicLink: true } }), systems })).toEqual(
      [],
    )
  })

  test('is not reported if it shows the link in a comment, or shows none', async () => {
    const systems = { campus: { type: 'moodle', url: 'http://127.0.0.1:9', token: 'x' } }
    const comment = { to: 'moodle-assignment', system: 'campus', assignment: 'CRED' }
    const id = { to: 'moodle-profile', system: 'campus', fields: { credid: 'credential' } }
    expect(await publicLinkChecks({ ...pipelineWith([comment, id]), systems })).toEqual([])
  })
})
