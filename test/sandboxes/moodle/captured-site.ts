// Rebuilds the captured site: two courses and four learners with their original ids. The numbers in the test titles of
// this folder are explained in sandboxes/moodle/open-moodle-sandbox.ts.

import { onTestFinished } from 'vitest'
import type { AddedCourse } from '#sandboxes/moodle/controls.ts'
import { type MoodleSandbox, openMoodleSandbox } from '#sandboxes/moodle/open-moodle-sandbox.ts'
import type { MoodleSandboxSettings } from '#sandboxes/moodle/settings.ts'
import { type SteppedClock, steppedClock } from '#test/support/clock.ts'
import { moodleCapture } from '#test/support/moodle-captures.ts'

export interface Lab {
  sandbox: MoodleSandbox
  clock: SteppedClock
  fire: AddedCourse
  food: AddedCourse
  ada: number
  soren: number
  nguyen: number
  noId: number
  /** Makes a REST call with the token, in JSON format; `more` overrides these fields. Returns the parsed answer. */
  call(name: string, more?: Record<string, string>): Promise<unknown>
  /** Sends a form as it is, without adding a token or format. Returns the unparsed answer. */
  send(form: Record<string, string>): Promise<{ status: number; contentType: string; text: string }>
}

/** The captured completion times of Ada and Søren. */
export const adaCompleted = new Date(1795219377_000)
export const sorenCompleted = new Date(1795219417_000)

/** Opens the site, whose clock begins at `start`. It closes when the test ends. */
export async function openLab(
  settings: Partial<MoodleSandboxSettings> = {},
  start = new Date('2026-11-21T00:00:00Z'),
): Promise<Lab> {
  const clock = steppedClock(start)
  const sandbox = await openMoodleSandbox(settings, clock)
  onTestFinished(() => sandbox.close())
  const fire = sandbox.addCourse({
    idnumber: 'CRS-FIRE-101',
    shortname: 'FIRE101',
    fullname: 'Fire safety basics',
    assignment: { name: 'Credential', idnumber: 'FIRE101-cred' },
  })
  const food = sandbox.addCourse({
    idnumber: 'CRS-FOOD-201',
    shortname: 'FOOD201',
    fullname: 'Food hygiene level 2 – Müller & Søn',
  })
  const learner = (firstname: string, lastname: string, name: string, idnumber: string) =>
    sandbox.addLearner({ firstname, lastname, email: `${name}@learners.example`, idnumber }).id
  const ada = learner('Ada', 'Lovelace', 'ada', 'E-1001')
  const soren = learner('Søren', "O'Neill", 'soren', 'E-1002')
  const nguyen = learner('Thị Ánh', 'Nguyễn', 'nguyen', 'E-1003')
  const noId = learner('No', 'Idnumber', 'noid', '')
  for (const each of [ada, soren, nguyen, noId]) sandbox.enroll(each, fire.id)
  for (const each of [soren, ada, nguyen]) sandbox.enroll(each, food.id)

  const send = async (form: Record<string, string>) => {
    const answer = await fetch(`${sandbox.url}/webservice/rest/server.php`, {
      method: 'POST',
      body: new URLSearchParams(form),
    })
    const contentType = answer.headers.get('content-type') ?? ''
    return { status: answer.status, contentType, text: await answer.text() }
  }
  return {
    sandbox,
    clock,
    fire,
    food,
    ada,
    soren,
    nguyen,
    noId,
    send,
    async call(name, more = {}) {
      const always = { wstoken: sandbox.token, wsfunction: name, moodlewsrestformat: 'json' }
      return JSON.parse((await send({ ...always, ...more })).text)
    },
  }
}

/** The real site's answers, with its address replaced by the sandbox's. */
export function captured(name: string, url: string): unknown {
  return JSON.parse(moodleCapture(name).replaceAll(/http:(\\?\/){2}127\.0\.0\.1:8471/g, url))
}
