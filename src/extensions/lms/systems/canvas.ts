// The system kind for Canvas, which is polled, confirms events, and shows outcomes in the gradebook.

import { type Canvas, openCanvas } from '#src/extensions/lms/canvas/open-canvas.ts'
import { Secret } from '#src/platform/secret.ts'
import { checkCanvas } from './canvas-check.ts'
import { pollableCanvas } from './canvas-completions.ts'
import { canvasSettings } from './canvas-settings.ts'
import { defineSystem } from './system-kind.ts'

export const canvasSystem = defineSystem<typeof canvasSettings, Canvas>({
  type: 'canvas',
  settings: canvasSettings,
  address: 'url',
  columns: () => [
    ...['id', 'idnumber', 'username', 'firstname', 'lastname', 'name'],
    ...['email', 'course', 'coursename', 'completed'],
  ],
  open({ send, clock, gateFor }, { url, token, perSecond }, name) {
    // According to Canvas's page on throttling, a client that makes one call at a time is rarely throttled.
    const gate = gateFor(name, { perSecond, atOnce: 1 })
    return openCanvas({ url, token: new Secret(token), send, clock, gate })
  },
  poll: ({ name, settings, client }) => pollableCanvas({ name, settings, canvas: client }),
  courseFault: (course) =>
    /^(\d{1,19}|sis_course_id:.+)$/.test(course)
      ? null
      : 'is not a Canvas course; write the id of the course, which is the number in its address, or sis_course_id: and its SIS id',
  check: checkCanvas,
})
