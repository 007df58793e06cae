// The settings of the log.

import { z } from 'zod'

export const logSchema = z
  .strictObject({
    level: z
      .enum(['debug', 'info', 'warn', 'error', 'silent'])
      .default('info')
      .describe('The lowest level that is logged.'),
  })
  .prefault({})
  .describe('The log.')
