// Which settings changes cause refused rows to be checked again.

import { expect, test } from 'vitest'
import { parseFileSettings } from '#config/settings.ts'
import type { Field } from '#src/domain/recipient/field.ts'
import { rulesHashOf } from '#src/extensions/lms/sync/rows-of-system.ts'

const uuid = '00000000-0000-4000-8000-000000000001'
const field = { displayName: 'Email', required: true } as Field

function hashWith(pipeline: object = {}, { fields = [field], course = '/course' } = {}): string {
  const system = {
    type: 'webhook',
    auth: { type: 'bearer', secret: 'a secret that no one guesses' },
    map: { learner: '/user', course },
  }
  const { pipelines, systems } = parseFileSettings({
    service: { environment: 'development' },
    systems: { shop: system },
    pipelines: {
      spring: {
        ...{ course: uuid, template: uuid, badgeTemplate: uuid, columns: { Email: 'email' } },
        source: { system: 'shop', course: 'SHOP-1' },
        ...pipeline,
      },
    },
  })
  const { spring } = pipelines
  const { shop } = systems
  if (!spring || shop?.type !== 'webhook') throw new Error('The settings lack the pipeline or the system.')
  return rulesHashOf(spring, fields, { mapping: shop.map })
}

const webhook = { to: 'webhook', url: 'https://we.example.org/', secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' }

test.each([
  ['the columns', hashWith({ columns: { Email: 'mail' } })],
  ['the field list', hashWith({}, { fields: [{ ...field, required: false }] })],
  ['the mapping of the events', hashWith({}, { course: '/other' })],
])('%s are part of the rules', (_, otherHash) => {
  expect(otherHash).not.toBe(hashWith())
})

test('the targets are not part of the rules', () => {
  expect(hashWith({ writeBack: [webhook], share: 2 })).toBe(hashWith())
})
