// Which changes have a refused row checked anew, and which do not.

import { expect, test } from 'vitest'
import { parseFileSettings } from '#config/settings.ts'
import { rulesOf } from '#src/learning/rules-of.ts'
import type { Field } from '#src/recipients/field.ts'

const uuid = '00000000-0000-4000-8000-000000000001'
const field = { displayName: 'Email', required: true } as Field

function rules(pipeline: object = {}, { fields = [field], course = '/course' } = {}): string {
  const system = {
    type: 'webhook',
    auth: { type: 'bearer', secret: 'a secret that nobody guesses' },
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
  if (!spring || shop?.type !== 'webhook') throw new Error('Both were given.')
  return rulesOf(spring, fields, { settings: shop })
}

const webhook = { to: 'webhook', url: 'https://we.example.org/', secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' }

test.each([
  ['the columns', rules({ columns: { Email: 'mail' } })],
  ['the field list', rules({}, { fields: [{ ...field, required: false }] })],
  ['the mapping of the events', rules({}, { course: '/other' })],
])('%s are part of the rules', (_, other) => {
  expect(other).not.toBe(rules())
})

test('whom outcomes are told to is not', () => {
  expect(rules({ writeBack: [webhook], share: 2 })).toBe(rules())
})
