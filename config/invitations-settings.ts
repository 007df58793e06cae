// The settings for sending invitations to the service.

import { z } from 'zod'
import { duration } from './duration-setting.ts'

export const invitationsSchema = z
  .strictObject({
    deadline: duration('90s').describe(
      'How long one call may take. After that, its outcome is unknown and the report decides.',
    ),
    concurrency: z
      .int()
      .min(1)
      .max(32)
      .default(32)
      .describe(
        'The highest number of concurrent calls of one worker. Within it, a worker makes as many as the limit needs while the service answers as quickly as it does.',
      ),
    canary: z
      .boolean()
      .default(true)
      .describe(
        'The first call ever for a course, and the first call after failed calls, contains only one recipient.',
      ),
    pause: duration('10m').describe(
      'The longest pause of a course after consecutive calls whose outcome is unknown. The first pause lasts 5 seconds, and each further pause twice as long as the one before, until a call is accepted.',
    ),
    resends: z
      .int()
      .min(0)
      .max(5)
      .default(1)
      .describe(
        'How many times a row is sent again automatically after an unknown outcome, each time only after the report has proven the row absent. If the outcome is unknown once more after that, the row is held until an operator decides. 0 is the same as `reconcile.resend: false`.',
      ),
  })
  .prefault({})
  .describe('How invitations are sent.')
