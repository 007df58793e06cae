// The two lists whose payload is a bare array: mail templates of a course, and certification bodies.

import type { Endpoint } from '#src/sandbox/call.ts'
import { success } from '#src/sandbox/envelope.ts'
import { courseNamed, type Premises } from '#src/sandbox/premises.ts'
import { requiredText } from '#src/sandbox/read-body.ts'
import { certificationBodies } from '#src/sandbox/seeds/certification-bodies.ts'
import { mailTemplates } from '#src/sandbox/seeds/mail-templates.ts'
import { listEndpoint } from './list-endpoint.ts'

export function bareListEndpoints(premises: Premises): Endpoint[] {
  return [
    listEndpoint(premises, {
      path: '/api/certification/v1/customMailTemplate/list',
      message: 'Custom mail template list.',
      // Every course may use every active one.
      items(fields) {
        courseNamed(premises, requiredText(fields, 'course_uuid', 'courseUUID'))
        return mailTemplates.filter(({ is_active }) => is_active === 1)
      },
      sortable: ['custom_email_template_name', 'language_code'],
      search: { custom_email_template_name: (each) => each.custom_email_template_name },
      payload: (items) => items,
    }),
    {
      method: 'GET',
      path: '/api/institute/v1/institute/certification-body/list',
      admits: 'bearers',
      answer: () => ({ json: success('Certification body list.', certificationBodies) }),
    },
  ]
}
