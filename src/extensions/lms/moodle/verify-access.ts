// Reads from Moodle which functions the token may call, and compares them with the functions that credsync needs.

import { z } from 'zod'
import type { MoodleCall } from './call.ts'
import { type PrivilegeArea, privileges } from './privileges.ts'

export interface AccessLine {
  /** The web service function. */
  name: string
  part: PrivilegeArea
  neededFor: string
  /** True when the external service of the token contains the function. */
  available: boolean
}

const siteInfo = z.object({ functions: z.array(z.object({ name: z.string() })) })

/**
 * Returns one line for each function, from Moodle's list for the token's service; nothing else is called and nothing is
 * written. The list does not cover capabilities: a missing capability shows only when a function is called.
 * @throws MoodleRefusedError when the token is wrong, or when the service lacks `core_webservice_get_site_info` itself
 */
export async function verifyAccess(call: MoodleCall): Promise<AccessLine[]> {
  const { functions } = await call('core_webservice_get_site_info', {}, siteInfo)
  const callable = new Set(functions.map((each) => each.name))
  return privileges.map(({ name, part, neededFor }) => ({ name, part, neededFor, available: callable.has(name) }))
}
