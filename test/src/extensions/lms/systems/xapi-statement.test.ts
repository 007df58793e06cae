// Reads from a statement who completed which course, according to the settings of the system.

import { expect, test } from 'vitest'
import { systemsSchema } from '#src/extensions/lms/settings/system-and-target-settings.ts'
import { readStatement, type StatementSettings } from '#src/extensions/lms/systems/xapi-statement.ts'

function settingsOf(changes: object): StatementSettings {
  const { lms } = systemsSchema.parse({ lms: { type: 'xapi', user: 'lms', password: 'x'.repeat(24), ...changes } })
  if (lms?.type !== 'xapi') throw new Error('The settings are of another type.')
  return lms
}

function read(actor: object, more: object = {}, timestamp?: string) {
  const statement = {
    actor,
    timestamp,
    verb: { id: 'http://adlnet.gov/expapi/verbs/completed' },
    object: { id: 'https://x.example/c', definition: { type: 'http://adlnet.gov/expapi/activities/course' } },
  }
  const { hints, problem } = readStatement(settingsOf(more), {
    body: Buffer.from(JSON.stringify(statement)),
    arrivedAt: new Date('2026-01-02'),
  })
  return hints[0]?.learner ?? problem
}

const account = (homePage: string) => ({ account: { homePage, name: '3' } })
const mail = { mbox: 'mailto:ada@example.org' }

test('equal account names on two systems are two different people', () => {
  expect(read(account('https://a.example'))).toEqual({ id: 'https://a.example 3' })
  expect(read(account('https://b.example'))).toEqual({ id: 'https://b.example 3' })
  expect(read(account('https://a.example/'))).toEqual(read(account('https://a.example')))
})

test('a statement dated before 1990 or days ahead needs an operator, unless another system confirms the date', () => {
  for (const timestamp of ['0001-01-01T00:00:00Z', '2996-01-02T00:00:00Z'])
    expect(read(mail, {}, timestamp)).toContain('before 1990 or more than a day in the future')
  expect(read(mail, { confirm: 'campus' }, '2996-01-02T00:00:00Z')).toEqual({ email: 'ada@example.org' })
  expect(read(mail, {}, '2026-01-02T00:00:00Z')).toEqual({ email: 'ada@example.org' })
})

test.each<[string, object]>([
  ['the settings name the system', { homePage: 'https://a.example/' }],
  ['a Moodle site confirms events', { confirm: 'campus' }],
])('the account name is used alone if %s', (_, more) => {
  expect(read(account('https://a.example'), more)).toEqual({ id: '3' })
})

test('accounts on systems other than the configured one do not count; e-mail addresses do', () => {
  const homePage = 'https://a.example'
  expect(read(account('https://b.example'), { homePage })).toContain('`homePage`')
  expect(read(account('https://b.example'), { homePage, confirm: 'campus' })).toContain('`homePage`')
  expect(read(mail, { homePage })).toEqual({ email: 'ada@example.org' })
  expect(read(mail)).toEqual({ email: 'ada@example.org' })
})
