// core_user_get_users_by_field, as capture 21 and section 1.1: the case of an e-mail counts, an empty value finds nobody.

import { invalidParameter } from '../moodle-error.ts'
import { customFieldsOf, namesOf, picturesOf } from './shown-learner.ts'
import type { WebServiceFunction } from './web-service-function.ts'

const fields = ['id', 'idnumber', 'username', 'email'] as const

export const usersByField: WebServiceFunction = {
  parameters: ['field', 'values'],
  answer({ args, site }) {
    const field = fields.find((each) => each === args.text('field'))
    if (field === undefined) throw invalidParameter()
    const values = args.texts('values').filter((value) => value !== '')
    const found = [...site.learners.values()].filter((learner) => values.includes(String(learner[field])))
    return found.map((learner) => ({
      ...namesOf(learner),
      idnumber: learner.idnumber,
      firstaccess: 0,
      lastaccess: 0,
      ...settings,
      ...picturesOf(site),
      ...customFieldsOf(site, learner),
    }))
  },
}

const settings = {
  auth: 'manual',
  suspended: false,
  confirmed: true,
  lang: 'en',
  theme: '',
  timezone: '99',
  mailformat: 1,
  trackforums: 0,
}
