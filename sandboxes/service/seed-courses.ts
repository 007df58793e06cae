// The courses that every sandbox starts with, at least one in each state. Optional fields of a new course are empty.

import { type Audit, verdicts } from './audit.ts'
import { type CourseRecord, type CourseSheet, courseOf, type Templates } from './course.ts'
import { categories } from './seeds/categories.ts'
import { certificationBodies } from './seeds/certification-bodies.ts'
import { currencies } from './seeds/currencies.ts'
import { formats } from './seeds/formats.ts'
import { languageCalled } from './seeds/languages.ts'
import { modules } from './seeds/modules.ts'
import { templates } from './seeds/templates.ts'
import { uuidFor } from './uuid.ts'

const nothing = {
  is_certification_expire: 0,
  certification_validity_duration_type: null,
  certification_validity_duration: null,
  recertification: null,
  includes: null,
  content: null,
  competency: null,
  competency_tags: null,
  certificate_description: null,
  admission_requirement: null,
  duration: null,
  duration_type: null,
  course_format_uuid: null,
  total_lessons: null,
  price: null,
  currency_uuid: null,
  languages: null,
  certificate_course_id: null,
  is_public: 1,
  course_buy_url: null,
  cooperation_partner_name: null,
  cooperation_partner_url: null,
  moduleUUID: null,
  label1: null,
  label2: null,
  label3: null,
  label4: null,
  label5: null,
} as const

interface Seed {
  number: string
  name: string
  category: string
  /** The position in the list of certification bodies. */
  body: number
  description: string
  templates: [Templates, Templates]
  uuid?: string
  audit?: Audit
  enabled?: boolean
  months?: number
  more?: Partial<CourseSheet>
}

function seeded(seed: Seed): CourseRecord {
  const [certificates, badges] = seed.templates
  const expires: Partial<CourseSheet> =
    seed.months === undefined
      ? {}
      : {
          is_certification_expire: 1,
          certification_validity_duration: seed.months,
          certification_validity_duration_type: 'MONTH',
          recertification: 'Needed',
        }
  return courseOf({
    uuid: seed.uuid ?? uuidFor(`course ${seed.number}`),
    sheet: {
      ...nothing,
      name: seed.name,
      courseNumber: seed.number,
      certBodyUUID: certificationBodies[seed.body]?.certification_uuid ?? '',
      category_uuid: categories.find(({ name }) => name === seed.category)?.uuid ?? '',
      description: `<p>${seed.description}</p>`,
      ...expires,
      ...seed.more,
    },
    audit: seed.audit ?? verdicts.approved,
    enabled: seed.enabled ?? true,
    templates: certificates,
    badgeTemplates: badges,
    image: null,
    certificateImage: null,
  })
}

const trades: Seed['templates'] = [[templates.trades], [templates.tradesBadge]]
const compliance: Seed['templates'] = [[templates.compliance], [templates.complianceBadge]]
const digital: Seed['templates'] = [[templates.digital, templates.plain], [templates.digitalBadge]]
const diploma: Seed['templates'] = [[templates.diploma], [templates.diplomaBadge]]
const office: Seed['templates'] = [[templates.office], [templates.officeBadge]]
const crane: Seed['templates'] = [[templates.crane], [templates.craneBadge]]

const moduleCodes = (...codes: string[]) =>
  modules.filter(({ code }) => codes.includes(code)).map((module) => module.module_uuid)
const formatUuid = (name: string) => formats.find((format) => format.name === name)?.course_format_uuid ?? null
const euro = currencies.find(({ code }) => code === 'EUR')?.currency_uuid ?? null

// The fields of a course whose whole form is filled in.
const whole: Partial<CourseSheet> = {
  includes: ['Subnets', 'Routing', 'Firewalls'],
  content: 'Five days of lectures and exercises.',
  competency: 'Plans and runs a small network.',
  competency_tags: 'network,routing,firewall',
  certificate_description: 'Has planned, built and secured a network of three sites.',
  admission_requirement: 'Basic knowledge of computers',
  duration: 5,
  duration_type: 'DAY',
  course_format_uuid: formatUuid('Blended'),
  total_lessons: 40,
  price: 1490.5,
  currency_uuid: euro,
  languages: [languageCalled('English'), languageCalled('German')],
  certificate_course_id: 'NET-A',
  course_buy_url: 'https://courses.example.org/net',
  cooperation_partner_name: 'Regional Computing Centre',
  cooperation_partner_url: 'https://computing.example.org',
  moduleUUID: moduleCodes('NET-1', 'NET-2'),
  label1: 'Networks',
}

// The first four have fixed uuids, so that a configuration written for the sandbox stays valid.
const seeds: readonly Seed[] = [
  {
    ...{ number: 'WELD-1', name: 'Welding Basics', category: 'Trades', body: 0, templates: trades, months: 24 },
    uuid: '8d7c2b54-6f0e-4a1d-9b3c-5e2f7a9d0c11',
    description: 'Safe arc welding for beginners.',
  },
  {
    ...{ number: 'SAFE-2', name: 'Safety at Work', category: 'Compliance', body: 1, templates: compliance },
    uuid: 'c41e8f90-3b7a-4e25-a8d6-9f0b1c2d3e12',
    description: 'The yearly safety instruction.',
  },
  {
    ...{ number: 'CRANE-3', name: 'Crane Operation', category: 'Trades', body: 0, templates: crane, months: 60 },
    uuid: 'e5a90d37-1c62-4b8f-b04e-7d8c9a0b1f13',
    description: 'Not yet looked at by the certification body.',
    audit: { approval: 1, audit: 0 },
  },
  {
    ...{ number: 'TYPE-4', name: 'Typewriting', category: 'Office', body: 3, templates: office, enabled: false },
    uuid: 'f6b01e48-2d73-4c90-815f-8e9d0b1c2a14',
    description: 'No longer offered.',
  },
  {
    ...{ number: 'NET-5', name: 'Computer Networks', category: 'IT', body: 3, templates: digital, months: 36 },
    description: 'From the cable to the firewall.',
    more: whole,
  },
  {
    ...{ number: 'DIPL-6', name: 'Diploma in Applied Statistics', category: 'Academic', body: 2, templates: diploma },
    description: 'Four terms, with a thesis.',
    more: { moduleUUID: moduleCodes('ACA-1', 'ACA-2'), duration: 2, duration_type: 'YEAR', is_public: 0 },
  },
  {
    ...{ number: 'FORK-7', name: 'Forklift Driving', category: 'Trades', body: 0, templates: trades, months: 12 },
    description: 'The certification body has been named.',
    audit: { approval: 1, audit: 1 },
  },
  {
    ...{ number: 'AID-8', name: 'First Aid', category: 'Health', body: 1, templates: compliance, months: 24 },
    description: 'The audit has begun.',
    audit: { approval: 1, audit: 2 },
  },
  {
    ...{ number: 'MEET-9', name: 'Chairing of Meetings', category: 'Management', body: 2, templates: office },
    description: 'On hold: the certification body has a question.',
    audit: verdicts.held,
  },
  {
    ...{ number: 'ALCH-11', name: 'Alchemy', category: 'Academic', body: 2, templates: diploma },
    description: 'Refused by the certification body.',
    audit: verdicts.rejected,
  },
]

export const seededCourses: readonly CourseRecord[] = seeds.map(seeded)
