// The settings of what a worker serves: where, and whose word about a sender's address counts.

import { z } from 'zod'
import { addressRange } from './address-range.ts'

export const webSchema = z
  .strictObject({
    host: z
      .string()
      .default('127.0.0.1')
      .describe(
        'The address that all of it is served at. Health pages and metrics need no login: they tell of pipelines and counts, and never of people.',
      ),
    port: z.int().min(0).max(65535).default(8080).describe('The port; 0 takes any free one.'),
    trustedProxies: z
      .array(addressRange)
      .default([])
      .describe(
        'Addresses and networks of your reverse proxies. Whoever connects from one of them is taken for the address that it wrote into `X-Forwarded-For`, read from the right, up to the first address that is none of these. From anybody else that header says nothing.',
      ),
  })
  .prefault({})
  .describe(
    'What the worker serves: /health/live, /health/ready and /metrics, and to learning systems /events/NAME and /xapi/NAME.',
  )
