// The two lists whose payload is a bare array: mail templates of a course, and certification bodies.

import type { SandboxEndpoint } from '#sandboxes/service/call.ts'
import { success } from '#sandboxes/service/envelope.ts'
import { requiredText } from '#sandboxes/service/read-body.ts'
import { courseNamed, type RouteContext } from '#sandboxes/service/route-context.ts'
import { certificationBodies } from '#sandboxes/service/seeds/certification-bodies.ts'
import { mailTemplates } from '#sandboxes/service/seeds/mail-templates.ts'
import { listEndpoint } from './list-endpoint.ts'

export function bareListEndpoints(context: RouteContext): SandboxEndpoint[] {
  return [
    listEndpoint(context, {
      path: '/api/certification/v1/customMailTemplate/list',
      message: 'Custom mail template list.',
      // Every course may use every active mail template.
      items(fields) {
        courseNamed(context, requiredText(fields, 'course_uuid', 'courseUUID'))
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
