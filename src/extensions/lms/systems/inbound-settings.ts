// The settings that all systems that send events have in common, whatever the format of the events. Pure.

import { z } from 'zod'
import { systemName } from '#config/system-name.ts'

export const inboundSettings = {
  confirm: systemName
    .optional()
    .describe(
      'The system of type moodle or canvas that confirms each event. The event is then only a hint, and needs to contain only the learner and the course.',
    ),
  maxBytes: z.int().min(1_000).max(10_000_000).default(1_000_000).describe('The largest body that is accepted.'),
  retentionDays: z
    .int()
    .min(1)
    .max(3_650)
    .default(90)
    .describe(
      'The number of days after which the body and headers of a processed event are deleted. An event that is waiting or needs an operator is kept, as is the key that detects a repeated event.',
    ),
}
