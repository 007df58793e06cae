// The organization's mail templates. Lists show only the active ones.

import { uuidFor } from '#sandboxes/service/uuid.ts'

const mail = (custom_email_template_name: string, language_code: string, is_active: 0 | 1 = 1) => ({
  custom_email_template_uuid: uuidFor(`mail ${custom_email_template_name} ${language_code}`),
  custom_email_template_name,
  is_active,
  language_code,
})

export const mailTemplates = [
  mail('Congratulations', 'en'),
  mail('Herzlichen Glückwunsch', 'de'),
  mail('Félicitations', 'fr'),
  mail('Your diploma', 'en'),
  mail('Greetings of 2019', 'en', 0),
]
