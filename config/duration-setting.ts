// The schema of a duration in the configuration file, such as 15s.

import { z } from 'zod'

// A pattern instead of a refinement by parseDuration, because editors can check a pattern too. A test compares the two.
export const duration = (fallback: string) =>
  z
    .string()
    .regex(/^0*[1-9]\d{0,8}(ms|s|m|h|d)$/, 'is not a duration; write it like 250ms, 15s, 10m, 6h or 30d')
    .default(fallback)
