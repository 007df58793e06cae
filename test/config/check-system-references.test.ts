// Which learning systems a pipeline may name as source and as targets.

import { expect, test } from 'vitest'
import { checkSystemReferences } from '#config/check-system-references.ts'
import { parseFileSettings } from '#config/settings.ts'
import type { SettingsFault } from '#config/settings-error.ts'

const systems = {
  campus: { type: 'moodle', url: 'https://campus.example.org', token: 'a-token' },
  other: { type: 'moodle', url: 'https://other.example.org', token: 'a-token' },
  canvas: { type: 'canvas', url: 'https://canvas.example.org', token: 'a-token' },
  platform: { type: 'lti', clientId: 'us', tokenUrl: 'https://lms.example.org/token', privateKey: 'a-key' },
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

function faultsOf(pipeline: object): string {
  const course = '11111111-1111-4111-8111-111111111111'
  const file = parseFileSettings({
    service: { environment: 'development' },
    systems,
    pipelines: { spring: { course, template: course, badgeTemplate: course, ...pipeline } },
  })
  const faults: SettingsFault[] = []
  checkSystemReferences(file, faults)
  return faults.map(({ sentence }) => sentence).join('\n')
}

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
