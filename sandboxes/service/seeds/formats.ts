// The formats that a course may have.

import { uuidFor } from '#sandboxes/service/uuid.ts'

const format = (name: string, en: string, de: string) => ({
  course_format_uuid: uuidFor(`format ${name}`),
  name,
  preferredLabels: [
    { code: 'en', label: en },
    { code: 'de', label: de },
  ],
})

export const formats = [
  format('Blended', 'Online and on site', 'Online und vor Ort'),
  format('Classroom', 'In the classroom', 'Im Unterrichtsraum'),
  format('Online', 'Live online', 'Live online'),
  format('On the job', 'At the place of work', 'Am Arbeitsplatz'),
  format('Self-study', 'Self-study', 'Selbststudium'),
]
