// Compares the fields of a learner's profile with the values that were delivered to them. Pure.

import type { DriftFinding, VerifiedDelivery } from '#src/extensions/lms/ledger/drift.ts'
import { decodeEntities } from '#src/extensions/lms/moodle/html.ts'
import type { Profile } from '#src/extensions/lms/moodle/profile.ts'
import {
  type CredentialProperty,
  deliveredStates,
  missingOf,
  textFor,
} from '#src/extensions/lms/targets/credential-text.ts'

/**
 * Returns one finding for each delivery. A field belongs to the first delivery that writes it: when the field shows a
 * newer credential, the older one is not considered missing. A field that is empty, or shows a value from an earlier
 * state of this credential, results in `again`; any other value results in `other`.
 * @param deliveries the deliveries for one learner; the delivery whose text a shared field shows comes first
 * @param fieldsOf returns what a pipeline writes, by short name of the profile field
 */
export function detectDriftAt(
  profile: Profile,
  deliveries: readonly VerifiedDelivery[],
  fieldsOf: (pipeline: string) => Readonly<Record<string, CredentialProperty>>,
): { delivery: VerifiedDelivery; found: DriftFinding }[] {
  const assignedFields = new Set<string>()
  return deliveries.map((delivery) => {
    const ownFields = Object.entries(fieldsOf(delivery.pipeline)).filter(([field]) => !assignedFields.has(field))
    for (const [field] of ownFields) assignedFields.add(field)
    if (delivery.state === 'pending' || delivery.state === 'incomplete') return { delivery, found: { found: 'same' } }
    const differing = ownFields.filter(([field, what]) => !shows(profile.get(field), textFor(delivery, what)))
    // An older version of credsync may have made the delivery without checking for missing values: deliver again to
    // find out.
    const isMissing =
      missingOf(
        delivery,
        ownFields.map(([, what]) => what),
      ).length > 0
    if (differing.length === 0) return { delivery, found: { found: isMissing ? 'again' : 'same' } }
    const foreign = differing.filter(([field, what]) => !isOurs(profile.get(field), delivery, what))
    return {
      delivery,
      found: foreign.length === 0 ? { found: 'again' } : otherFinding(foreign.map(([field]) => field)),
    }
  })
}

function otherFinding(fields: readonly string[]): DriftFinding {
  return {
    found: 'other',
    problem: `Something else was written to ${fields.join(', ')} and was not overwritten. \`credsync events deliver\` overwrites these fields.`,
  }
}

const isOurs = (shown: string | undefined, delivery: VerifiedDelivery, what: CredentialProperty) =>
  shows(shown, '') || deliveredStates.some((wanted) => shows(shown, textFor({ ...delivery, wanted }, what)))

/** Moodle returns some characters as HTML entities. */
const shows = (shown = '', text: string) => shown === text || decodeEntities(shown) === text
