import { expect, test } from 'vitest'
import { fingerprintOf } from '#config/fingerprint.ts'
import { parseFileSettings } from '#config/settings.ts'

const uuid = '00000000-0000-4000-8000-000000000001'
const pipeline = { course: uuid, template: uuid, badgeTemplate: uuid }
const told = (file: object = {}, baseUrl = 'https://api.example.org') =>
  fingerprintOf({
    baseUrl,
    file: parseFileSettings({ service: { environment: 'development' }, pipelines: { spring: pipeline }, ...file }),
  })

test('the same settings in another order, with another level of the log or another port for the pages, are the same', () => {
  const turned = { pipelines: { spring: Object.fromEntries(Object.entries(pipeline).reverse()) } }
  expect(told()).toMatch(/^[0-9a-f]{64}$/)
  expect([told(turned), told({ log: { level: 'debug' } }), told({ web: { port: 8081 } })]).toEqual(
    Array(3).fill(told()),
  )
})

test('any other difference makes them others', () => {
  const others = [
    told({}, 'https://other.example.org'),
    told({ invitations: { canary: false } }),
    told({ pipelines: { spring: { ...pipeline, columns: { Email: 'mail' } } } }),
    told({ pipelines: { autumn: pipeline } }),
  ]
  expect(new Set([told(), ...others]).size).toBe(5)
})
