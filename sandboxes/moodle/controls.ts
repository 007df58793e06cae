// The controls of the sandbox for tests and the demo: what teachers, learners, administrators and cron do in a Moodle
// site. They change the site in memory, and some of them send events over HTTP.

import type { Clock } from '#sandboxes/clock.ts'
import type { AccountProblem } from './account.ts'
import { Completions } from './completions.ts'
import type { SiteEvent } from './events/site-event.ts'
import { sendWebhook, type WebhookTarget } from './events/webhook.ts'
import type { XapiLog, XapiTarget } from './events/xapi-log.ts'
import type { MoodleJournal } from './journal.ts'
import type { ProfileField } from './records.ts'
import type { NewCourse, NewLearner, Site } from './site.ts'

/** The ids of a new course and its parts. */
export interface AddedCourse {
  id: number
  /** Course modules of the criteria, in order. */
  criteria: readonly number[]
  assignment: { id: number; cmid: number } | null
  /** Address of the LTI line item, with its query; null without one. */
  lineItem: string | null
}

/** Learners and courses are given by their ids; an unknown id throws SiteError invalidrecord. */
export interface SiteControls {
  addCourse(course: NewCourse): AddedCourse
  /** Removes the course with everything in it. */
  removeCourse(course: number): void
  addLearner(learner: NewLearner): { id: number }
  /** Overwrites a profile field, as another form or a synchronization does. */
  overwrite(learner: number, field: string, text: string): void
  /** Changes the profile, as the learner or an administrator does. */
  change(learner: number, profile: Partial<Pick<NewLearner, 'firstname' | 'lastname' | 'email' | 'idnumber'>>): void
  /** Suspends the account, but no enrollment: the learner stays enrolled and keeps all completions. */
  suspend(learner: number): void
  /** Deletes the account, as an administrator does: its enrollments and completions go. */
  deleteAccount(learner: number): void
  addProfileField(field: ProfileField): void
  enroll(learner: number, course: number): void
  /** Enrolls a teacher, who is listed among the enrolled users although status calls return usernotenroled. */
  enrolTeacher(learner: number, course: number): void
  /**
   * Unenrolls the learner: status calls return usernotenroled (capture 37), and the report no longer has the row. The
   * progress is kept.
   */
  unenroll(learner: number, course: number): void
  /** Ticks one criterion, or all unticked ones; cron decides later whether the course is complete. */
  tick(learner: number, course: number, at?: Date, cmid?: number): Promise<void>
  /** Removes a tick: an event is sent, the completion stays (captures 06 and 12). */
  untick(learner: number, course: number, cmid: number, at?: Date): Promise<void>
  /**
   * Ticks all unticked criteria, which completes the course in the same request (capture 04). Resolves when the webhook
   * has been answered.
   */
  complete(learner: number, course: number, at?: Date): Promise<void>
  /**
   * Re-certifies the learner: deletes the progress and completes the course again, with another id and time (capture
   * 15).
   */
  recomplete(learner: number, course: number, at?: Date): Promise<void>
  /** Runs cron once: decides pending completions, then runs the tasks of the xAPI plugin. */
  cron(): Promise<void>
  /** Replays the failed xAPI events, as the administrator can (capture 13). */
  replay(): Promise<void>
  /** Returns the number of failed xAPI events that wait for a replay. */
  parked(): number
  /** Sets where events are sent; null turns a channel off, and an omitted channel is unchanged. */
  sendEventsTo(targets: { webhook?: WebhookTarget | null; xapi?: XapiTarget | null }): void
  /** Makes the learner a site administrator, whose profile the web service cannot write (capture 24). */
  refuseWriting(learner: number): void
  /** Removes a capability from the role of the token's account. */
  forbid(capability: string): void
  /** Restores the capability. */
  allow(capability: string): void
  /** Turns maintenance mode on or off, in which every address answers 503 with a page (capture 35). */
  maintenance(on: boolean): void
  /**
   * Makes every REST call return dbconnectionfailed with status 200 (capture 36). LTI keeps working, because its
   * response was not captured.
   */
  databaseDown(on: boolean): void
  /** Sets the problem of the token's account; null for none. */
  account(problem: AccountProblem | null): void
  /** Lets the token expire: it is deleted at its next use and is unknown after that. */
  expireToken(): void
  /** Creates the token again with the same text, so that nothing has to be reconfigured. */
  renewToken(): void
}

export function openControls(
  site: Site,
  log: XapiLog,
  journal: MoodleJournal,
  clock: Clock,
  switches: Pick<
    SiteControls,
    'forbid' | 'allow' | 'maintenance' | 'databaseDown' | 'account' | 'expireToken' | 'renewToken'
  >,
): SiteControls {
  let webhook: WebhookTarget | null = null
  const completions = new Completions(site, async (event: SiteEvent) => {
    log.add(event)
    if (webhook && event.kind === 'course completed') await sendWebhook(webhook, event, site.url, journal)
  })
  const seconds = (at: Date = clock.now()) => Math.floor(at.getTime() / 1000)
  const learnerAndCourse = (learner: number, course: number) => [site.learner(learner), site.course(course)] as const

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
    suspend: (learner) => void Object.assign(site.learner(learner), { suspended: true }),
    deleteAccount(learner) {
      site.learner(learner).deleted = true
      for (const { enrolled, progress } of site.courses.values()) {
        enrolled.delete(learner)
        progress.delete(learner)
      }
    },
    addProfileField: (field) => void site.fields.push({ ...field }),
    enroll: (learner, course) => void learnerAndCourse(learner, course)[1].enrolled.add(learner),
    enrolTeacher(learner, course) {
      const [, { enrolled, teachers }] = learnerAndCourse(learner, course)
      for (const each of [enrolled, teachers]) each.add(learner)
    },
    refuseWriting: (learner) => void site.administrators.add(site.learner(learner).id),
    unenroll: (learner, course) => void learnerAndCourse(learner, course)[1].enrolled.delete(learner),
    tick: async (learner, course, at, cmid) =>
      completions.tick(...learnerAndCourse(learner, course), seconds(at), cmid ?? null),
    untick: async (learner, course, cmid, at) =>
      completions.untick(...learnerAndCourse(learner, course), seconds(at), cmid),
    complete: async (learner, course, at) => completions.complete(...learnerAndCourse(learner, course), seconds(at)),
    async recomplete(learner, course, at) {
      completions.reset(...learnerAndCourse(learner, course))
      await completions.complete(...learnerAndCourse(learner, course), seconds(at))
    },
    async cron() {
      await completions.cron(seconds())
      await log.cron()
    },
    replay: () => log.replay(),
    parked: () => log.parked,
    sendEventsTo(targets) {
      if (targets.webhook !== undefined) webhook = targets.webhook
      if (targets.xapi !== undefined) log.target = targets.xapi
    },
  }
}
