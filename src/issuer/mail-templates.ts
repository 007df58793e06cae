// The active mail templates that an invitation to a course may name.

import { z } from 'zod'
import type { Endpoint } from './endpoint.ts'
import { text, yesOrNo } from './lenient.ts'
import { type PagedQuery, type Pages, walkList } from './list.ts'
import type { Reader } from './reader.ts'

const mailTemplateShape = z.object({
  custom_email_template_uuid: text,
  custom_email_template_name: text,
  is_active: yesOrNo,
  language_code: text,
})
export type MailTemplate = z.infer<typeof mailTemplateShape>

/** Throws what Reader throws, and WireError. */
export type ListMailTemplates = (courseUuid: string, query?: PagedQuery) => Pages<MailTemplate>

export function openMailTemplates(endpoint: Endpoint, read: Reader): ListMailTemplates {
  return (courseUuid, query) =>
    walkList(
      endpoint,
      read,
      {
        name: 'mail-template-list',
        item: mailTemplateShape,
        uuid: (item) => item.custom_email_template_uuid,
        // The parameter table names it course_uuid, the example courseUUID.
        also: { course_uuid: courseUuid, courseUUID: courseUuid },
      },
      query,
    )
}
