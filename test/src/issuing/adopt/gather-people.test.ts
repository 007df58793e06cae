// Matching report items to people, choosing a person's credential among the items, and reading the report. Pure.

import { describe, expect, test } from 'vitest'
import { identify } from '#src/domain/credential/person-hashes.ts'
import type { RecipientReaderInput } from '#src/issuing/adopt/recipient-reader.ts'
import { aCourse, aRecipient, byPrimaryValue } from '#test/support/domain-objects.ts'
import { sandboxFields } from '#test/support/sandbox-fields.ts'
import { gatherItems, itemOf, readerFor, readItems, testHasher } from './adoption-helpers.ts'

type Pipeline = Partial<RecipientReaderInput['pipeline']>
const read = (pipeline: Pipeline, item = itemOf(1), more: Partial<RecipientReaderInput> = {}) =>
  readerFor(testHasher, { ...more, pipeline: pipeline as RecipientReaderInput['pipeline'] }).read(item)

describe('a report item', () => {
  test('has the same issuance key as a row of a list for this person', () => {
    const shown = read({}, itemOf(1, { email_: ' Person.1@EXAMPLE.org ', reg_no: '000123' }))
    const { issuanceKey, matchHashes } = identify(aRecipient(1), aCourse, byPrimaryValue, testHasher)
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
    ['a Primary Value that differs between rows', { columns: {} }, {}, 'set `identity`'],
    ['no address', {}, { email_: '' }, 'shows no Email'],
    ['no register number', { identity: ['Register Number'] }, { reg_no: null }, 'shows no Register Number'],
    [
      'a number that may have its dial code',
      { identity: ['Contact Number'] },
      { contact_number: '+49171' },
      '--plain-numbers',
    ],
  ])('with %s matches no one, and the reason is given', (_, pipeline, item, why) => {
    expect(read(pipeline, itemOf(1, item))).toEqual({ unmatched: expect.stringContaining(why) })
  })

  test('is matched by its phone number if the format in the report is known', () => {
    const item = itemOf(1, { contact_number: '0171 000', email_: null })
    const byNumber = { identity: ['Contact Number'] }
    expect(read(byNumber, item, { plainNumbers: true })).toHaveProperty('issuanceKey')
    const echoes = [{ field: 'Contact Number', key: 'contact_number', match: 'exact' as const, searchable: null }]
    expect(read(byNumber, item, { echoes })).toHaveProperty('issuanceKey')
    const fields = sandboxFields.filter(({ displayName }) => displayName !== 'Dial code')
    expect(read(byNumber, item, { fields })).toHaveProperty('issuanceKey')
  })

  test('fills the field that a probe matched to its key', () => {
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
    ['the newer of two issued items', [itemOf(1, day('2026-01-01'), 1), itemOf(1, day('2026-02-01'), 2)], 2, [1], []],
    [
      'an issued item rather than a newer one in progress',
      [itemOf(1, { ...open, ...day('2026-03-01') }, 2), itemOf(1, day('2026-02-01'), 1)],
      1,
      [2],
      [],
    ],
    [
      'a valid item rather than a newer revoked one',
      [itemOf(1, { ...revoked, ...day('2026-03-01') }, 2), itemOf(1, {}, 1)],
      1,
      [],
      [2],
    ],
    ['an item in progress rather than a revoked one', [itemOf(1, revoked, 1), itemOf(1, open, 2)], 2, [], [1]],
    [
      'the issued item rather than rejected and failed ones',
      [
        itemOf(1, { issued_status: 'Request rejected' }, 1),
        itemOf(1, { issued_status: 'Request failed' }, 2),
        itemOf(1, {}, 3),
      ],
      3,
      [],
      [2, 1],
    ],
  ])('have as their credential %s', async (_, items, credential, more, spent) => {
    const { people } = await gatherItems(items, testHasher)
    const versionOf = (item: { key: string }) => Number(item.key.split('-').at(-1))
    expect(
      people.map((person) => [versionOf(person.credential), person.more.map(versionOf), person.spent.map(versionOf)]),
    ).toEqual([[credential, more, spent]])
  })

  test('do not make known a person who was only rejected or failed, or whose status is unknown', async () => {
    const all = await gatherItems(
      [
        itemOf(1, { issued_status: 'Request rejected' }),
        itemOf(2, { issued_status: 'Request failed' }),
        itemOf(3, { issued_status: 'Request on the moon' }),
        itemOf(4, { issued_status: 'Request not requested' }),
      ],
      testHasher,
    )
    expect([all.people, all.rejected, all.failed, all.unread].map((each) => each.length)).toEqual([0, 1, 1, 2])
  })
})

describe('a scan of the report', () => {
  test('is complete if it has as many distinct items as the service counted, and incomplete if moving items hid others', async () => {
    const items = [itemOf(1), itemOf(2), itemOf(3)]
    expect((await readItems(items, testHasher, { pageSize: 2 })).complete).toBe(true)
    expect((await readItems([itemOf(1), itemOf(2), itemOf(2)], testHasher, { pageSize: 2 })).complete).toBe(false)
    expect((await readItems(items, testHasher, { filteredRecords: 4 })).complete).toBe(false)
    // A request that arrived during the scan pushes an older one to the next page.
    expect((await readItems([...items, itemOf(3)], testHasher, { pageSize: 3, filteredRecords: 3 })).complete).toBe(
      true,
    )
  })
})
