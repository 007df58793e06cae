// Which bodies of events may be deleted for one person: those that name somebody else are shared.

import { expect, test } from 'vitest'
import { peopleInEvent, valuesInEvents } from '#src/extensions/privacy/ledger/people-in-event.ts'

const ada = {
  learners: new Set(['17']),
  values: valuesInEvents(
    [{ Email: 'Ada@example.org', 'First Name': 'Ada' }],
    [{ username: 'ada.1815', idnumber: 'S-77' }],
  ),
}
const statement = (actor: object) => ({
  actor,
  verb: { id: 'https://verbs/completed' },
  object: { id: 'https://lms/course/17' },
})

test.each<[what: string, body: unknown, found: string]>([
  ['her user id', { userid: '17', relateduserid: 17, courseid: '3' }, 'alone'],
  ['a user id like a course', { userid: '18', courseid: '17' }, 'nobody'],
  ['a teacher who acts', { userid: '2', relateduserid: '17' }, 'shared'],
  ['her address', { data: { email: 'ADA@EXAMPLE.ORG' } }, 'alone'],
  ['her address in a sentence beside another one', { text: 'ada@example.org to bea@example.org' }, 'shared'],
  ['her user name', { user: { login: 'ada.1815' } }, 'alone'],
  ['an object about her', { user: { id: 17 }, course: { id: 3 } }, 'alone'],
  ['an object about someone else', { user: { id: 18 }, course: { id: 17 } }, 'nobody'],
  ['her account', statement({ account: { homePage: 'https://lms', name: '17' } }), 'alone'],
  [
    'her mailbox, stored by a sender',
    { ...statement({ mbox: 'mailto:ada@example.org' }), authority: { account: { name: 'lms' } } },
    'alone',
  ],
  ['her mailbox', statement({ mbox: 'mailto:ada@example.org' }), 'alone'],
  ['somebody else and a course with her number', statement({ mbox: 'mailto:bea@example.org' }), 'nobody'],
  ['several people', [{ userid: '17' }, { userid: '18' }], 'shared'],
  ['her mailbox and name', statement({ mbox: 'mailto:ada@example.org', name: 'Ada King' }), 'alone'],
  [
    'her teacher',
    { ...statement({ mbox: 'mailto:ada@example.org' }), context: { instructor: { mbox: 'mailto:b@example.org' } } },
    'shared',
  ],
  ['nothing', {}, 'nobody'],
])('an event with %s', (_, body, found) => {
  expect(peopleInEvent(Buffer.from(JSON.stringify(body)), ada)).toBe(found)
})

test.each([
  ['user=ada@example.org&course=3', 'shared'],
  ['idnumber=s-77', 'shared'],
  ['user=bea@example.org', 'nobody'],
])('text of an unknown form may name others: %s', (body, found) => {
  expect(peopleInEvent(Buffer.from(body), ada)).toBe(found)
})

test('a body that is nested without end is left', () => {
  expect(peopleInEvent(Buffer.from('['.repeat(5_000) + ']'.repeat(5_000)), ada)).toBe('nobody')
})
