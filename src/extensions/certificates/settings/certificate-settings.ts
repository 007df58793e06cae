// The settings for downloading certificates: the archive folder, and the hosts to which a link may lead.

import { z } from 'zod'
import { keepDays } from '#config/file-reading-settings.ts'

export const archiveSchema = z
  .strictObject({
    to: z.string().min(1).describe('The folder. It is created if it is missing; its parent folder must exist.'),
    keepDays: keepDays('a certificate is removed from the folder. It is not downloaded again.'),
  })
  .describe('Every certificate is downloaded into a folder once it is issued, including those issued earlier.')

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
    "Hosts to which a certificate's link in the report may be followed, if the service's download does not have the certificate. Default: only the host of the base address.",
  )
