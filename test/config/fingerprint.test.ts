// The fingerprint of the settings: which differences change it.

import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { fingerprintOf } from '#config/fingerprint.ts'
import { parseFileSettings } from '#config/settings.ts'

const uuid = '00000000-0000-4000-8000-000000000001'
const pipeline = { course: uuid, template: uuid, badgeTemplate: uuid }
const secret = (letter: string) => `whsec_${letter.repeat(32)}`
const moodle = (more: object = {}) => ({
  campus: { type: 'moodle', url: 'https://moodle.example', token: 'one', ...more },
})
const hook = (more: object = {}) => ({ to: 'webhook', url: 'https://in.example', secret: secret('A'), ...more })
const mail = (more: object = {}) => ({
  ...{ host: 'smtp.example', from: 'a@example.org', auth: 'password', user: 'u', password: 'one', ...more },
})
const recipients = {
  ops: { email: ['ops@example.org'] },
  chat: { slack: 'https://hooks.example/one' },
  room: { teams: 'https://hooks.example/one' },
  watch: { webhook: 'https://hooks.example/one', secret: secret('A') },
}
/** Settings of every kind; `more` replaces some. */
const full = (more: object = {}) => ({
  systems: moodle(),
  pipelines: { spring: { ...pipeline, writeBack: [hook()] } },
  notify: { smtp: mail(), to: recipients },
  heartbeat: { url: 'https://beat.example/one' },
  ...more,
})

const withPipeline = (more: object) => full({ pipelines: { spring: { ...full().pipelines.spring, ...more } } })

function reversed(value: unknown): unknown {
  if (!value || typeof value !== 'object' || Array.isArray(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, each]) => [name, reversed(each)]),
  )
}

const fingerprint = (file: object = {}, baseUrl = 'https://api.example.org') =>
  fingerprintOf({
    baseUrl,
    file: parseFileSettings({ service: { environment: 'development' }, pipelines: { spring: pipeline }, ...file }),
  })

test('is a hash in hex, of all settings or of few', () => {
  for (const file of [{}, full()]) expect(fingerprint(file)).toMatch(/^[0-9a-f]{64}$/)
})

describe('does not change with', () => {
  test.each<[string, object]>([
    ['the order of settings', reversed(full()) as object],
    ['the log level', full({ log: { level: 'debug' } })],
    ['the web port', full({ web: { port: 8081 } })],
    ['the token of a system', full({ systems: moodle({ token: 'two' }) })],
    ['the secret of a target', withPipeline({ writeBack: [hook({ secret: secret('B') })] })],
    ['the address that is requested', full({ heartbeat: { url: 'https://beat.example/two' } })],
    ['the password of the mail server', full({ notify: { smtp: mail({ password: 'two' }), to: recipients } })],
    [
      'the addresses and secrets of hooks',
      full({
        notify: {
          smtp: mail(),
          to: {
            ...recipients,
            chat: { slack: 'https://hooks.example/two' },
            room: { teams: 'https://hooks.example/two' },
            watch: { webhook: 'https://hooks.example/two', secret: secret('B') },
          },
        },
      }),
    ],
  ])('%s', (_, file) => {
    expect(fingerprint(file)).toBe(fingerprint(full()))
  })
})

test('any other difference changes it', () => {
  const others = [
    fingerprint(),
    fingerprint(full(), 'https://other.example.org'),
    fingerprint(full({ invitations: { canary: false } })),
    fingerprint(withPipeline({ columns: { Email: 'mail' } })),
    fingerprint(full({ pipelines: { autumn: full().pipelines.spring } })),
    fingerprint(withPipeline({ writeBack: [hook({ url: 'https://b.example' })] })),
    fingerprint(withPipeline({ writeBack: [] })),
    fingerprint(full({ systems: moodle({ url: 'https://other.example' }) })),
    fingerprint(full({ systems: {} })),
    fingerprint(full({ notify: { smtp: mail({ host: 'other.example' }), to: recipients } })),
    fingerprint(full({ notify: { smtp: mail(), to: { ...recipients, ops: { email: ['other@example.org'] } } } })),
    fingerprint(full({ notify: { smtp: mail(), to: { ...recipients, other: recipients.chat } } })),
    fingerprint(full({ heartbeat: { url: 'https://beat.example/one', every: '1m' } })),
    fingerprint(full({ heartbeat: undefined })),
  ]
  expect(new Set([fingerprint(full()), ...others]).size).toBe(others.length + 1)
})

test.each(['password', 'clientSecret', 'refreshToken'])('the %s of a mail server does not change it', (name) => {
  const oauth2 = { auth: 'oauth2', password: undefined, clientId: 'c', tokenUrl: 'https://tokens.example' }
  const secrets = { clientSecret: 's', refreshToken: 'r' }
  const account = name === 'password' ? {} : { ...oauth2, ...secrets }
  const withSecret = (text: string) =>
    fingerprint(full({ notify: { smtp: mail({ ...account, [name]: text }), to: recipients } }))
  expect(withSecret('two')).toBe(withSecret('one'))
})

test('a secret does not change it, but a system does whose name is that of a secret', () => {
  const moodle = (token: string) => ({ type: 'moodle', url: 'https://lms.example.edu', token })
  const withSystem = (name: string, token = 'a') => fingerprint({ systems: { [name]: moodle(token) } })
  expect(withSystem('campus', 'b')).toBe(withSystem('campus'))
  expect(withSystem('token')).not.toBe(fingerprint())
})

test('the private key of a platform does not change it', () => {
  const platform = { type: 'lti', clientId: 'us', tokenUrl: 'https://lms.example.org/token' }
  const withNewKey = () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' })
    return fingerprint({ systems: { platform: { ...platform, privateKey: pem } } })
  }
  expect(withNewKey()).toBe(withNewKey())
})
