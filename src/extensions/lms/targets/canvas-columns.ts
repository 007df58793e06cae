// The target kind that delivers to custom columns of a course's gradebook in Canvas, over the network.

import { z } from 'zod'
import { systemName } from '#config/source-settings.ts'
import { canvasSystem } from '#src/extensions/lms/systems/canvas.ts'
import { credentialProperty } from './credential-text.ts'
import { deliveryFailure } from './delivery-failure.ts'
import { type DueWithLearner, defineTarget, textsFor } from './target-kind.ts'

export const canvasColumns = defineTarget({
  to: 'canvas-columns',
  settings: z
    .strictObject({
      to: z.literal('canvas-columns').describe("Custom columns of the course's gradebook, which teachers see."),
      system: systemName.describe('The Canvas site.'),
      columns: z
        .record(z.string().min(1).max(255), credentialProperty)
        .describe('Title of the column → credential (its id), link, status, issued or expires.'),
    })
    .describe('The gradebook of the course in Canvas.'),
  system: { type: 'canvas', sentence: 'canvas-columns needs one of type canvas' },
  showsOne: true,
  name: ({ system }) => `canvas-columns ${system}`,
  describe: ({ system }) => `the gradebook of ${system}`,
  propertiesToShow: ({ columns }) => Object.values(columns),
  async deliver({ learning }, { system, columns }, due: DueWithLearner) {
    const { course, learner: learnerId } = due.completion
    const written = await learning
      .client(canvasSystem, system)
      .columns.write({ course, learnerId, cells: textsFor(columns, due) })
    if (written.kind === 'verified') return { kind: 'verified' }
    return deliveryFailure(
      'record',
      `Canvas reported success, but shows something else in ${written.titles.join(', ')}: an entry holds at most 255 characters. Correct this in Canvas or in writeBack.`,
    )
  },
  check: {
    name: 'gradebook columns',
    async run({ learning, course }, { system, columns }) {
      const titles = Object.keys(columns)
      if (titles.length === 0) return []
      const existing = await learning.client(canvasSystem, system).columns.read(course.code)
      const missing = titles.filter((title) => !existing.has(title))
      const found = titles.filter((title) => existing.has(title))
      if (missing.length === 0) return [{ what: `${found.join(', ')} are in the gradebook` }]
      return [
        {
          what: 'the account may see the columns of the gradebook',
          notice: `the gradebook has no ${missing.join(', ')} yet: credsync creates a column when the first credential is delivered; if teachers use another column, correct its title in writeBack`,
        },
      ]
    },
  },
})
