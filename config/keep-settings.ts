// The setting for how long files are kept.

import { z } from 'zod'

/** @param what the files, for the description */
export function keepDays(what: string) {
  return z.int().min(1).max(36_500).optional().describe(`After how many days ${what} Default: they are kept for ever.`)
}
