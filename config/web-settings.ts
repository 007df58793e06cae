// The settings of the worker's HTTP server: its address, and the proxies that it trusts.

import { z } from 'zod'
import { addressRange } from '#src/platform/http/address-range.ts'

export const webSchema = z
  .strictObject({
    host: z
      .string()
      .default('127.0.0.1')
      .describe(
        'The address to listen on. Health pages and metrics require no login: they show pipelines and counts, but no personal data.',
      ),
    port: z.int().min(0).max(65535).default(8080).describe('The port; 0 takes any free one.'),
    trustedProxies: z
      .array(addressRange)
      .default([])
      .describe(
        'Addresses and networks of your reverse proxies. For a connection from one of them, the client is the address in `X-Forwarded-For`, read from the right, up to the first address that is not one of these. The header is ignored if it comes from any other sender.',
      ),
  })
  .prefault({})
  .describe(
    'The HTTP server of the worker: /health/live, /health/ready and /metrics, and for learning systems /events/NAME and /xapi/NAME.',
  )
