// Lists the active mail templates of a course, which invitations may use.

import { z } from 'zod'
import type { Endpoint } from '../endpoint.ts'
import { text, yesOrNo } from '../lenient-schemas.ts'
import type { ServiceReader } from '../retrying-reader.ts'
import { type PagedQuery, type Pages, walkList } from './walk-list.ts'

const mailTemplateShape = z.object({
  custom_email_template_uuid: text,
  custom_email_template_name: text,
  is_active: yesOrNo,
  language_code: text,
})
export type MailTemplate = z.infer<typeof mailTemplateShape>

/** Throws the errors of the reader, and WireError. */
export type ListMailTemplates = (courseUuid: string, query?: PagedQuery) => Pages<MailTemplate>

export function openMailTemplates(endpoint: Endpoint, read: ServiceReader): ListMailTemplates {
  return (courseUuid, query) =>
    walkList(
      endpoint,
      read,
      {
        name: 'mail-template-list',
        item: mailTemplateShape,
        uuid: (item) => item.custom_email_template_uuid,
        // The parameter table calls it course_uuid, the example courseUUID.
        extraFields: { course_uuid: courseUuid, courseUUID: courseUuid },
      },
      query,
    )
}
