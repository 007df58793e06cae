// What whoever opened the learning system does in it: the teacher's, the learner's, the administrator's and cron's hand.

import type { Clock } from '#src/time/clock.ts'
import { Completions } from './completions.ts'
import type { Happening } from './events/happening.ts'
import { sendWebhook, type WebhookTarget } from './events/webhook.ts'
import type { XapiLog, XapiTarget } from './events/xapi-log.ts'
import type { MoodleJournal } from './journal.ts'
import type { ProfileField } from './records.ts'
import type { NewCourse, NewLearner, Site } from './site.ts'

/** Numbers of what was made. */
export interface AddedCourse {
  id: number
  /** Course modules of the criteria, in their order. */
  criteria: readonly number[]
  assignment: { id: number; cmid: number } | null
  /** Address of the LTI line item, with its query; null without one. */
  lineItem: string | null
}

/** Learners and courses are named by their numbers; an unknown one is MoodleError invalidrecord. */
export interface SiteControls {
  addCourse(course: NewCourse): AddedCourse
  /** The course is gone, with all that is in it. */
  removeCourse(course: number): void
  addLearner(learner: NewLearner): { id: number }
  /** Another hand writes into a profile field, as a form or a synchronisation does. */
  overwrite(learner: number, field: string, text: string): void
  /** What the learner, or whoever looks after accounts, mends in the profile. */
  change(learner: number, profile: Partial<Pick<NewLearner, 'firstname' | 'lastname' | 'email' | 'idnumber'>>): void
  addProfileField(field: ProfileField): void
  enrol(learner: number, course: number): void
  /** Status calls answer usernotenroled from now on (37), and the report has the row no more. The progress is kept. */
  unenrol(learner: number, course: number): void
  /** Ticks one criterion, or all that are left; whether the course is complete is for cron to decide. */
  tick(learner: number, course: number, at?: Date, cmid?: number): Promise<void>
  /** Takes a tick away: an event goes out, the completion stays (06, 12). */
  untick(learner: number, course: number, cmid: number, at?: Date): Promise<void>
  /** Ticks all that are left, and the course is complete in the same request (04). Resolves when the webhook was answered. */
  complete(learner: number, course: number, at?: Date): Promise<void>
  /** A re-certification: from the start again, and complete anew, with another number and time (15). */
  recomplete(learner: number, course: number, at?: Date): Promise<void>
  /** A minute's cron: decides completions that nobody's request decided, then runs the xAPI plugin's tasks. */
  cron(): Promise<void>
  /** The administrator replays the xAPI events that failed (13). */
  replay(): Promise<void>
  /** How many xAPI events failed and wait for a replay. */
  parked(): number
  /** Where events go from now on; null for nowhere, a channel that is not named stays as it is. */
  tell(targets: { webhook?: WebhookTarget | null; xapi?: XapiTarget | null }): void
  /** Every address answers 503 with a page (35). */
  maintenance(on: boolean): void
  /** Every REST call answers dbconnectionfailed with 200 (36). What LTI says then was not captured: it works on. */
  databaseDown(on: boolean): void
}

export function openControls(
  site: Site,
  log: XapiLog,
  journal: MoodleJournal,
  clock: Clock,
  switches: Pick<SiteControls, 'maintenance' | 'databaseDown'>,
): SiteControls {
  let webhook: WebhookTarget | null = null
  const completions = new Completions(site, async (happening: Happening) => {
    log.add(happening)
    if (webhook && happening.kind === 'course completed') await sendWebhook(webhook, happening, site.url, journal)
  })
  const seconds = (at: Date = clock.now()) => Math.floor(at.getTime() / 1000)
  const both = (learner: number, course: number) => [site.learner(learner), site.course(course)] as const

  return {
    ...switches,
    addCourse(given) {
      const { id, criteria, assignment, lineItem } = site.addCourse(given)
      return {
        id,
        criteria: criteria.map(({ cmid }) => cmid),
        assignment: assignment && { id: assignment.id, cmid: assignment.item.cmid },
        lineItem: lineItem && `${site.url}/mod/lti/services.php/${id}/lineitems/${lineItem.id}/lineitem?type_id=1`,
      }
    },
    removeCourse: (course) => void site.courses.delete(site.course(course).id),
    overwrite: (learner, field, text) => void site.learner(learner).fields.set(field, text),
    addLearner: (given) => ({ id: site.addLearner(given).id }),
    change: (learner, profile) => void Object.assign(site.learner(learner), profile),
    addProfileField: (field) => void site.fields.push({ ...field }),
    enrol: (learner, course) => void both(learner, course)[1].enrolled.add(learner),
    unenrol: (learner, course) => void both(learner, course)[1].enrolled.delete(learner),
    tick: async (learner, course, at, cmid) => completions.tick(...both(learner, course), seconds(at), cmid ?? null),
    untick: async (learner, course, cmid, at) => completions.untick(...both(learner, course), seconds(at), cmid),
    complete: async (learner, course, at) => completions.complete(...both(learner, course), seconds(at)),
    async recomplete(learner, course, at) {
      completions.reset(...both(learner, course))
      await completions.complete(...both(learner, course), seconds(at))
    },
    async cron() {
      await completions.cron(seconds())
      await log.cron()
    },
    replay: () => log.replay(),
    parked: () => log.parked,
    tell(targets) {
      if (targets.webhook !== undefined) webhook = targets.webhook
      if (targets.xapi !== undefined) log.target = targets.xapi
    },
  }
}
