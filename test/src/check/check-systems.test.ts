// What `check` tells of learning systems: a Moodle on the wire with its real manners, a platform, doors, and targets that are sent nothing.

import { generateKeyPairSync } from 'node:crypto'
import { afterEach, describe, expect, test } from 'vitest'
import { parseFileSettings } from '#config/settings.ts'
import { labelOf } from '#src/check/check.ts'
import { checkSystems } from '#src/check/check-systems.ts'
import { privileges } from '#src/moodle/privileges.ts'
import { type MoodleSandbox, openMoodleSandbox } from '#src/moodle-sandbox/open-moodle-sandbox.ts'
import type { MoodleSandboxSettings } from '#src/moodle-sandbox/settings.ts'
import { type Clock, systemClock } from '#src/time/clock.ts'
import { clientId, openPlatform, toolKey } from '#test/src/lti/platform.ts'

const uuid = '00000000-0000-4000-8000-000000000001'
const planted = 'planted-token-of-the-account'
const fields = { credid: 'credential', credurl: 'link' }
const everything = privileges.map(({ name }) => name)

const closing: MoodleSandbox[] = []
afterEach(() => Promise.all(closing.splice(0).map((each) => each.close())))

async function openSite(settings: Partial<MoodleSandboxSettings> = {}): Promise<MoodleSandbox> {
  const lms = await openMoodleSandbox({ reviewsEnrolments: true, ...settings }, systemClock)
  closing.push(lms)
  return lms
}

/** With a course FIRE-1 in which one learner is enrolled. */
async function openSiteWithCourse(settings: Partial<MoodleSandboxSettings> = {}) {
  const lms = await openSite(settings)
  const { id: course } = lms.addCourse({ idnumber: 'FIRE-1', shortname: 'FIRE', fullname: 'Fire safety' })
  const { id: ada } = lms.addLearner({ firstname: 'Ada', lastname: 'Lovelace', email: 'ada@example.org' })
  lms.enrol(ada, course)
  return { lms, course, ada }
}

const pipelineOf = (more: object) => ({ course: uuid, template: uuid, badgeTemplate: uuid, columns: {}, ...more })

/** A campus that is asked for FIRE-1 and told into profiles. */
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

async function look(
  file: object,
  { clock = systemClock, known = [] }: { clock?: Clock; known?: readonly number[] } = {},
) {
  const settings = parseFileSettings({ service: { environment: 'development' }, pipelines: {}, ...file })
  const checks = await checkSystems({
    settings: { file: settings },
    ledger: { completions: { known: async () => new Map(known.map((id) => [String(id), new Date(0)])) } },
    clock,
    around: { random: () => 0.5 },
  })
  return {
    checks,
    faults: checks.filter(({ ok }) => !ok),
    named: (name: string) => checks.filter((each) => each.name === name),
    text: JSON.stringify(checks.map(({ fault: _, ...shown }) => shown)),
  }
}

describe('a Moodle', () => {
  test('that is well is told of with its functions, its clock, its course and its fields, and is written nothing', async () => {
    const { lms } = await openSiteWithCourse({ functions: everything })
    const { checks, faults } = await look(campusFile(lms))
    expect(faults).toEqual([])
    expect(checks.map((check) => `${labelOf(check)}: ${check.name}`)).toEqual([
      'system campus: system',
      'system campus: system clock',
      'pipeline spring: system course',
      'pipeline spring: profile fields',
    ])
    expect(checks[0]?.what).toMatch(/^127\.0\.0\.1:\d+ takes the token, and lets it call 6 of the 6 functions/)
    expect(lms.journal().filter(({ kind }) => kind === 'wrote')).toEqual([])
  })

  test.each(privileges)(
    'whose service lacks $name is told which it is, what for, and with which rights',
    async (of) => {
      const { lms } = await openSiteWithCourse({ functions: everything.filter((name) => name !== of.name) })
      const writeBack = [
        { to: 'moodle-profile', system: 'campus', fields },
        { to: 'moodle-assignment', system: 'campus', assignment: 'cred' },
      ]
      const { faults } = await look(campusFile(lms, { report: 1 }, { writeBack }))
      const first = faults[0]
      expect(`${first?.what}. ${first?.remedy}`).toContain(of.name)
      if (of.name === 'core_webservice_get_site_info') return
      expect(first?.what).toContain(`needed for ${of.neededFor}`)
      for (const capability of of.capabilities) expect(first?.remedy).toContain(capability)
    },
  )

  test('is not asked for functions that nothing of the configuration needs', async () => {
    const { lms } = await openSiteWithCourse({
      functions: ['core_webservice_get_site_info', 'core_user_get_users_by_field', 'core_user_update_users'],
    })
    const told = { source: undefined, writeBack: [{ to: 'moodle-profile', system: 'campus', fields }] }
    expect((await look(campusFile(lms, {}, told))).faults).toEqual([])
  })

  test('that refuses the token is told of once, without the token, and with what was not asked', async () => {
    const { lms } = await openSiteWithCourse()
    const { checks, text } = await look(campusFile({ url: lms.url, token: planted }))
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

  test('in maintenance hides nothing of another one', async () => {
    const [down, well] = [await openSiteWithCourse(), await openSiteWithCourse()]
    down.lms.maintenance(true)
    const of = (lms: MoodleSandbox) => ({ type: 'moodle', url: lms.url, token: lms.token })
    const systems = { down: of(down.lms), well: of(well.lms) }
    const source = (system: string) => pipelineOf({ source: { system, course: 'FIRE-1' } })
    const { checks } = await look({ systems, pipelines: { one: source('down'), two: source('well') } })
    expect(checks.map(({ system, name, ok }) => [system, name, ok])).toEqual([
      ['down', 'system', false],
      ['well', 'system', true],
      ['well', 'system clock', true],
      ['well', 'system course', true],
    ])
    expect(checks[0]?.what).toContain('HTTP 503')
  })

  test('without the course, with a course without criteria, and with a role that may not list learners is told so', async () => {
    const { lms } = await openSiteWithCourse()
    lms.addCourse({ idnumber: 'EMPTY-1', shortname: 'EMPTY', fullname: 'Empty', criteria: [] })
    const { id } = lms.addLearner({ firstname: 'Alan', lastname: 'Turing', email: 'alan@example.org' })
    lms.enrol(id, 3)
    const of = (course: string) => ({ source: { system: 'campus', course }, writeBack: [] })
    const absent = await look(campusFile(lms, {}, of('NONE-1')))
    expect(absent.faults).toMatchObject([
      { pipeline: 'spring', what: expect.stringContaining('ID number NONE-1 (pipelines.spring.source.course)') },
    ])
    const empty = await look(campusFile(lms, {}, of('EMPTY-1')))
    expect(empty.faults).toMatchObject([{ what: expect.stringContaining('has no completion criteria') }])
    const unprivileged = (await openSiteWithCourse({ reviewsEnrolments: false })).lms
    const { faults } = await look(campusFile(unprivileged))
    expect(faults).toMatchObject([{ remedy: expect.stringContaining('moodle/course:enrolreview') }])
  })

  test('whose clock is another is told so', async () => {
    const { lms } = await openSiteWithCourse()
    const ahead: Clock = { ...systemClock, now: () => new Date(systemClock.now().getTime() + 600_000) }
    const { faults } = await look(campusFile(lms), { clock: ahead })
    expect(faults).toMatchObject([
      { name: 'system clock', what: expect.stringMatching(/(599|600|601) s ahead of that of the site/) },
    ])
  })

  test('shows profile fields only where they are filled, and of the others nothing is claimed', async () => {
    const { lms, ada } = await openSiteWithCourse()
    const fresh = await look(campusFile(lms), { known: [ada] })
    expect(fresh.named('profile fields')).toMatchObject([
      {
        ok: true,
        what: 'its profile fields show in no profile yet',
        notices: [expect.stringMatching(/^nothing can be known of credid, credurl:/)],
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
    const told = await look(campusFile(lms), { known: [ada] })
    expect(told.named('profile fields')).toMatchObject([
      { what: 'credid show in profiles', notices: [expect.stringMatching(/^nothing can be known of credurl:/)] },
    ])
  })
})

describe('a platform', () => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  const spki = publicKey.export({ type: 'spki', format: 'pem' }).toString()
  const platform = (lms: MoodleSandbox, more: object = {}) => ({
    systems: {
      gradebook: { type: 'lti', clientId: 'tool', tokenUrl: `${lms.url}/mod/lti/token.php`, privateKey: pem, ...more },
    },
  })

  test('that knows the tool gives a token', async () => {
    const lms = await openSite({ tool: { clientId: 'tool', publicKey: spki } })
    expect((await look(platform(lms))).checks).toMatchObject([{ system: 'gradebook', ok: true }])
  })

  test('that wants to be named otherwise than by its address is asked so', async () => {
    const wants = await openPlatform({ now: () => systemClock.now(), audience: 'https://api.platform.example' })
    const { tokenUrl } = wants
    const named = { clientId, tokenUrl, privateKey: toolKey.reveal(), audience: 'https://api.platform.example' }
    expect((await look({ systems: { gradebook: { type: 'lti', ...named } } })).checks).toMatchObject([{ ok: true }])
  })

  test.each([
    ['does not know the tool', { clientId: 'other' }, /gives this tool no token \(400, invalid_client\)/],
    ['has another address', { tokenUrl: 'http://lms.example/token' }, /begins with http:/],
    ['is told a key that is none', { privateKey: planted }, /The key for LTI is no private key in PEM/],
  ])('that %s is a fault, and shows no key', async (_, more, words) => {
    const lms = await openSite({ tool: { clientId: 'tool', publicKey: spki } })
    const { faults, text } = await look(platform(lms, more))
    expect(faults).toMatchObject([{ system: 'gradebook', what: expect.stringMatching(words) }])
    expect(text).not.toContain(planted)
  })
})

test('doors show the address that their sender is given', async () => {
  const systems = {
    hooks: { type: 'webhook', auth: { type: 'bearer', secret: planted }, map: { preset: 'moodle-webhook' } },
    statements: { type: 'xapi', user: 'lms', password: planted },
  }
  const { checks, text } = await look({ systems, web: { host: '0.0.0.0', port: 8081 } })
  expect(checks.map(({ what }) => what)).toEqual([
    'what it sends is taken at http://0.0.0.0:8081/events/hooks',
    'what it sends is taken at http://0.0.0.0:8081/xapi/statements',
  ])
  expect(text).not.toContain(planted)
  expect(checks.map(({ notices = [] }) => notices.some((each) => each.includes('homePage')))).toEqual([false, true])
  const named = { statements: { ...systems.statements, homePage: 'https://lms.example' } }
  expect((await look({ systems: named })).text).not.toContain('homePage')
  expect((await look({ systems, web: { port: 0 } })).checks[0]?.what).toContain('set web.port')
})

test('a door that looks at addresses alone is told of a proxy in front of it', async () => {
  const systems = {
    open: { type: 'webhook', auth: { type: 'none', allow: ['192.0.2.7'] }, map: { preset: 'moodle-webhook' } },
  }
  const notices = async (web: object) => (await look({ systems, web })).checks[0]?.notices
  expect(await notices({})).toEqual([expect.anything(), expect.stringContaining('web.trustedProxies')])
  expect(await notices({ trustedProxies: ['127.0.0.1'] })).toHaveLength(1)
})

test('pipelines that write one profile field of one Moodle are told of, and those of two are not', async () => {
  const to = (system: string, ...fields: string[]) =>
    pipelineOf({
      source: { system, course: 'FIRE-1' },
      writeBack: [{ to: 'moodle-profile', system, fields: Object.fromEntries(fields.map((each) => [each, 'link'])) }],
    })
  const pipelines = {
    spring: to('campus', 'credurl', 'springurl'),
    autumn: to('campus', 'credurl'),
    other: to('away', 'credurl'),
  }
  const { checks } = await look({ pipelines })
  expect(checks).toMatchObject([
    { name: 'profile fields', system: 'campus', ok: true, what: 'credurl is written by spring and autumn' },
  ])
  expect(checks[0]?.notices).toMatchObject([expect.stringContaining('profile fields of its own')])
})

test.each([
  ['https://receiver.example/in', `whsec_${Buffer.alloc(24, 7).toString('base64')}`, true, 'nothing was sent there'],
  ['http://receiver.example/in', `whsec_${Buffer.alloc(24, 7).toString('base64')}`, false, 'unencrypted'],
])('a target of webhooks at %s is looked at and sent nothing', async (url, secret, ok, words) => {
  const { checks, text } = await look({
    pipelines: { spring: pipelineOf({ writeBack: [{ to: 'webhook', url, secret }] }) },
  })
  expect(checks).toMatchObject([{ name: 'webhook', pipeline: 'spring', ok, what: expect.stringContaining(words) }])
  expect(text).not.toContain(secret)
})
