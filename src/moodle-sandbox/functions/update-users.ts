// core_user_update_users, as captures 20 to 25: good users are written beside bad ones, an unknown field is lost without
// a word. Of what Moodle can change of a user, the sandbox takes profile fields only; all else is invalidparameter.

import type { Arguments } from '../arguments.ts'
import { adminId } from '../site.ts'
import type { WebServiceCall, WebServiceFunction } from './web-service-function.ts'

export const updateUsers: WebServiceFunction = {
  parameters: ['users'],
  answer(call) {
    const users = call.args.each('users').map(readUser)
    return { warnings: users.flatMap((user) => update(user, call)) }
  },
}

interface UserChange {
  id: number
  fields: { shortname: string; value: string }[]
}

// Everything is read before anything is written: Moodle checks its parameters first.
function readUser(user: Arguments): UserChange {
  user.only(['id', 'customfields'])
  const fields = user.each('customfields').map((field) => {
    field.only(['type', 'value'])
    return { shortname: field.text('type'), value: field.text('value') }
  })
  return { id: user.integer('id'), fields }
}

function update({ id, fields }: UserChange, { site, journal }: WebServiceCall): Record<string, unknown>[] {
  if (id === adminId) return [warning(id, 'usernotupdatedadmin', 'Cannot update admin accounts')]
  const learner = site.learners.get(id)
  if (!learner) return [warning(id, 'invaliduserid', 'Invalid user ID')]
  for (const { shortname, value } of fields) {
    if (!site.fields.some((known) => known.shortname === shortname)) continue
    learner.fields.set(shortname, value)
    journal.did({ kind: 'wrote', what: 'profile field', learner: id })
  }
  return []
}

function warning(itemid: number, warningcode: string, message: string): Record<string, unknown> {
  return { item: 'user', itemid, warningcode, message }
}
