// Course categories. The service's list has one line for each language, so each category is listed twice.

import { uuidFor } from '#sandboxes/service/uuid.ts'

export interface SeedCategory {
  uuid: string
  name: string
  labels: Readonly<Record<'en' | 'de', string>>
}

// The first three have fixed uuids, because existing configurations may contain them.
export const categories: readonly SeedCategory[] = [
  category('Trades', 'Trades', 'Handwerk', '91c2d3e4-f506-4718-892a-3b4c5d6e7f61'),
  category('Compliance', 'Compliance', 'Pflichtschulungen', '92c2d3e4-f506-4718-892a-3b4c5d6e7f62'),
  category('Office', 'Office skills', 'Bürotechnik', '93c2d3e4-f506-4718-892a-3b4c5d6e7f63'),
  category('Health', 'Health and care', 'Gesundheit und Pflege'),
  category('IT', 'Information technology', 'Informationstechnik'),
  category('Languages', 'Languages', 'Sprachen'),
  category('Management', 'Management', 'Führung'),
  category('Academic', 'Academic degrees', 'Akademische Abschlüsse'),
]

function category(name: string, en: string, de: string, uuid = uuidFor(`category ${name}`)): SeedCategory {
  return { uuid, name, labels: { en, de } }
}

export const categoryLines = categories.flatMap(({ uuid, name, labels }) =>
  Object.entries(labels).map(([code, label]) => ({ category_uuid: uuid, course_category: name, code, label })),
)
