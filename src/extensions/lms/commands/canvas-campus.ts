// The Canvas site of `demo --lms canvas`: a course and three learners, and the settings that connect it to the sandbox of
// the service. A Live Event reports one completion; the poll finds the others.

import { parseFileSettings } from '#config/settings.ts'
import type { Sandbox } from '#sandboxes/service/open-sandbox.ts'
import { type DemoStorage, demoSettings } from '#src/cli/demo/demo-storage.ts'
import type { Clock } from '#src/platform/time/clock.ts'
import { type Campus, campusPipeline, newSecret, people } from './demo-campus.ts'

const columns = { Credential: 'credential', 'Credential link': 'link', 'Credential status': 'status' } as const

export async function openCanvasCampus(sandbox: Sandbox, storage: DemoStorage, clock: Clock): Promise<Campus> {
  const { openCanvasSandbox } = await import('#sandboxes/canvas/open-canvas-sandbox.ts')
  const lms = await openCanvasSandbox({ token: newSecret() }, clock)
  const learners = people.map(({ firstname, lastname, idnumber }) =>
    lms.enroll(firstname, {
      name: `${firstname} ${lastname}`,
      sortable_name: `${lastname}, ${firstname}`,
      sis_user_id: idnumber,
    }),
  )
  const [ada, grace, alan] = learners as [(typeof learners)[0], (typeof learners)[0], (typeof learners)[0]]
  const event = { url: '', secret: newSecret() }
  let sent = 0
  const send = async () => {
    sent++
    await lms.sendEvent(ada, event)
  }
  const now = () => clock.now().toISOString()
  const file = parseFileSettings({
    service: { environment: 'development' },
    systems: {
      campus: { type: 'canvas', url: lms.url, token: lms.token, every: '2s' },
      // Live Events are signed by the vendor's key, which the demo does not have.
      'campus-events': {
        type: 'webhook',
        auth: { type: 'bearer', secret: event.secret },
        map: { preset: 'canvas' },
        confirm: 'campus',
      },
    },
    ...campusPipeline(sandbox, String(lms.course.id), { to: 'canvas-columns', system: 'campus', columns }),
  })
  return {
    ...{
      name: 'Canvas',
      page: 'docs/canvas.md',
      place: 'the gradebook',
      fields: Object.keys(columns),
      learners: [ada, grace, alan],
    },
    settings: demoSettings(sandbox, storage, file),
    sendTo(url) {
      event.url = `${url}/events/campus-events`
      return 'Canvas sends its Live Events to /events/campus-events there.'
    },
    async completeWithEvent() {
      lms.complete(ada, now())
      await send()
    },
    async completeWithoutEvent() {
      for (const learner of [grace, alan]) lms.complete(learner, now())
      await send()
      return [
        `${grace.name} and ${alan.name} completed the course, and no event came: the next poll found them. The event about`,
        `${ada.name} came a second time`,
      ]
    },
    shown: async (_, { id }) =>
      Object.fromEntries(
        Object.keys(columns).map((title) => [
          title,
          lms.columns.find((each) => each.title === title)?.cells.get(id) ?? '',
        ]),
      ),
    events: () => ({ webhook: sent }),
    close: () => lms.close(),
  }
}
