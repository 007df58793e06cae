// The Moodle site of `demo --lms`: a course and three learners, and the settings that connect it to the sandbox of the
// service. Its webhook reports a completion at once, and its xAPI plugin with the next batch.

import { parseFileSettings } from '#config/settings.ts'
import type { Sandbox } from '#sandboxes/service/open-sandbox.ts'
import { type DemoStorage, demoSettings } from '#src/cli/demo/demo-storage.ts'
import { moodleSystem } from '#src/extensions/lms/systems/moodle.ts'
import type { Clock } from '#src/platform/time/clock.ts'
import { type Campus, campusPipeline, newSecret, people } from './demo-campus.ts'

const profileFields = { credid: 'credential', credurl: 'link', credstatus: 'status' } as const
const fields = Object.keys(profileFields)
const courseCode = 'CRS-FIRE-101'

export async function openMoodleCampus(sandbox: Sandbox, storage: DemoStorage, clock: Clock): Promise<Campus> {
  const { openMoodleSandbox } = await import('#sandboxes/moodle/open-moodle-sandbox.ts')
  const lms = await openMoodleSandbox({ token: newSecret(), reviewsEnrollments: true }, clock)
  for (const shortname of fields) lms.addProfileField({ shortname, name: shortname })
  const { id: course } = lms.addCourse({ idnumber: courseCode, shortname: 'FIRE101', fullname: 'Fire safety basics' })
  const [ada, grace, alan] = people.map((person) => {
    const { id } = lms.addLearner({ ...person, email: `${person.firstname.toLowerCase()}@example.org` })
    lms.enroll(id, course)
    return { id, name: `${person.firstname} ${person.lastname}` }
  }) as [{ id: number; name: string }, { id: number; name: string }, { id: number; name: string }]
  const secrets = { webhook: newSecret(), statements: newSecret() }
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
    ...campusPipeline(sandbox, courseCode, { to: 'moodle-profile', system: 'campus', fields: profileFields }),
  })
  return {
    ...{ name: 'Moodle', page: 'docs/moodle.md', place: 'the profile', fields },
    learners: [ada, grace, alan].map(({ id, name }) => ({ id: String(id), name })) as unknown as Campus['learners'],
    settings: demoSettings(sandbox, storage, file),
    sendTo(url) {
      lms.sendEventsTo({
        webhook: { url: `${url}/events/campus-webhook`, token: secrets.webhook },
        xapi: { endpoint: `${url}/xapi/campus-xapi`, user: 'moodle', password: secrets.statements },
      })
      return "Moodle's plugins send to /events/campus-webhook and /xapi/campus-xapi there."
    },
    completeWithEvent: () => lms.complete(ada.id, course),
    async completeWithoutEvent() {
      lms.sendEventsTo({ webhook: null })
      await lms.complete(grace.id, course)
      await lms.complete(alan.id, course)
      await lms.cron()
      return [
        `The webhook was switched off, and ${grace.name} and ${alan.name} completed the course. The xAPI plugin's next batch`,
        `reported all three, ${ada.name} a second time`,
      ]
    },
    async shown({ learning }, { id }) {
      const profile = await learning.client(moodleSystem, 'campus').readProfile(Number(id))
      return Object.fromEntries(fields.map((field) => [field, profile?.get(field) ?? '']))
    },
    events() {
      const sent = lms.journal().filter((entry) => entry.kind === 'sent')
      const count = (channel: string) =>
        sent.reduce((sum, entry) => sum + (entry.channel === channel ? entry.events : 0), 0)
      return { webhook: count('webhook'), xapi: count('xapi') }
    },
    close: () => lms.close(),
  }
}
