// The certification bodies, with their sponsors and signatories.

import { uuidFor } from '#sandboxes/service/uuid.ts'

const body = (name: string) => ({ certification_uuid: uuidFor(`certification body ${name}`), user_name: name })

const chamber = body('Chamber of Sandbox Trades')
const safety = body('Workplace Safety Board')
const university = body('Sandbox University, Examinations Office')
const digital = body('Institute for Digital Skills')

export const certificationBodies = [chamber, safety, university, digital]

export interface Belonging<T> {
  certification: string
  item: T
}

const sponsor = (of: typeof chamber, sponsor_name: string) => ({
  certification: of.certification_uuid,
  item: { uuid: uuidFor(`sponsor ${sponsor_name}`), sponsor_name },
})

export const sponsors = [
  sponsor(chamber, 'Hammer & Anvil Foundation'),
  sponsor(chamber, 'Northern Steel Works'),
  sponsor(chamber, 'Tool Makers Guild'),
  sponsor(safety, 'Accident Insurance Fund'),
  sponsor(safety, 'Helmet & Harness Ltd'),
  sponsor(university, 'Alumni of Sandbox University'),
  sponsor(university, 'City Library Trust'),
  sponsor(university, 'Ministry of Examples'),
  sponsor(digital, 'Open Network Society'),
  sponsor(digital, 'Punch Card Museum'),
  sponsor(digital, 'Regional Computing Centre'),
  sponsor(digital, 'Women in Engineering Network'),
] satisfies Belonging<object>[]

const signature = (of: typeof chamber, member_name: string, designation_name: string) => ({
  certification: of.certification_uuid,
  item: { uuid: uuidFor(`signature ${member_name}`), member_name, designation: { designation_name } },
})

// Names from novels in the public domain, not of real people.
export const signatures = [
  signature(chamber, 'Elizabeth Bennet', 'Master of Trades'),
  signature(chamber, 'Joe Gargery', 'Head of Examinations'),
  signature(chamber, 'Silas Lapham', 'President'),
  signature(safety, 'Dorothea Brooke', 'Safety Officer'),
  signature(safety, 'Phileas Fogg', 'Inspector'),
  signature(safety, 'Thomas Gradgrind', 'Registrar'),
  signature(university, 'Edward Casaubon', 'Dean'),
  signature(university, 'Jane Eyre', 'Registrar'),
  signature(university, 'Victor Frankenstein', 'Professor'),
  signature(digital, 'Ishmael Starbuck', 'Course Director'),
  signature(digital, 'Irene Adler', 'Head of Certification'),
  signature(digital, 'Nemo Aronnax', 'Director'),
] satisfies Belonging<object>[]
