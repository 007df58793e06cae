// core_user_get_users_by_field, as in capture 21 and section 1.1: e-mail addresses are case-sensitive, and an empty
// value finds no one.

import { invalidParameter } from '../moodle-error.ts'
import type { SiteLearner } from '../records.ts'
import { adminId, guestId } from '../site.ts'
import { customFieldsOf, detailsOf, isVisible, namesOf, picturesOf } from './learner-fields.ts'
import type { WebServiceFunction } from './web-service-function.ts'

const fields = ['id', 'idnumber', 'username', 'email'] as const

export const usersByField: WebServiceFunction = {
  parameters: ['field', 'values'],
  answer(call) {
    const { args, site, may } = call
    const field = fields.find((field) => field === args.text('field'))
    if (field === undefined) throw invalidParameter()
    const values = args.strings('values').filter((value) => value !== '')
    // No course is named, so permission to see the addresses of a course's learners is not enough.
    const visible = {
      names: may('moodle/site:viewfullnames'),
      email: may('moodle/site:viewuseridentity'),
      details: may('moodle/user:viewalldetails'),
    }
    return (
      [...builtInAccounts, ...site.learners.values()]
        .filter((learner) => !learner.deleted && values.includes(String(learner[field])) && isVisible(call, learner.id))
        .map((learner) => ({
          ...namesOf(learner, visible),
          ...detailsOf(learner, visible),
          firstaccess: 0,
          lastaccess: 0,
          ...settings,
          suspended: learner.suspended ?? false,
          ...picturesOf(site),
          ...(visible.details && customFieldsOf(site, learner)),
        }))
        // Users cannot be found by a field that the account may not see.
        .filter((shown) => field in shown)
    )
  },
}

const builtInAccount = (id: number, username: string): SiteLearner => ({
  id,
  username,
  firstname: username,
  lastname: 'User',
  email: `${username}@lab.example`,
  idnumber: '',
  fields: new Map(),
})

/** The accounts that every Moodle has after installation. */
const builtInAccounts = [builtInAccount(guestId, 'guest'), builtInAccount(adminId, 'admin')]

const settings = {
  auth: 'manual',
  confirmed: true,
  lang: 'en',
  theme: '',
  timezone: '99',
  mailformat: 1,
  trackforums: 0,
}
