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
        'The least that is added to each second, because requests that are sent evenly may arrive in bursts. If answers show that the latency to the service varies, up to 80 ms are added automatically, and more for some minutes after a response with status 429.',
      ),
  })
  .describe(
    'The limits of the service. Lower them if other programs use the same key. Processes that use one Redis share the limits; if their settings differ, the lowest applies.',
  )
