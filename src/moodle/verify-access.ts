// Asks Moodle which functions the token may call, and holds that against what is needed.

import { z } from 'zod'
import type { Call } from './call.ts'
import { type Part, privileges } from './privileges.ts'

export interface AccessLine {
  /** The web service function. */
  name: string
  part: Part
  neededFor: string
  /** Whether the external service of the token holds it. */
  available: boolean
}

const siteInfo = z.object({ functions: z.array(z.object({ name: z.string() })) })

/**
 * One line for each function, from the list that Moodle gives of the token's service; nothing else is called and nothing written. It says nothing
 * about capabilities, which show only in the call itself. Throws MoodleRefusedError when the token is wrong, or when the
 * service lacks `core_webservice_get_site_info` itself.
 */
export async function verifyAccess(call: Call): Promise<AccessLine[]> {
  const { functions } = await call('core_webservice_get_site_info', {}, siteInfo)
  const callable = new Set(functions.map((each) => each.name))
  return privileges.map(({ name, part, neededFor }) => ({ name, part, neededFor, available: callable.has(name) }))
}
