// What `check` says about notices: it logs in to a real mail server and sends nothing.

import { describe, expect, test } from 'vitest'
import { parseFileSettings } from '#config/settings.ts'
import { checkSentence } from '#src/check/check-result.ts'
import { checkNotify } from '#src/extensions/notices/check/check-notify.ts'
import { systemClock } from '#src/platform/time/clock.ts'
import { openMailServer } from '#test/support/mail-server.ts'

const uuid = '11111111-1111-4111-8111-111111111111'
const pipeline = { course: uuid, template: uuid, badgeTemplate: uuid }

async function linesOf(notify?: object, pipelines: Record<string, object> = {}): Promise<string[]> {
  const file = parseFileSettings({ service: { environment: 'development' }, pipelines, ...(notify && { notify }) })
  const checks = await checkNotify({ settings: { file }, clock: systemClock })
  return checks.flatMap((check) => [
    `${check.ok ? 'ok' : 'FAULT'} ${check.name}: ${checkSentence(check)}`,
    ...(check.notices ?? []).map((notice) => `note ${notice}`),
  ])
}

const smtpOf = (port: number, more: object = {}) => ({
  host: '127.0.0.1',
  port,
  from: 'us@example.org',
  tls: 'none',
  ...more,
})
const ops = { email: ['ops@example.org'] }

test('nothing is checked without notices', async () => {
  expect(await linesOf()).toEqual([])
})

test('the mail server is asked for the connection and the login, and gets no message', async () => {
  await using server = await openMailServer({
    ...{ disabledCommands: ['STARTTLS'], authOptional: false, allowInsecureAuth: true },
    onAuth: ({ password }, _, callback) =>
      password === 'right' ? callback(null, { user: 'us' }) : callback(new Error('no')),
  })
  const login = (password: string) => ({ auth: 'password', user: 'us', password })
  expect(await linesOf({ smtp: smtpOf(server.port, login('right')), to: { ops } })).toEqual([
    'ok notify: the mail server 127.0.0.1 accepts the login, and `from` as the sender; the check sent nothing',
  ])
  const [refused] = await linesOf({ smtp: smtpOf(server.port, login('planted-wrong')), to: { ops } })
  expect(refused).toMatch(/^FAULT notify: the mail server 127\.0\.0\.1 refuses the login.*Check `user`/i)
  expect(refused).not.toContain('planted-wrong')
  expect((await linesOf({ smtp: smtpOf(server.port, { tls: 'starttls' }), to: { ops } }))[0]).toMatch(
    /^FAULT notify: the mail server 127\.0\.0\.1 does not offer STARTTLS/,
  )
  await server.stop()
  expect((await linesOf({ smtp: smtpOf(server.port), to: { ops } }))[0]).toMatch(/^FAULT notify: .* cannot be reached/)
  expect(server.received).toEqual([])
})

test('a mail server that needs, offers or lacks a login is not said to accept it', async () => {
  const offers = { disabledCommands: ['STARTTLS'], allowInsecureAuth: true }
  await using needing = await openMailServer({ ...offers, authOptional: false })
  expect(await linesOf({ smtp: smtpOf(needing.port), to: { ops } })).toEqual([
    expect.stringMatching(/^FAULT notify: the mail server 127\.0\.0\.1 needs a login\. Set `auth`/),
  ])
  await using offering = await openMailServer(offers)
  expect(await linesOf({ smtp: smtpOf(offering.port), to: { ops } })).toEqual([
    'ok notify: the mail server 127.0.0.1 accepts `from` as the sender; the check sent nothing',
    expect.stringMatching(/^note the server offers a login, and may need one.*`credsync notify --test`/),
  ])
  await using relay = await openMailServer()
  expect(await linesOf({ smtp: smtpOf(relay.port), to: { ops } })).toEqual([
    'ok notify: the mail server 127.0.0.1 accepts `from` as the sender; the check sent nothing',
  ])
  const login = { auth: 'password', user: 'us', password: 'planted' }
  expect(await linesOf({ smtp: smtpOf(relay.port, login), to: { ops } })).toEqual([
    'ok notify: the mail server 127.0.0.1 accepts `from` as the sender; the check sent nothing',
    expect.stringMatching(/^note `auth` has no effect, because the server offers no login/),
  ])
})

test('the addresses of hooks must look right, and a note names what nobody is notified of', async () => {
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
  const lines = await linesOf({
    to: {
      good: { slack: 'https://hooks.slack.com/services/T0/B0/planted', on: ['person', 'away', 'keys'] },
      cut: { slack: 'https://hooks.slack.com/services/T0/B0', on: ['refused'] },
      old: { teams: 'https://school.webhook.office.com/webhookb2/planted', on: ['missing'] },
      teams: { teams: 'https://prod-1.westeurope.logic.azure.com/workflows/planted', on: ['stuck'] },
      own: { webhook: 'https://alerts.example.org/planted', secret, on: ['summary'] },
    },
  })
  expect(lines).toEqual([
    'ok notify.to.good: messages to Slack go to hooks.slack.com; the check sent nothing, `credsync notify --test good` does',
    expect.stringMatching(
      /^FAULT notify\.to\.cut: the path at hooks\.slack\.com is not that of a Slack incoming webhook\. Copy/,
    ),
    expect.stringMatching(/^FAULT notify\.to\.old: this is the address of a connector.*Make a workflow/),
    expect.stringMatching(/^ok notify\.to\.teams: messages to Teams go to prod-1/),
    expect.stringMatching(/^ok notify\.to\.own: signed messages go to alerts\.example\.org/),
    'ok notify: 5 recipients',
    'note nobody is notified of: behind, erasure',
  ])
  expect(lines.join()).not.toContain('planted')
})

describe('a note names', () => {
  const slack = (change: object, path = 'B0') => ({ slack: `https://hooks.slack.com/services/T0/${path}/x`, ...change })
  const notesOf = async (to: object | null, pipelines: Record<string, object>) =>
    (await linesOf(to === null ? undefined : { to }, pipelines)).filter((line) => line.startsWith('note'))
  const spring = { spring: pipeline }
  const both = { spring: pipeline, autumn: pipeline, winter: pipeline }

  test('the pipelines of which nobody is notified, with the kinds', async () => {
    const ops = slack({ on: ['away', 'keys', 'behind', 'stuck', 'erasure'] })
    const office = slack({ on: ['person', 'refused', 'summary'], pipelines: ['spring'] }, 'B1')
    expect(await notesOf({ ops, office }, both)).toEqual([
      'note about autumn, winter, nobody is notified of: person, refused',
    ])
    expect(await notesOf({ ops, office }, spring)).toEqual([])
    // What concerns no pipeline reaches them whatever their pipelines are.
    expect(await notesOf({ office: { ...office, on: ['all'] } }, both)).toEqual([
      'note about autumn, winter, nobody is notified of: person, refused, behind, stuck',
    ])
  })

  test('what is expected although nobody is notified if it does not come', async () => {
    const expecting = { ...both, autumn: { ...pipeline, expect: { within: '7d' } } }
    const sentence =
      'note nobody is notified if what is expected of autumn does not come: add `missing` to a recipient, or remove `expect`'
    expect(await notesOf(null, expecting)).toEqual([sentence])
    const all = slack({ on: ['all'] })
    expect(await notesOf({ all }, expecting)).toEqual([])
    const others = slack({ on: ['person', 'refused', 'away', 'keys', 'behind', 'stuck', 'erasure'] })
    expect(await notesOf({ others }, expecting)).toEqual([sentence])
    const office = slack({ on: ['missing'], pipelines: ['spring'] }, 'B1')
    expect(await notesOf({ others, office }, expecting)).toEqual([sentence])
    expect(await notesOf({ others }, both)).toEqual([])
  })

  test('recipients of no pipeline, and two that reach the same address', async () => {
    const all = slack({ on: ['all'] })
    expect(await notesOf({ all, idle: slack({ pipelines: [] }, 'B1') }, spring)).toEqual([
      'note idle is notified of no pipeline, because its `pipelines` is empty: leave it out for all of them',
    ])
    expect(await notesOf({ all, again: slack({ on: ['keys'] }) }, spring)).toEqual([
      'note all and again reach the same address, which gets some notices twice',
    ])
    const [one, other] = [
      slack({ on: ['refused'], pipelines: ['spring'] }),
      slack({ on: ['refused'], pipelines: ['autumn'] }),
    ]
    expect(await notesOf({ all: slack({}, 'B1'), one, other }, both)).toEqual([])
    await using server = await openMailServer()
    const to = { ops, office: { email: ['registry@example.org', 'OPS@example.org'] } }
    expect(await linesOf({ smtp: smtpOf(server.port), to }, spring)).toContain(
      'note ops and office reach the same address, which gets some notices twice',
    )
  })
})
