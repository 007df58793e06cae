// Whom a report item is taken for, and which of a person's items is the credential.

import { describe, expect, test } from 'vitest'
import type { RecipientReaderInput } from '#src/adopt/shown-recipient.ts'
import { identify } from '#src/issuance/person.ts'
import { aCourse, aRecipient, byPrimaryValue } from '#test/support/build.ts'
import { sandboxFields } from '#test/support/sandbox-fields.ts'
import { gathered, itemOf, readerFor, reading, someHasher } from './people.ts'

type Pipeline = Partial<RecipientReaderInput['pipeline']>
const read = (pipeline: Pipeline, item = itemOf(1), more: Partial<RecipientReaderInput> = {}) =>
  readerFor(someHasher, { ...more, pipeline: pipeline as RecipientReaderInput['pipeline'] }).read(item)

describe('a report item', () => {
  test('has the key that a list would give its person', () => {
    const shown = read({}, itemOf(1, { email_: ' Person.1@EXAMPLE.org ', reg_no: '000123' }))
    const { issuanceKey, matchHashes } = identify(aRecipient(1), aCourse, byPrimaryValue, someHasher)
    expect(shown).toMatchObject({
      issuanceKey,
      matchHashes,
      recipient: {
        Email: 'Person.1@EXAMPLE.org',
        'First Name': 'Ada1',
        'Register Number': '000123',
        'Primary Value': 'Email',
      },
    })
  })

  test.each<[string, Pipeline, Parameters<typeof itemOf>[1], string]>([
    [
      'an occasion that the report does not show',
      { occurrence: ['Program End Date'] },
      {},
      'does not show Program End Date',
    ],
    ['a Primary Value of each row', { columns: {} }, {}, 'set `identity`'],
    ['no address', {}, { email_: '' }, 'shows no Email'],
    ['no register number', { identity: ['Register Number'] }, { reg_no: null }, 'shows no Register Number'],
    [
      'a number that may have its dial code',
      { identity: ['Contact Number'] },
      { contact_number: '+49171' },
      '--plain-numbers',
    ],
  ])('with %s is matched to nobody, and says why', (_, pipeline, item, why) => {
    expect(read(pipeline, itemOf(1, item))).toEqual({ unmatched: expect.stringContaining(why) })
  })

  test('is matched by its number where somebody has looked how the report writes it', () => {
    const item = itemOf(1, { contact_number: '0171 000', email_: null })
    const byNumber = { identity: ['Contact Number'] }
    expect(read(byNumber, item, { plainNumbers: true })).toHaveProperty('issuanceKey')
    const echoes = [{ field: 'Contact Number', key: 'contact_number', match: 'exact' as const, searchable: null }]
    expect(read(byNumber, item, { echoes })).toHaveProperty('issuanceKey')
    const fields = sandboxFields.filter(({ displayName }) => displayName !== 'Dial code')
    expect(read(byNumber, item, { fields })).toHaveProperty('issuanceKey')
  })

  test('fills the field under which a probe saw it come back', () => {
    const echoes = [{ field: 'Birth Date', key: 'batch_name', match: 'exact' as const, searchable: null }]
    const item = { ...itemOf(1), batch_name: '1990-01-01' }
    expect(read({ occurrence: ['Birth Date'] }, item, { echoes })).toMatchObject({
      recipient: { 'Birth Date': '1990-01-01' },
    })
  })
})

describe('the items of one person', () => {
  const [revoked, open] = [{ revoked_date: '2026-03-02' }, { issued_status: 'Request inqueue', credential_id: null }]
  const day = (request_date: string) => ({ request_date })

  test.each([
    [
      'the newest of two that are issued',
      [itemOf(1, day('2026-01-01'), 1), itemOf(1, day('2026-02-01'), 2)],
      2,
      [1],
      [],
    ],
    [
      'an issued one before a newer one under way',
      [itemOf(1, { ...open, ...day('2026-03-01') }, 2), itemOf(1, day('2026-02-01'), 1)],
      1,
      [2],
      [],
    ],
    [
      'a valid one before a newer one that was revoked',
      [itemOf(1, { ...revoked, ...day('2026-03-01') }, 2), itemOf(1, {}, 1)],
      1,
      [],
      [2],
    ],
    ['one under way before one that was revoked', [itemOf(1, revoked, 1), itemOf(1, open, 2)], 2, [], [1]],
    [
      'one beside rejected and failed ones',
      [
        itemOf(1, { issued_status: 'Request rejected' }, 1),
        itemOf(1, { issued_status: 'Request failed' }, 2),
        itemOf(1, {}, 3),
      ],
      3,
      [],
      [2, 1],
    ],
  ])('give as the credential %s', async (_, items, credential, more, spent) => {
    const { people } = await gathered(items, someHasher)
    const turn = (item: { key: string }) => Number(item.key.split('-').at(-1))
    expect(people.map((person) => [turn(person.credential), person.more.map(turn), person.spent.map(turn)])).toEqual([
      [credential, more, spent],
    ])
  })

  test('make nobody known who was only rejected or failed, or whose status says nothing', async () => {
    const all = await gathered(
      [
        itemOf(1, { issued_status: 'Request rejected' }),
        itemOf(2, { issued_status: 'Request failed' }),
        itemOf(3, { issued_status: 'Request on the moon' }),
        itemOf(4, { issued_status: 'Request not requested' }),
      ],
      someHasher,
    )
    expect([all.people, all.rejected, all.failed, all.unread].map((each) => each.length)).toEqual([0, 1, 1, 2])
  })
})

describe('a reading of the report', () => {
  test('is complete when as many distinct items came as were promised, and not when moved rows hid others', async () => {
    const items = [itemOf(1), itemOf(2), itemOf(3)]
    expect((await reading(items, someHasher, { page: 2 })).complete).toBe(true)
    expect((await reading([itemOf(1), itemOf(2), itemOf(2)], someHasher, { page: 2 })).complete).toBe(false)
    expect((await reading(items, someHasher, { promised: 4 })).complete).toBe(false)
    // A request that came in while we read pushes an older one to the next page.
    expect((await reading([...items, itemOf(3)], someHasher, { page: 3, promised: 3 })).complete).toBe(true)
  })
})
