// The people of the generated lists, and what the report shows about them. Those from number 6 on are identified by
// telephone number, which matches with and without its dial code; a row whose e-mail address is in capitals is
// identified by that address instead.

import type { IdentityRule } from '#src/domain/credential/person-hashes.ts'
import type { ItemAsShown } from '#src/issuing/reconcile/read-report-item.ts'
import { aRecipient, aReportItem, type Recipient } from '#test/support/domain-objects.ts'
import type { Item, PersonRow } from './ledger-commands.ts'
import { epoch } from './side.ts'

/** A second term is a second credential of the same person, and the report cannot tell the two apart. */
export const byTerm: IdentityRule = { identity: [], occurrence: ['Term'], correlation: null }

export function recipientOf({ person, term, name, shout, grade }: PersonRow): Recipient {
  const recipient = aRecipient(person, { Term: String(term) })
  if (name > 0) recipient['First Name'] = `Other${name}`
  if (grade > 0) recipient.Grade = `Grade ${grade}`
  if (shout) recipient.Email = recipient.Email?.toUpperCase() ?? ''
  if (person < 6) return recipient
  return { ...recipient, ...phoneOf(person), 'Primary Value': shout ? 'Email' : 'Contact Number' }
}

function phoneOf(person: number): Recipient {
  return { 'Contact Number': `0171 55500${person}`, 'Dial code': '+49' }
}

export function itemShown(item: Item): ItemAsShown {
  const { person, entity } = item
  const day = item.day === null ? null : new Date(epoch + item.day * 86_400_000).toISOString().slice(0, 10)
  const shown = recipientOf({ person, term: 1, name: item.name, shout: item.shout, grade: 0 })
  return aReportItem(shown, {
    contact_number: person < 6 ? null : `+49${phoneOf(person)['Contact Number']?.slice(1)}`,
    issued_status: item.label,
    entity_uuid: entity === null ? null : `entity-${person}-${entity}`,
    credential_id: item.credential ? `credential-${person}-${entity}` : null,
    public_verifier_link: item.link ? `https://verify.example.org/${person}` : null,
    revoked_date: item.revoked ? '2026-04-01' : null,
    certificate_name: item.certificate === null ? null : `Welding ${item.certificate}`,
    request_date: day,
  })
}
