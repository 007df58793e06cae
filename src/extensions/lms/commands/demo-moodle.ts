// The Moodle site of `demo --lms`: a course and three learners, and the settings that connect it to the sandbox of the
// service. Its webhook reports a completion at once, and its xAPI plugin with the next batch.

import { randomBytes } from 'node:crypto'
import { parseFileSettings } from '#config/settings.ts'
import type { Sandbox } from '#sandboxes/service/open-sandbox.ts'
import type { App } from '#src/app/app.ts'
import { type DemoStorage, demoSettings } from '#src/cli/demo/demo-storage.ts'
import { moodleSystem } from '#src/extensions/lms/systems/moodle.ts'
import type { Clock } from '#src/platform/time/clock.ts'

export type Campus = Awaited<ReturnType<typeof openMoodleCampus>>

export const pipelineName = 'fire-safety'
const profileFields = { credid: 'credential', credurl: 'link', credstatus: 'status' } as const
const courseCode = 'CRS-FIRE-101'
const people = [
  { firstname: 'Ada', lastname: 'Lovelace', idnumber: 'E-1001' },
  { firstname: 'Grace', lastname: 'Hopper', idnumber: 'E-1002' },
  { firstname: 'Alan', lastname: 'Turing', idnumber: 'E-1003' },
] as const

export interface DemoLearner {
  id: number
  name: string
}

const newSecret = () => randomBytes(16).toString('hex')

export async function openMoodleCampus(sandbox: Sandbox, storage: DemoStorage, clock: Clock) {
  const { openMoodleSandbox } = await import('#sandboxes/moodle/open-moodle-sandbox.ts')
  const lms = await openMoodleSandbox({ token: newSecret(), reviewsEnrollments: true }, clock)
  const fields = Object.keys(profileFields)
  for (const shortname of fields) lms.addProfileField({ shortname, name: shortname })
  const { id: course } = lms.addCourse({ idnumber: courseCode, shortname: 'FIRE101', fullname: 'Fire safety basics' })
  const [ada, grace, alan] = people.map((person) => {
    const { id } = lms.addLearner({ ...person, email: `${person.firstname.toLowerCase()}@example.org` })
    lms.enroll(id, course)
    return { id, name: `${person.firstname} ${person.lastname}` }
  }) as [DemoLearner, DemoLearner, DemoLearner]
  const secrets = { webhook: newSecret(), statements: newSecret() }
  const [issued] = sandbox.courses
  const file = parseFileSettings({
    service: { environment: 'development' },
    systems: {
      campus: { type: 'moodle', url: lms.url, token: lms.token },
      'campus-webhook': {
        type: 'webhook',
        auth: { type: 'body', pointer: '/token', secret: secrets.webhook },
        map: { preset: 'moodle-webhook' },
        confirm: 'campus',
      },
      'campus-xapi': { type: 'xapi', user: 'moodle', password: secrets.statements, confirm: 'campus' },
    },
    pipelines: {
      [pipelineName]: {
        course: issued?.uuid,
        template: issued?.templateUuid,
        badgeTemplate: issued?.badgeTemplateUuid,
        source: { system: 'campus', course: courseCode },
        columns: { Email: 'email', 'Primary Value': { value: 'Email' } },
        options: { publicLink: true },
        writeBack: [{ to: 'moodle-profile', system: 'campus', fields: profileFields }],
      },
    },
    reconcile: { every: '500ms', slowest: '2s' },
    web: { port: 0 },
  })
  return {
    learners: [ada, grace, alan] as const,
    settings: demoSettings(sandbox, storage, file),
    /** What is shown in a profile, in the order of the table. */
    fields,
    /** Makes Moodle send its events to this address of the worker. */
    sendTo: (url: string) =>
      lms.sendEventsTo({
        webhook: { url: `${url}/events/campus-webhook`, token: secrets.webhook },
        xapi: { endpoint: `${url}/xapi/campus-xapi`, user: 'moodle', password: secrets.statements },
      }),
    /** The first learner completes the course, and the webhook reports it. */
    completeWithEvent: () => lms.complete(ada.id, course),
    /** The other two complete the course without the webhook. The next batch of statements reports all three. */
    async completeWithoutEvent() {
      lms.sendEventsTo({ webhook: null })
      await lms.complete(grace.id, course)
      await lms.complete(alan.id, course)
      await lms.cron()
    },
    /** What the profile shows of a learner's credential, by field; empty strings for what it does not show. */
    async shown({ learning }: App, { id }: DemoLearner): Promise<Record<string, string>> {
      const profile = await learning.client(moodleSystem, 'campus').readProfile(id)
      return Object.fromEntries(fields.map((field) => [field, profile?.get(field) ?? '']))
    },
    /** The number of events sent, by channel. */
    events() {
      const sent = lms.journal().filter((entry) => entry.kind === 'sent')
      const count = (channel: string) =>
        sent.reduce((sum, entry) => sum + (entry.channel === channel ? entry.events : 0), 0)
      return { webhook: count('webhook'), xapi: count('xapi') }
    },
    close: () => lms.close(),
  }
}
