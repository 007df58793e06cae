// Where outcomes may be told, by where the learners come from.

import { expect, test } from 'vitest'
import { checkSystems } from '#config/named-systems.ts'
import { parseFileSettings } from '#config/settings.ts'
import type { SettingsFault } from '#config/settings-error.ts'

const systems = {
  campus: { type: 'moodle', url: 'https://campus.example.org', token: 'a-token' },
  other: { type: 'moodle', url: 'https://other.example.org', token: 'a-token' },
  canvas: { type: 'canvas', url: 'https://canvas.example.org', token: 'a-token' },
  platform: { type: 'lti', clientId: 'us', tokenUrl: 'https://lms.example.org/token', privateKey: 'a-key' },
  open: { type: 'xapi', user: 'lms', password: 'a-password' },
  named: { type: 'xapi', user: 'lms', password: 'a-password', homePage: 'https://lms.example.org' },
}
const profile = (system: string) => ({ to: 'moodle-profile', system, fields: { credid: 'credential' } })
const webhook = { to: 'webhook', url: 'https://we.example.org/hear', secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' }
const columns = (system: string) => ({ to: 'canvas-columns', system, columns: { Credential: 'credential' } })
const source = { system: 'campus', course: 'FIRE-1' }
const score = { to: 'lti', system: 'platform', lineItem: 'https://lms.example.org/items/1' }

function faultsOf(pipeline: object): string {
  const course = '11111111-1111-4111-8111-111111111111'
  const file = parseFileSettings({
    service: { environment: 'development' },
    systems,
    pipelines: { spring: { course, template: course, badgeTemplate: course, ...pipeline } },
  })
  const faults: SettingsFault[] = []
  checkSystems(file, faults)
  return faults.map(({ sentence }) => sentence).join('\n')
}

test.each([
  ['the Moodle that told of the learner', { source, writeBack: [profile('campus')] }],
  ['a webhook of a pipeline of files', { writeBack: [webhook] }],
  ['a platform whose accounts the statements name', { source: { ...source, system: 'named' }, writeBack: [score] }],
  ['a profile and a webhook', { source, writeBack: [profile('campus'), webhook] }],
  ['a Canvas by its id', { source: { system: 'canvas', course: '7' }, writeBack: [columns('canvas')] }],
  ['a Canvas by the SIS id', { source: { system: 'canvas', course: 'sis_course_id:CS/1' }, writeBack: [webhook] }],
])('%s may be told', (_, pipeline) => {
  expect(faultsOf(pipeline)).toBe('')
})

test.each([
  [
    'another Moodle, whose learner of that id is somebody else',
    { source, writeBack: [profile('other')] },
    /somebody else/,
  ],
  ['a Moodle of people whom a file named', { writeBack: [profile('campus')] }, /learning system told of/],
  ['a platform of accounts of any system', { source: { ...source, system: 'open' }, writeBack: [score] }, /homePage/],
  ['the profiles twice', { source, writeBack: [profile('campus'), profile('campus')] }, /second time/],
  ['a gradebook of a Moodle', { source, writeBack: [columns('campus')] }, /needs one of type canvas/],
  [
    'a gradebook twice',
    { source: { system: 'canvas', course: '7' }, writeBack: [columns('canvas'), columns('canvas')] },
    /second time/,
  ],
  ['a Canvas of a course that is none', { source: { system: 'canvas', course: 'CS/1' } }, /sis_course_id: and/],
  ['one url twice', { source, writeBack: [webhook, webhook] }, /second time/],
])('%s may not be told', (_, pipeline, why) => {
  expect(faultsOf(pipeline)).toMatch(why)
})
