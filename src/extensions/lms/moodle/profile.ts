// Reads and writes custom profile fields of a learner in Moodle, and verifies each write by reading it back.

import { z } from 'zod'
import type { MoodleCall } from './call.ts'
import { classifyErrorCode } from './classify-error-code.ts'
import { decodeEntities } from './html.ts'
import { seesOthers } from './learner.ts'

/** Values by short name of the profile field. Fields that are empty or not shown to the account may be absent. */
export type Profile = ReadonlyMap<string, string>

const users = z.array(
  z.object({
    id: z.int().positive(),
    username: z.string().nullish(),
    customfields: z.array(z.object({ shortname: z.string(), value: z.string().nullish() })).nullish(),
  }),
)

const updateAnswer = z
  .object({ warnings: z.array(z.object({ itemid: z.number().nullish(), warningcode: z.string() })).nullish() })
  // Older versions of Moodle have no warnings and return null.
  .nullable()

const usersFunction = 'core_user_get_users_by_field'

/** Returns the custom profile fields of a learner; null when our account can see no such user. */
export async function readProfile(call: MoodleCall, userId: number): Promise<Profile | null> {
  return profileOf(await readUser(call, userId))
}

async function readUser(call: MoodleCall, userId: number): Promise<z.infer<typeof users>[number] | null> {
  const found = await call(usersFunction, { field: 'id', values: [userId] }, users)
  return found.find((entry) => entry.id === userId) ?? null
}

function profileOf(user: z.infer<typeof users>[number] | null): Profile | null {
  return user && new Map((user.customfields ?? []).map((field) => [field.shortname, field.value ?? '']))
}

/**
 * Writes text into custom profile fields, by short name, and reads them back. Only differences are written, so the call
 * is safe to repeat. For a short name that does not exist, Moodle reports success and writes nothing; the field is then
 * listed in `differs`. Unknown accounts and administrator accounts are `refused`.
 * @throws MoodleRefusedError `notshown` when our account may not see what it wrote, so the current values are unknown
 */
export async function writeProfile(
  call: MoodleCall,
  userId: number,
  values: Readonly<Record<string, string>>,
): Promise<MoodleWriteResult> {
  const fields = differing(await readProfile(call, userId), values)
  if (fields.length === 0) return { kind: 'verified' }
  const customfields = fields.map((shortname) => ({ type: shortname, value: values[shortname] ?? '' }))
  const answer = await call('core_user_update_users', { users: [{ id: userId, customfields }] }, updateAnswer)
  const warning = answer?.warnings?.[0]
  if (warning?.warningcode === 'usernotupdateddeleted') return { kind: 'account_deleted' }
  if (warning) return { kind: 'refused', warningcode: warning.warningcode }
  const after = await readUser(call, userId)
  const remaining = differing(profileOf(after), values)
  if (remaining.length === 0) return { kind: 'verified' }
  // An account that may not see all details of other users sees no user names either, and only the profile fields that
  // everyone may see.
  const isSeen = after === null ? await seesOthers(call) : Boolean(after.username)
  if (!isSeen) throw classifyErrorCode(usersFunction, 'notshown')
  return { kind: 'differs', fields: remaining }
}

/**
 * Checks the write privilege by requesting a change for user 0, which does not exist: Moodle checks the privilege to
 * change accounts before it looks up the account.
 * @throws MoodleRefusedError `nopermissions` when the role lacks that privilege
 */
export async function requireProfileWriting(call: MoodleCall): Promise<void> {
  await call('core_user_update_users', { users: [{ id: 0 }] }, updateAnswer)
}

function differing(profile: Profile | null, values: Readonly<Record<string, string>>): string[] {
  return Object.entries(values)
    .filter(([shortname, wanted]) => {
      const shown = profile?.get(shortname) ?? ''
      return shown !== wanted && decodeEntities(shown) !== wanted
    })
    .map(([shortname]) => shortname)
}

/**
 * The result of a write to Moodle, as the read-back shows it. A successful response alone proves nothing: Moodle sends
 * the same response when it has written nothing.
 */
export type MoodleWriteResult =
  /** The values read back equal the values written. */
  | { kind: 'verified' }
  /** Moodle reported success, but these fields show something else: renamed, locked, or truncated. */
  | { kind: 'differs'; fields: string[] }
  /** Moodle returned a warning about this learner, such as `invaliduserid` or `usernotupdatedadmin`. */
  | { kind: 'refused'; warningcode: string }
  /** The account was deleted, so nothing can ever be written to it. */
  | { kind: 'account_deleted' }
