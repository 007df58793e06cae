// Who a statement says completed a course, as far as our systems are concerned.

import { expect, test } from 'vitest'
import { systemsSchema, type XapiSettings } from '#config/system-settings.ts'
import { readDelivery } from '#src/learning/read-delivery.ts'

function settingsOf(more: object): XapiSettings {
  const { lms } = systemsSchema.parse({ lms: { type: 'xapi', user: 'lms', password: 'x', ...more } })
  if (lms?.type !== 'xapi') throw new Error('It is of another type.')
  return lms
}

function read(actor: object, more: object = {}, timestamp?: string) {
  const statement = {
    actor,
    timestamp,
    verb: { id: 'http://adlnet.gov/expapi/verbs/completed' },
    object: { id: 'https://x.example/c', definition: { type: 'http://adlnet.gov/expapi/activities/course' } },
  }
  const { hints, problem } = readDelivery(settingsOf(more), {
    body: Buffer.from(JSON.stringify(statement)),
    arrivedAt: new Date('2026-01-02'),
  })
  return hints[0]?.learner ?? problem
}

const account = (homePage: string) => ({ account: { homePage, name: '3' } })
const mail = { mbox: 'mailto:ada@example.org' }

test('an account of one system is another person than the same name on another', () => {
  expect(read(account('https://a.example'))).toEqual({ id: 'https://a.example 3' })
  expect(read(account('https://b.example'))).toEqual({ id: 'https://b.example 3' })
  expect(read(account('https://a.example/'))).toEqual(read(account('https://a.example')))
})

test('a statement from before 1990 or days ahead is for a person, unless another system is asked when it was', () => {
  for (const timestamp of ['0001-01-01T00:00:00Z', '2996-01-02T00:00:00Z'])
    expect(read(mail, {}, timestamp)).toContain('before 1990, or days ahead')
  expect(read(mail, { confirm: 'campus' }, '2996-01-02T00:00:00Z')).toEqual({ email: 'ada@example.org' })
  expect(read(mail, {}, '2026-01-02T00:00:00Z')).toEqual({ email: 'ada@example.org' })
})

test.each<[string, object]>([
  ['the configuration names the system', { homePage: 'https://a.example/' }],
  ['a Moodle is asked', { confirm: 'campus' }],
])('the name of an account stands alone where %s', (_, more) => {
  expect(read(account('https://a.example'), more)).toEqual({ id: '3' })
})

test('accounts of other systems than the configured one count nothing, mail addresses do', () => {
  const homePage = 'https://a.example'
  expect(read(account('https://b.example'), { homePage })).toContain('`homePage`')
  expect(read(account('https://b.example'), { homePage, confirm: 'campus' })).toContain('`homePage`')
  expect(read(mail, { homePage })).toEqual({ email: 'ada@example.org' })
  expect(read(mail)).toEqual({ email: 'ada@example.org' })
})
