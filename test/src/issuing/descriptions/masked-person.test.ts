// A person behind a credential is recognized, and not named.

import { describe, expect, test } from 'vitest'
import { maskedItem, maskedPerson } from '#src/issuing/descriptions/masked-person.ts'
import { aRecipient, aReportItem } from '#test/support/domain-objects.ts'

describe('a person behind a credential', () => {
  test('is masked, both from the ledger and from the report', () => {
    const recipient = aRecipient(1)
    for (const shown of [maskedPerson(recipient), maskedItem(aReportItem(recipient))]) {
      expect(shown).toBe('p…@e….org, A… (4 characters), L… (8 characters)')
      for (const value of Object.values(recipient)) if (value !== 'Email') expect(shown).not.toContain(value)
    }
    expect(maskedPerson(null)).toContain('was removed')
  })
})
