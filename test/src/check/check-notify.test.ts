// What `check` says about notices: it logs in to a real mail server and sends nothing.

import { expect, test } from 'vitest'
import { parseFileSettings } from '#config/settings.ts'
import { checkNotify } from '#src/check/check-notify.ts'
import { checkSentence } from '#src/check/check-result.ts'
import { systemClock } from '#src/platform/time/clock.ts'
import { openMailServer } from '#test/support/mail-server.ts'

async function linesOf(notify?: object): Promise<string[]> {
  const file = parseFileSettings({ service: { environment: 'development' }, pipelines: {}, ...(notify && { notify }) })
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
    'note nobody is notified of: behind',
  ])
  expect(lines.join()).not.toContain('planted')
})
