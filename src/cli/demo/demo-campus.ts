// The campus of `demo --lms`: a Moodle site with a course and three learners, and the settings that connect it to the
// sandbox of the service.

import { randomBytes } from 'node:crypto'
import { parseFileSettings, type Settings } from '#config/settings.ts'
import type { Clock } from '#src/platform/time/clock.ts'
import type { MoodleSandbox } from '#src/sandboxes/moodle/open-moodle-sandbox.ts'
import type { Sandbox } from '#src/sandboxes/service/open-sandbox.ts'
import { type DemoStorage, demoSettings } from './demo-settings.ts'

export interface DemoLearner {
  /** Moodle's own id. */
  id: number
  name: string
}

export interface Campus {
  lms: MoodleSandbox
  course: number
  learners: readonly [DemoLearner, DemoLearner, DemoLearner]
  settings: Settings
  /** Makes Moodle send its events to this address of the worker. */
  sendTo(url: string): void
}

export const pipelineName = 'fire-safety'
export const profileFields = { credid: 'credential', credurl: 'link', credstatus: 'status' } as const
const courseCode = 'CRS-FIRE-101'

/** The caller closes `lms`. */
export async function openCampus(sandbox: Sandbox, storage: DemoStorage, clock: Clock): Promise<Campus> {
  const { openMoodleSandbox } = await import('#src/sandboxes/moodle/open-moodle-sandbox.ts')
  const lms = await openMoodleSandbox({ token: newSecret(), reviewsEnrollments: true }, clock)
  for (const shortname of Object.keys(profileFields)) lms.addProfileField({ shortname, name: shortname })
  const { id: course } = lms.addCourse({ idnumber: courseCode, shortname: 'FIRE101', fullname: 'Fire safety basics' })
  const enroll = (firstname: string, lastname: string, idnumber: string): DemoLearner => {
    const email = `${firstname.toLowerCase()}@example.org`
    const { id } = lms.addLearner({ firstname, lastname, email, idnumber })
    lms.enroll(id, course)
    return { id, name: `${firstname} ${lastname}` }
  }
  const secrets = { webhook: newSecret(), statements: newSecret() }
  return {
    lms,
    course,
    learners: [
      enroll('Ada', 'Lovelace', 'E-1001'),
      enroll('Grace', 'Hopper', 'E-1002'),
      enroll('Alan', 'Turing', 'E-1003'),
    ],
    settings: campusSettings(sandbox, lms, storage, secrets),
    sendTo(url) {
      lms.sendEventsTo({
        webhook: { url: `${url}/events/campus-webhook`, token: secrets.webhook },
        xapi: { endpoint: `${url}/xapi/campus-xapi`, user: 'moodle', password: secrets.statements },
      })
    },
  }
}

function campusSettings(
  sandbox: Sandbox,
  lms: MoodleSandbox,
  storage: DemoStorage,
  secrets: { webhook: string; statements: string },
): Settings {
  const [course] = sandbox.courses
  if (!course) throw new Error('The sandbox has no course.')
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
        course: course.uuid,
        template: course.templateUuid,
        badgeTemplate: course.badgeTemplateUuid,
        source: { system: 'campus', course: courseCode },
        columns: { Email: 'email', 'Primary Value': { value: 'Email' } },
        options: { publicLink: true },
        writeBack: [{ to: 'moodle-profile', system: 'campus', fields: profileFields }],
      },
    },
    reconcile: { every: '500ms', slowest: '2s' },
    web: { port: 0 },
  })
  return demoSettings(sandbox, storage, file)
}

const newSecret = () => randomBytes(16).toString('hex')
