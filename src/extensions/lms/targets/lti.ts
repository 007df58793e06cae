// The target kind that delivers a score with a comment to a platform's gradebook (LTI 1.3 AGS), over the network.

import { z } from 'zod'
import { systemName } from '#config/source-settings.ts'
import { scoreOf } from '#src/extensions/lms/lti/score.ts'
import { ltiSystem } from '#src/extensions/lms/systems/lti.ts'
import { type DueWithLearner, defineTarget, digest } from './target-kind.ts'

export const lti = defineTarget({
  to: 'lti',
  settings: z
    .strictObject({
      to: z.literal('lti').describe('A score with a comment (LTI 1.3 AGS).'),
      system: systemName.describe('The platform.'),
      lineItem: z.url({ protocol: /^https?$/ }).describe('The address of the line item of the course.'),
      score: z.number().min(0).default(100).describe('The score for a credential, which is also the maximum.'),
    })
    .describe('A column of the gradebook.'),
  system: { type: 'lti', sharesLearnerIds: true, sentence: 'a score needs one of type lti' },
  showsOne: true,
  // A platform refuses a second score with the same timestamp, so the score waits until its link is available.
  isDeliveredOnce: true,
  name: ({ system, lineItem }) => `lti ${system} ${digest(lineItem)}`,
  describe: ({ system }) => `a line item of ${system}`,
  propertiesToShow: (_, requestsPublicLink) => (requestsPublicLink ? ['link'] : []),
  async deliver({ learning }, { system, lineItem, score }, due: DueWithLearner) {
    const { wanted, credentialId } = due
    if (credentialId === null || (wanted !== 'issued' && wanted !== 'revoked')) return { kind: 'written' }
    const link = wanted === 'issued' ? due.verifierLink : null
    const credential = { kind: wanted, userId: due.completion.learner, credentialId, link, at: due.since }
    return learning.client(ltiSystem, system).score(lineItem, scoreOf(credential, score))
  },
})
