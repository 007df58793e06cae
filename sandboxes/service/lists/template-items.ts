// The organization's templates as the service lists them: certificates and badges together, distinguishable only by
// name.

import { allTemplates } from '#sandboxes/service/seeds/templates.ts'

export const templateItems = allTemplates.map((template) => ({
  template_uuid: template.uuid,
  template_name: template.name,
  description: template.description,
  html_code: `<section class="${template.kind}"><h1>{{course_name}}</h1><p>{{name}}</p></section>`,
  institute_id: null,
  is_active: template.active,
  created_at: template.createdAt,
}))
