// The settings of how much may be sent in a second.

import { z } from 'zod'

export const limitsSchema = z
  .strictObject({
    general: z.int().min(1).max(60).default(60).describe('Requests a second, per key and endpoint.'),
    auth: z.int().min(1).max(3).default(3).describe('Requests a second to the token endpoints, per source address.'),
    margin: z
      .string()
      .regex(/^([1-9]\d{0,2}|1000)ms$/, 'is not a margin; write it like 20ms, at most 1000ms')
      .default('20ms')
      .describe(
        'Added to each second, because requests that leave evenly may arrive bunched. Raise it where the way to the service is uneven: 50ms takes in a spread of 60 ms, for a pace of 0.95 of the limit. After a 429 it widens by itself, for some minutes.',
      ),
  })
  .describe(
    'The limits of the service. Lower them to leave room for others that use the same key. Processes around one Redis share one allowance; told different limits, they keep the lowest.',
  )
