// Custom profile fields of a learner: read, and written with proof.

import { z } from 'zod'
import type { Call } from './call.ts'
import { decodeEntities } from './html.ts'
import type { Written } from './written.ts'

/** Values by the short name of the profile field. Fields that are empty or not shown to the account may be absent. */
export type Profile = ReadonlyMap<string, string>

const users = z.array(
  z.object({
    id: z.int().positive(),
    customfields: z.array(z.object({ shortname: z.string(), value: z.string().nullish() })).nullish(),
  }),
)

const warned = z
  .object({ warnings: z.array(z.object({ itemid: z.number().nullish(), warningcode: z.string() })).nullish() })
  // Moodles before the warnings were brought in answer null.
  .nullable()

/** The custom profile fields of a learner; null when there is no such account, or none that ours may see. */
export async function readProfile(call: Call, userId: number): Promise<Profile | null> {
  const found = await call('core_user_get_users_by_field', { field: 'id', values: [userId] }, users)
  const user = found.find((each) => each.id === userId)
  return user ? new Map((user.customfields ?? []).map((field) => [field.shortname, field.value ?? ''])) : null
}

/**
 * Writes text into custom profile fields, by short name, and reads them back. Only what differs is written, so it is safe to repeat; nothing is
 * written when all is there already. A short name that does not exist is answered like success and written nowhere: it
 * comes back in `differs`. An unknown account and one of an administrator are `refused`.
 */
export async function writeProfile(
  call: Call,
  userId: number,
  values: Readonly<Record<string, string>>,
): Promise<Written> {
  const fields = differing(await readProfile(call, userId), values)
  if (fields.length === 0) return { kind: 'verified' }
  const customfields = fields.map((shortname) => ({ type: shortname, value: values[shortname] ?? '' }))
  const answer = await call('core_user_update_users', { users: [{ id: userId, customfields }] }, warned)
  const warning = answer?.warnings?.[0]
  if (warning) return { kind: 'refused', warningcode: warning.warningcode }
  const left = differing(await readProfile(call, userId), values)
  return left.length === 0 ? { kind: 'verified' } : { kind: 'differs', fields: left }
}

function differing(profile: Profile | null, values: Readonly<Record<string, string>>): string[] {
  return Object.entries(values)
    .filter(([shortname, wanted]) => {
      const shown = profile?.get(shortname) ?? ''
      return shown !== wanted && decodeEntities(shown) !== wanted
    })
    .map(([shortname]) => shortname)
}
