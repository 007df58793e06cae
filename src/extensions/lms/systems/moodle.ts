// The system kind for Moodle, which is polled, confirms events, and shows outcomes in profiles and assignments.

import { type Moodle, openMoodle } from '#src/extensions/lms/moodle/open-moodle.ts'
import { Secret } from '#src/platform/secret.ts'
import { checkMoodle } from './moodle-check.ts'
import { pollableMoodle } from './moodle-completions.ts'
import { moodleSettings } from './moodle-settings.ts'
import { defineSystem } from './system-kind.ts'

export const moodleSystem = defineSystem<typeof moodleSettings, Moodle>({
  type: 'moodle',
  settings: moodleSettings,
  address: 'url',
  columns: () => ['id', 'idnumber', 'username', 'firstname', 'lastname', 'email', 'course', 'coursename', 'completed'],
  open({ send, clock, gateFor }, { url, token, perSecond, atOnce }, name) {
    const gate = gateFor(name, { perSecond, atOnce })
    return openMoodle({ url, token: new Secret(token), send, clock, gate })
  },
  poll: ({ name, settings, client }) => pollableMoodle({ name, settings, moodle: client }),
  check: checkMoodle,
})
