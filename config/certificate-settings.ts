// The settings about certificates as files: where they are archived, and where a link to one may lead.

import { z } from 'zod'

export const archiveSchema = z
  .strictObject({
    to: z.string().min(1).describe('The folder. Its last level is made the first time; nothing above it ever is.'),
  })
  .describe('Every certificate is fetched into a folder as it is issued, what was issued before as well.')

const host = z
  .string()
  .regex(
    /^[A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?(:\d{1,5})?$/,
    'is not a host; write it like files.example or files.example:8443',
  )

export const certificateHostsSchema = z
  .array(host)
  .default([])
  .describe(
    "Hosts that a certificate's link in the report may be followed to, where the service's download does not have it. Default: the host of the base address alone.",
  )
