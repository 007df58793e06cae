// Checks the pages on Canvas, events, statements and scores: the settings that they show are valid and fit together.

import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import type { SettingsFault } from '#config/read-variable.ts'
import { parseFileSettings } from '#config/settings.ts'
import { checkSystemReferences } from '#src/extensions/lms/settings/check-references.ts'
import { systemKindOf } from '#src/extensions/lms/systems/registry.ts'
import { completionOf } from '#src/extensions/lms/xapi/completion.ts'
import type { Statement } from '#src/extensions/lms/xapi/statement.ts'
import { toolKey } from '#test/src/extensions/lms/lti/lti-platform.ts'

const read = (name: string) => readFileSync(join(resolve(import.meta.dirname, '../../docs'), name), 'utf8')

/** Replaces every ${NAME} but that of a private key. */
const secret = `whsec_${'A'.repeat(43)}=`

/** Indented blocks that begin with the member, including pipelines after it, without their indent. */
const blocks = (page: string, member: string) =>
  [...page.matchAll(new RegExp(`^ {4}${member}:.*\\n(?: {5}.*\\n| {4}pipelines:.*\\n)*`, 'gm'))].map(([block]) =>
    parse(
      block
        .replace(/^ {4}/gm, '')
        .replace(/\$\{LTI_KEY\}/, () => JSON.stringify(toolKey.reveal()))
        .replaceAll(/\$\{\w+\}/g, secret),
    ),
  )

const campus = { type: 'moodle', url: 'https://moodle.example.org', token: 'a-token' }
const pipeline = {
  course: '00000000-0000-4000-8000-000000000001',
  template: '00000000-0000-4000-8000-000000000002',
  badgeTemplate: '00000000-0000-4000-8000-000000000003',
  source: { system: 'campus', course: 'CRS-FIRE-101' },
}

function parseAndCheck(written: { systems?: object; pipelines?: object }) {
  const systems = { campus, ...written.systems }
  const file = parseFileSettings({ service: { environment: 'development' }, pipelines: {}, ...written, systems })
  const faults: SettingsFault[] = []
  checkSystemReferences(file, faults)
  expect(faults).toEqual([])
  return file
}

test.each([
  ['canvas.md', 2],
  ['events.md', 1],
  ['xapi.md', 2],
  ['lti.md', 1],
])('docs/%s shows valid settings that fit together', (name, count) => {
  const examples = blocks(read(name), 'systems')
  expect(examples).toHaveLength(count)
  for (const example of examples) parseAndCheck(example)
})

test.each([
  ['events.md', 'auth'],
  ['events.md', 'map'],
])('docs/%s shows every %s in a valid form', (name, member) => {
  const examples = blocks(read(name), member)
  expect(examples.length).toBeGreaterThan(1)
  const webhook = { type: 'webhook', auth: { type: 'bearer', secret }, map: { learner: '/user', course: '/course' } }
  for (const example of examples) parseAndCheck({ systems: { shop: { ...webhook, ...example } } })
})

test.each(['moodle.md', 'events.md'])('docs/%s shows a valid writeBack', (name) => {
  const examples = blocks(read(name), 'writeBack')
  expect(examples.length).toBeGreaterThan(0)
  for (const { writeBack } of examples) parseAndCheck({ pipelines: { 'fire-safety': { ...pipeline, writeBack } } })
})

test('docs/xapi.md shows a statement that counts for the pipeline it shows', () => {
  const page = read('xapi.md')
  const [statement = '{}'] = /^ {4}\{ "actor"(?:.*\n)+? {4}.*" \}$/m.exec(page) ?? []
  const lms = parseAndCheck(blocks(page, 'systems')[1])
  const system = lms.systems.lms
  if (system?.type !== 'xapi') throw new Error('The page has no system lms.')
  const { activityTypes } = system
  const source = lms.pipelines['fire-safety']?.source
  expect(completionOf(JSON.parse(statement) as Statement, { activityTypes, coursePointer: null })).toMatchObject({
    kind: 'completion',
    course: source && 'course' in source ? source.course : 'none',
  })
})

test('docs/events.md and docs/xapi.md name the columns of a completion', () => {
  const shop = parseAndCheck(blocks(read('events.md'), 'systems')[0]).systems.shop
  expect(shop && systemKindOf(shop).columns(shop)).toEqual([
    'id',
    'email',
    'course',
    'completed',
    'First Name',
    'Last Name',
  ])
  expect(read('events.md').replace(/\s+/g, ' ')).toContain(
    '`email`), `course`, `completed` (YYYY-MM-DD in UTC), and the names under `fields`',
  )
  const lms = parseAndCheck(blocks(read('xapi.md'), 'systems')[1]).systems.lms
  expect(lms && systemKindOf(lms).columns(lms)).toEqual(['id', 'email', 'course', 'completed'])
})

test('docs/canvas.md names the columns of a completion', () => {
  const page = read('canvas.md')
  const [sentence = ''] = /^The columns of a completion:[\s\S]*?\n\n/m.exec(page) ?? []
  const named = [...(sentence.split('First and last')[0]?.matchAll(/`([a-z]+)`/g) ?? [])].map((match) => match[1])
  const { campus: canvas } = parseAndCheck(blocks(page, 'systems')[0]).systems
  expect(named).toEqual(canvas && systemKindOf(canvas).columns(canvas))
})
