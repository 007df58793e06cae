// The fingerprint of the settings: which differences change it.

import { expect, test } from 'vitest'
import { fingerprintOf } from '#config/fingerprint.ts'
import { parseFileSettings } from '#config/settings.ts'

const uuid = '00000000-0000-4000-8000-000000000001'
const pipeline = { course: uuid, template: uuid, badgeTemplate: uuid }
const fingerprint = (file: object = {}, baseUrl = 'https://api.example.org') =>
  fingerprintOf({
    baseUrl,
    file: parseFileSettings({ service: { environment: 'development' }, pipelines: { spring: pipeline }, ...file }),
  })

test('the order of settings, the log level and the web port do not change it', () => {
  const reversed = { pipelines: { spring: Object.fromEntries(Object.entries(pipeline).reverse()) } }
  expect(fingerprint()).toMatch(/^[0-9a-f]{64}$/)
  const equal = [fingerprint(reversed), fingerprint({ log: { level: 'debug' } }), fingerprint({ web: { port: 8081 } })]
  expect(equal).toEqual(Array(3).fill(fingerprint()))
})

test('any other difference changes it', () => {
  const others = [
    fingerprint({}, 'https://other.example.org'),
    fingerprint({ invitations: { canary: false } }),
    fingerprint({ pipelines: { spring: { ...pipeline, columns: { Email: 'mail' } } } }),
    fingerprint({ pipelines: { autumn: pipeline } }),
  ]
  expect(new Set([fingerprint(), ...others]).size).toBe(5)
})

test('a secret does not change it, but a system does whose name is that of a secret', () => {
  const moodle = (token: string) => ({ type: 'moodle', url: 'https://lms.example.edu', token })
  const withSystem = (name: string, token = 'a') => fingerprint({ systems: { [name]: moodle(token) } })
  expect(withSystem('campus', 'b')).toBe(withSystem('campus'))
  expect(withSystem('token')).not.toBe(fingerprint())
})
