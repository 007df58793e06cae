// The organization's templates as the service lists them: certificates and badges together, distinguishable only by
// name.

import { allTemplates } from '#src/sandboxes/service/seeds/templates.ts'

export const templateItems = allTemplates.map((each) => ({
  template_uuid: each.uuid,
  template_name: each.name,
  description: each.description,
  html_code: `<section class="${each.kind}"><h1>{{course_name}}</h1><p>{{name}}</p></section>`,
  institute_id: null,
  is_active: each.active,
  created_at: each.createdAt,
}))
