// The settings that limit the number of requests per second.

import { z } from 'zod'

export const limitsSchema = z
  .strictObject({
    general: z.int().min(1).max(60).default(60).describe('Requests per second, per key and endpoint.'),
    auth: z.int().min(1).max(3).default(3).describe('Requests per second to the token endpoints, per source address.'),
    margin: z
      .string()
      .regex(/^([1-9]\d{0,2}|1000)ms$/, 'is not a margin; write it like 20ms, at most 1000ms')
      .default('20ms')
      .describe(
        'Added to each second, because requests that are sent evenly may arrive in bursts. Raise it if the latency to the service varies: 50ms covers a variation of 60 ms and uses 95 % of the limit. After a response with status 429 the margin widens automatically for some minutes.',
      ),
  })
  .describe(
    'The limits of the service. Lower them if other programs use the same key. Processes that use one Redis share the limits; if their settings differ, the lowest applies.',
  )
