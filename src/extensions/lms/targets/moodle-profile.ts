// The target kind that delivers to fields of the learner's profile in Moodle, over the network.

import { z } from 'zod'
import { systemName } from '#config/source-settings.ts'
import type { Moodle } from '#src/extensions/lms/moodle/open-moodle.ts'
import { moodleSystem } from '#src/extensions/lms/systems/moodle.ts'
import { credentialProperty } from './credential-text.ts'
import { moodleOutcome } from './moodle-outcome.ts'
import { type DueWithLearner, defineTarget, type Finding, textsFor } from './target-kind.ts'

export const moodleProfile = defineTarget({
  to: 'moodle-profile',
  settings: z
    .strictObject({
      to: z.literal('moodle-profile').describe('Fields in the profile of the learner.'),
      system: systemName.describe('The Moodle site.'),
      fields: z
        .record(z.string().min(1), credentialProperty)
        .describe('Short name of the profile field → credential (its id), link, status, issued or expires.'),
    })
    .describe('The profile of the learner in Moodle.'),
  system: { type: 'moodle', part: 'profile', sentence: 'moodle-profile needs one of type moodle' },
  showsOne: true,
  name: ({ system }) => `moodle-profile ${system}`,
  describe: ({ system }) => `the profiles of ${system}`,
  propertiesToShow: ({ fields }) => Object.values(fields),
  profileFields: ({ fields }) => fields,
  async deliver({ learning }, { system, fields }, due: DueWithLearner) {
    const moodle = learning.client(moodleSystem, system)
    return moodleOutcome(
      await moodle.writeProfile(Number(due.completion.learner), textsFor(fields, due)),
      'a field of that name is missing, too short, or not a text input',
    )
  },
  check: {
    name: 'profile fields',
    async run({ learning, sampleLearners }, { system, fields }) {
      const moodle = learning.client(moodleSystem, system)
      await moodle.requireProfileWriting()
      return [findingOf(Object.keys(fields), await shownFields(moodle, await sampleLearners()))]
    },
  },
})

/**
 * Returns the fields that have a value for at least one learner: Moodle shows a profile field only when it is filled,
 * and reports no error for a short name that does not exist.
 */
async function shownFields(moodle: Moodle, learners: readonly string[]): Promise<ReadonlySet<string>> {
  const shown = new Set<string>()
  for (const learner of learners.filter((id) => /^\d+$/.test(id)))
    for (const [field, value] of (await moodle.readProfile(Number(learner))) ?? []) if (value !== '') shown.add(field)
  return shown
}

function findingOf(wanted: readonly string[], shown: ReadonlySet<string>): Finding {
  const [seen, unseen] = [wanted.filter((field) => shown.has(field)), wanted.filter((field) => !shown.has(field))]
  const what = seen.length > 0 ? `${seen.join(', ')} show in profiles` : 'its profile fields show in no profile yet'
  if (unseen.length === 0) return { what }
  const notice = `${unseen.join(', ')} could not be checked: Moodle shows a profile field only when it is filled. Compare the short names with those in Moodle (Users, User profile fields); the first write is read back, and reports a missing field`
  return { what, notice }
}
