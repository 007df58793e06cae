// The schema for the name of a learning system in the settings. Pure.

import { z } from 'zod'

export const systemName = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,62}$/, 'is not allowed; use lower-case letters, digits and hyphens')
