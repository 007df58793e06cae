// The setting for how long the ledger keeps data of people.

import { z } from 'zod'

export const retentionDays = z
  .int()
  .min(1)
  .max(36_500)
  .optional()
  .describe(
    'After how many days the ledger deletes the data of people: counted from when the last list that names them came to rest. The newest list and its people are kept, and so is whoever waits for a person or a system. Keyed hashes stay, so that nobody is issued twice. Default: data are kept for ever.',
  )
