// What a profile shows a night later, against what was told to it. Pure.

import type { Found, ShownTell } from '#src/ledger/look-back.ts'
import { decodeEntities } from '#src/moodle/html.ts'
import type { Profile } from '#src/moodle/profile.ts'
import { type Said, saidOf, toldStates } from './words-for-target.ts'

/**
 * One answer for each tell. A field belongs to whoever was told last: an older credential of the learner is not missed where a newer one stands.
 * A field that is empty, or says what we said of this credential once, is `again`; one that says anything else is `other`.
 * @param tells of one learner, the last told first
 * @param fieldsOf what the profile fields of a pipeline say, by their short names
 */
export function lookBackAt(
  profile: Profile,
  tells: readonly ShownTell[],
  fieldsOf: (pipeline: string) => Readonly<Record<string, Said>>,
): { tell: ShownTell; found: Found }[] {
  const taken = new Set<string>()
  return tells.map((tell) => {
    const own = Object.entries(fieldsOf(tell.pipeline)).filter(([field]) => !taken.has(field))
    for (const [field] of own) taken.add(field)
    const differing = own.filter(([field, what]) => !shows(profile.get(field), saidOf(tell, what)))
    if (differing.length === 0) return { tell, found: { found: 'same' } }
    const foreign = differing.filter(([field, what]) => !isOurs(profile.get(field), tell, what))
    return { tell, found: foreign.length === 0 ? { found: 'again' } : otherIn(foreign.map(([field]) => field)) }
  })
}

function otherIn(fields: readonly string[]): Found {
  return {
    found: 'other',
    problem: `Somebody wrote something else into ${fields.join(', ')}; it was left as it is. \`credsync events tell\` writes ours over it.`,
  }
}

const isOurs = (shown: string | undefined, tell: ShownTell, what: Said) =>
  shows(shown, '') || toldStates.some((wanted) => shows(shown, saidOf({ ...tell, wanted }, what)))

/** Moodle shows some characters as entities. */
const shows = (shown = '', text: string) => shown === text || decodeEntities(shown) === text
