// core_user_update_users, as in captures 20 to 25: valid users are written even if others in the call are invalid, and
// unknown fields are silently lost. The sandbox accepts profile fields only; any other change causes invalidparameter.

import type { PostedArguments } from '../arguments.ts'
import { noPermission } from '../moodle-error.ts'
import type { WebServiceCall, WebServiceFunction } from './web-service-function.ts'

export const updateUsers: WebServiceFunction = {
  parameters: ['users'],
  answer(call) {
    if (!call.may('moodle/user:update')) throw noPermission('Update user profiles')
    const users = call.args.structures('users').map(readUser)
    return { warnings: users.flatMap((user) => update(user, call)) }
  },
}

interface UserChange {
  id: number
  fields: { shortname: string; value: string }[]
}

// Everything is read before anything is written, because Moodle checks its parameters first.
function readUser(user: PostedArguments): UserChange {
  user.refuseOthers(['id', 'customfields'])
  const fields = user.structures('customfields').map((field) => {
    field.refuseOthers(['type', 'value'])
    return { shortname: field.text('type'), value: field.text('value') }
  })
  return { id: user.integer('id'), fields }
}

function update({ id, fields }: UserChange, { site, journal }: WebServiceCall): Record<string, unknown>[] {
  if (site.administrators.has(id)) return [warning(id, 'usernotupdatedadmin', 'Cannot update admin accounts')]
  const learner = site.learners.get(id)
  if (learner?.deleted) return [warning(id, 'usernotupdateddeleted', 'Cannot update deleted accounts')]
  if (!learner) return [warning(id, 'invaliduserid', 'Invalid user ID')]
  for (const { shortname, value } of fields) {
    if (!site.fields.some((known) => known.shortname === shortname)) continue
    learner.fields.set(shortname, value)
    journal.record({ kind: 'wrote', what: 'profile field', learner: id })
  }
  return []
}

function warning(itemid: number, warningcode: string, message: string): Record<string, unknown> {
  return { item: 'user', itemid, warningcode, message }
}
