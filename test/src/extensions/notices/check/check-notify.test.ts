// What `check` says about notices: it logs in to a real mail server and sends nothing.

import { expect, test } from 'vitest'
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
    'ok notify: the mail server 127.0.0.1 answers and does not refuse the login; `credsync notify --test` sends a message',
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

test('a note names what nobody is notified of', async () => {
  const slack = (on: string[]) => ({ slack: 'https://hooks.slack.com/services/T0/B0/x', on })
  const some = slack(['person', 'refused', 'keys', 'stuck'])
  expect(await linesOf({ to: { some } }, { spring: pipeline })).toEqual([
    'ok notify: who is notified of what',
    'note nobody is notified of: away, behind, erasure',
  ])
  const expecting = { spring: { ...pipeline, expect: { within: '7d' } } }
  expect((await linesOf({ to: { some } }, expecting))[1]).toBe(
    'note nobody is notified of: missing, away, behind, erasure',
  )
  expect((await linesOf(undefined, expecting))[1]).toBe('note nobody is notified of: missing')
  expect(await linesOf({ to: { all: slack(['all']) } }, expecting)).toEqual([])
  const both = { ...expecting, autumn: pipeline }
  expect(await linesOf({ to: { all: { ...slack(['all']), pipelines: ['spring'] } } }, both)).toEqual([
    'ok notify: who is notified of what',
    'note nobody is notified of: person (autumn), refused (autumn), behind (autumn), stuck (autumn)',
  ])
})
