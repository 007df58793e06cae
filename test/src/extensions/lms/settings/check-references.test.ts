// Which learning systems a pipeline may name as source and as targets.

import { expect, test } from 'vitest'
import type { SettingsFault } from '#config/read-variable.ts'
import { parseFileSettings } from '#config/settings.ts'
import { checkSystemReferences } from '#src/extensions/lms/settings/check-references.ts'
import { toolKey } from '#test/src/extensions/lms/lti/lti-platform.ts'

const systems = {
  campus: { type: 'moodle', url: 'https://campus.example.org', token: 'a-token' },
  other: { type: 'moodle', url: 'https://other.example.org', token: 'a-token' },
  canvas: { type: 'canvas', url: 'https://canvas.example.org', token: 'a-token' },
  platform: { type: 'lti', clientId: 'us', tokenUrl: 'https://lms.example.org/token', privateKey: toolKey.reveal() },
  open: { type: 'xapi', user: 'lms', password: 'a-password-that-is-long-enough' },
  named: { type: 'xapi', user: 'lms', password: 'a-password-that-is-long-enough', homePage: 'https://lms.example.org' },
}
const profile = (system: string) => ({ to: 'moodle-profile', system, fields: { credid: 'credential' } })
const webhook = {
  to: 'webhook',
  url: 'https://hooks.example.org/outcomes',
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
}
const columns = (system: string) => ({ to: 'canvas-columns', system, columns: { Credential: 'credential' } })
const source = { system: 'campus', course: 'FIRE-1' }
const assignment = { to: 'moodle-assignment', system: 'campus', assignment: '7' }
const score = { to: 'lti', system: 'platform', lineItem: 'https://lms.example.org/items/1' }

function allFaults(pipeline: object, known: object = systems): SettingsFault[] {
  const course = '11111111-1111-4111-8111-111111111111'
  const file = parseFileSettings({
    service: { environment: 'development' },
    systems: known,
    pipelines: { spring: { course, template: course, badgeTemplate: course, ...pipeline } },
  })
  const faults: SettingsFault[] = []
  checkSystemReferences(file, faults)
  return faults
}

const faultsOf = (pipeline: object) =>
  allFaults(pipeline)
    .map(({ sentence }) => sentence)
    .join('\n')

test.each([
  ['the Moodle site that reported the learner', { source, writeBack: [profile('campus')] }],
  ['a webhook of a pipeline of files', { writeBack: [webhook] }],
  [
    'an LTI platform whose home page the statements name',
    { source: { ...source, system: 'named' }, writeBack: [score] },
  ],
  ['a profile and a webhook', { source, writeBack: [profile('campus'), webhook] }],
  [
    'a Canvas site whose course is named by its id',
    { source: { system: 'canvas', course: '7' }, writeBack: [columns('canvas')] },
  ],
  [
    'a webhook for a Canvas course that is named by its SIS id',
    { source: { system: 'canvas', course: 'sis_course_id:CS/1' }, writeBack: [webhook] },
  ],
])('%s is allowed as a target', (_, pipeline) => {
  expect(faultsOf(pipeline)).toBe('')
})

test.each([
  [
    'another Moodle site, where the same id is another learner',
    { source, writeBack: [profile('other')] },
    /somebody else/,
  ],
  ['a Moodle site for people from a file', { writeBack: [profile('campus')] }, /needs learners from a learning system/],
  [
    'an LTI platform without the home page of the statements’ accounts',
    { source: { ...source, system: 'open' }, writeBack: [score] },
    /homePage/,
  ],
  [
    'the profiles of one Moodle site twice',
    { source, writeBack: [profile('campus'), profile('campus')] },
    /second time/,
  ],
  ['a gradebook of a Moodle site', { source, writeBack: [columns('campus')] }, /needs one of type canvas/],
  [
    'one gradebook twice',
    { source: { system: 'canvas', course: '7' }, writeBack: [columns('canvas'), columns('canvas')] },
    /second time/,
  ],
  ['a Canvas site with an invalid course', { source: { system: 'canvas', course: 'CS/1' } }, /sis_course_id: and/],
  [
    'one line item twice',
    { source: { ...source, system: 'named' }, writeBack: [score, score] },
    /names a line item of platform a second time/,
  ],
  [
    'one assignment twice',
    { source, writeBack: [assignment, assignment] },
    /names the assignment 7 of campus a second time/,
  ],
  ['one url twice', { source, writeBack: [webhook, webhook] }, /second time/],
])('%s is not allowed as a target', (_, pipeline, why) => {
  expect(faultsOf(pipeline)).toMatch(why)
})

const events = (confirm?: string) => ({
  ...{ type: 'webhook', auth: { type: 'bearer', secret: 'x'.repeat(24) }, map: { learner: '/l', course: '/c' } },
  ...(confirm === undefined ? {} : { confirm }),
})
const sourceWhere = 'pipelines.spring.source.system'
const listed = 'Its systems are: campus, other, canvas, platform, open, named.'

test.each<[string, object, object | undefined, SettingsFault[]]>([
  [
    'a source that does not exist',
    { source: { system: 'campas', course: '1' } },
    undefined,
    [{ where: sourceWhere, sentence: `names "campas", which is not in \`systems\`. ${listed}` }],
  ],
  [
    'a source with the name of a property of every object, where no system is',
    { source: { system: 'constructor', course: '1' } },
    {},
    [{ where: sourceWhere, sentence: 'names "constructor", which is not in `systems`. It is empty.' }],
  ],
  [
    'a source that reports no completions',
    { source: { system: 'platform', course: '1' } },
    undefined,
    [
      {
        where: sourceWhere,
        sentence: 'names platform, which is of type lti; a system of this type reports no completions',
      },
    ],
  ],
  [
    'a source whose events another system confirms',
    { source: { system: 'hints', course: '1' } },
    { ...systems, hints: events('campus') },
    [
      {
        where: sourceWhere,
        sentence: 'names hints, whose events are confirmed by campus; name campus instead',
      },
    ],
  ],
  [
    'events that a system confirms which does not exist, or cannot',
    {},
    { ...systems, one: events('nobody'), two: events('open'), three: events() },
    [
      {
        where: 'systems.one.confirm',
        sentence: `names "nobody", which is not in \`systems\`. ${listed.slice(0, -1)}, one, two, three.`,
      },
      {
        where: 'systems.two.confirm',
        sentence: 'names open, which is of type xapi; only one of type moodle or canvas can confirm',
      },
    ],
  ],
  [
    'a course that its system cannot have',
    { source: { system: 'canvas', course: 'CS/1' } },
    undefined,
    [{ where: 'pipelines.spring.source.course', sentence: expect.stringContaining('is not a Canvas course') }],
  ],
  [
    'a target of another system, and one of the wrong type, each by its place in the list',
    { source, writeBack: [webhook, profile('other'), profile('canvas')] },
    undefined,
    [
      {
        where: 'pipelines.spring.writeBack.1',
        sentence:
          'names other, and the completions come from campus: the same learner id belongs to somebody else in other',
      },
      {
        where: 'pipelines.spring.writeBack.2',
        sentence:
          'names canvas, and the completions come from campus: the same learner id belongs to somebody else in canvas',
      },
      {
        where: 'pipelines.spring.writeBack.2.system',
        sentence: expect.stringMatching(/^names canvas, which is of type canvas; .*needs one of type moodle/),
      },
    ],
  ],
])('%s is reported where it is', (_, pipeline, known, faults) => {
  expect(allFaults(pipeline, known)).toEqual(faults)
})
