// Where outcomes may be told, by where the learners come from.

import { expect, test } from 'vitest'
import { checkSystems } from '#config/named-systems.ts'
import { parseFileSettings } from '#config/settings.ts'
import type { SettingsFault } from '#config/settings-error.ts'

const systems = {
  campus: { type: 'moodle', url: 'https://campus.example.org', token: 'a-token' },
  other: { type: 'moodle', url: 'https://other.example.org', token: 'a-token' },
}
const profile = (system: string) => ({ to: 'moodle-profile', system, fields: { credid: 'credential' } })
const webhook = { to: 'webhook', url: 'https://we.example.org/hear', secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' }
const source = { system: 'campus', course: 'FIRE-1' }

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
  ['a profile and a webhook', { source, writeBack: [profile('campus'), webhook] }],
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
  ['the profiles twice', { source, writeBack: [profile('campus'), profile('campus')] }, /second time/],
  ['one url twice', { source, writeBack: [webhook, webhook] }, /second time/],
])('%s may not be told', (_, pipeline, why) => {
  expect(faultsOf(pipeline)).toMatch(why)
})
