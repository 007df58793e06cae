// The pages on events, statements and scores: what they show is settings that there are, and that fit each other.

import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { checkSystems } from '#config/named-systems.ts'
import { parseFileSettings } from '#config/settings.ts'
import type { SettingsFault } from '#config/settings-error.ts'
import { titlesOf } from '#src/learning/cells.ts'
import { completionOf, completionVerbs } from '#src/xapi/completion.ts'
import type { JsonObject } from '#src/xapi/json.ts'

const read = (name: string) => readFileSync(join(resolve(import.meta.dirname, '../docs'), name), 'utf8')

/** Every ${NAME} as if it were a secret of Standard Webhooks, which is the one that has a form. */
const secret = `whsec_${'A'.repeat(43)}=`

/** Indented blocks that begin with the member, pipelines behind it and all, without their indent. */
const blocks = (page: string, member: string) =>
  [...page.matchAll(new RegExp(`^ {4}${member}:.*\\n(?: {5}.*\\n| {4}pipelines:.*\\n)*`, 'gm'))].map(([block]) =>
    parse(block.replace(/^ {4}/gm, '').replaceAll(/\$\{\w+\}/g, secret)),
  )

const campus = { type: 'moodle', url: 'https://moodle.example.org', token: 'a-token' }
const pipeline = {
  course: '00000000-0000-4000-8000-000000000001',
  template: '00000000-0000-4000-8000-000000000002',
  badgeTemplate: '00000000-0000-4000-8000-000000000003',
  source: { system: 'campus', course: 'CRS-FIRE-101' },
}

function checked(written: { systems?: object; pipelines?: object }) {
  const systems = { campus, ...written.systems }
  const file = parseFileSettings({ service: { environment: 'development' }, pipelines: {}, ...written, systems })
  const faults: SettingsFault[] = []
  checkSystems(file, faults)
  expect(faults).toEqual([])
  return file
}

test.each([
  ['events.md', 1],
  ['xapi.md', 2],
  ['lti.md', 1],
])('docs/%s shows settings that there are, and that fit each other', (name, count) => {
  const shown = blocks(read(name), 'systems')
  expect(shown).toHaveLength(count)
  for (const each of shown) checked(each)
})

test.each([
  ['events.md', 'auth'],
  ['events.md', 'map'],
])('docs/%s shows every %s as it can be written', (name, member) => {
  const shown = blocks(read(name), member)
  expect(shown.length).toBeGreaterThan(1)
  const one = { type: 'webhook', auth: { type: 'bearer', secret }, map: { learner: '/user', course: '/course' } }
  for (const each of shown) checked({ systems: { shop: { ...one, ...each } } })
})

test.each(['moodle.md', 'events.md'])('docs/%s shows a writeBack as it can be written', (name) => {
  const shown = blocks(read(name), 'writeBack')
  expect(shown.length).toBeGreaterThan(0)
  for (const { writeBack } of shown) checked({ pipelines: { 'fire-safety': { ...pipeline, writeBack } } })
})

test('docs/xapi.md shows a statement that counts for the pipeline that it shows', () => {
  const page = read('xapi.md')
  const [statement = '{}'] = /^ {4}\{ "actor"(?:.*\n)+? {4}.*" \}$/m.exec(page) ?? []
  const lms = checked(blocks(page, 'systems')[1])
  const system = lms.systems.lms
  if (system?.type !== 'xapi') throw new Error('The page has no system lms.')
  const { activityTypes } = system
  const rule = { verbs: Object.values(completionVerbs), activityTypes, coursePointer: null }
  const source = lms.pipelines['fire-safety']?.source
  expect(completionOf(JSON.parse(statement) as JsonObject, rule)).toMatchObject({
    kind: 'completion',
    course: source && 'course' in source ? source.course : 'none',
  })
})

test('docs/events.md and docs/xapi.md name the columns of a completion', () => {
  const shop = checked(blocks(read('events.md'), 'systems')[0]).systems.shop
  expect(shop && titlesOf(shop)).toEqual(['id', 'email', 'course', 'completed', 'First Name', 'Last Name'])
  expect(read('events.md')).toContain(
    '`email`), `course`, `completed` (YYYY-MM-DD in UTC), and the names under `fields`',
  )
  const lms = checked(blocks(read('xapi.md'), 'systems')[1]).systems.lms
  expect(lms && titlesOf(lms)).toEqual(['id', 'email', 'course', 'completed'])
})
