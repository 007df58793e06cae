// The setting for downloading certificates: the archive folder.

import { z } from 'zod'
import { keepDays } from '#config/file-reading-settings.ts'

export const archiveSchema = z
  .strictObject({
    to: z.string().min(1).describe('The folder. It is created if it is missing; its parent folder must exist.'),
    keepDays: keepDays('a certificate is removed from the folder. It is not downloaded again.'),
  })
  .describe('Every certificate is downloaded into a folder once it is issued, including those issued earlier.')
