// Finds one person under two identities within a file whose rows say by different fields who they are: one row by the e-mail address,
// another by the contact number. The ledger takes them for two people, and the report would then show two requests that fit both.

import { normaliseMatch } from '#src/issuance/identity.ts'
import { DigestIndex, digestOf } from '#src/recipients/digest-index.ts'
import { keyWithRole } from '#src/recipients/field-role.ts'
import type { Violation } from '#src/recipients/violation.ts'

type Recipient = Readonly<Record<string, string>>

export interface TwiceChecker {
  /** To be called once for each good row, in order. The first row of a person is taken; a later one under another identity is violated. */
  check(row: number, recipient: Recipient, identityHash: Buffer): Violation[]
}

const roles = ['email', 'phone'] as const

/**
 * Two rows with the same name and the same address or number are one person; of families that share a telephone the names tell them apart.
 * Only digests are kept.
 * @param nameFields display names of the fields for names
 */
export function onePersonTwice(nameFields: readonly string[]): TwiceChecker {
  const seen = new DigestIndex()
  return {
    check(row, recipient, identityHash) {
      const name = nameFields.map((field) => (recipient[field] ?? '').toLowerCase()).join('|')
      const owner = [identityHash.readUInt32BE(0), identityHash.readUInt32BE(4)] as const
      const keys = Object.keys(recipient)
      for (const role of roles) {
        const value = recipient[keyWithRole(keys, role) ?? '']
        const plain = value ? normaliseMatch(role, value) : ''
        if (plain === '') continue
        const first = seen.keepFirst(digestOf(`${role}|${plain}|${name}`), { row, owner })
        if (first && (first.owner[0] !== owner[0] || first.owner[1] !== owner[1])) return [twice(row, first.row)]
      }
      return []
    },
  }
}

function twice(row: number, first: number): Violation {
  const sentence = `The row names the same person as row ${first}, by another Primary Value. Take one of the two rows out, or give both the same Primary Value.`
  return { row, column: '', field: 'Primary Value', rule: 'person_twice', value: '', sentence }
}
