// The sandbox without its door: what it holds, how it is watched and made to misbehave, and the endpoints with their desk.

import type { Clock } from '#src/time/clock.ts'
import type { Endpoint } from './call.ts'
import { linkEndpoints } from './certificate-links.ts'
import { CourseBook } from './course/course-book.ts'
import { imageEndpoint } from './course/course-images.ts'
import { courseReadingEndpoints } from './course/course-reading.ts'
import { courseWritingEndpoints } from './course/course-writing.ts'
import { credentialEndpoints } from './credential-routes.ts'
import { type FrontDesk, openFrontDesk } from './front-desk.ts'
import { courseCard, type HeldRequest, heldCopy, type SandboxCourse } from './held-request.ts'
import { homeEndpoint } from './home-page.ts'
import { inviteEndpoint } from './invite-route.ts'
import { Journal, type JournalCounts } from './journal.ts'
import type { JournalEntry } from './journal-entry.ts'
import { bareListEndpoints } from './lists/bare-lists.ts'
import { referenceListEndpoints } from './lists/reference-lists.ts'
import { checkMischief } from './mischief/check-mischief.ts'
import type { Mischief } from './mischief/mischief.ts'
import type { Premises } from './premises.ts'
import { reportEndpoint } from './report-route.ts'
import { RequestBook } from './request-book.ts'
import { sampleEndpoints } from './sample-routes.ts'
import { seededCourses } from './seeds/courses.ts'
import { fillSettings, type SandboxSettings } from './settings.ts'
import { TokenBook } from './token-book.ts'
import { tokenEndpoints } from './token-routes.ts'

/** What whoever opened a sandbox can see and do behind the service's back. */
export interface SandboxControls {
  readonly key: string
  readonly secret: string
  /** The courses that it began with. */
  readonly courses: readonly SandboxCourse[]
  /** Copies of all courses as they stand now, those that were created meanwhile at the end. */
  coursesNow(): readonly SandboxCourse[]
  /** Copies of all requests in order of arrival, whether the report shows them yet or not. */
  requests(): readonly HeldRequest[]
  journal(): JournalCounts
  /** What truly happened, line by line, oldest first. The list grows on while the sandbox runs. */
  entries(): readonly JournalEntry[]
  /**
   * Changes the named parts of the mischief from the next call on; a part given as undefined ends. What was drawn when
   * a request arrived (its lag, its dates) stays. @throws SandboxSettingsError, and changes nothing
   */
  misbehave(change: Mischief): void
  /** Ends all mischief. */
  behave(): void
}

export interface SandboxInside {
  settings: SandboxSettings
  desk: FrontDesk
  endpoints: readonly Endpoint[]
  controls: SandboxControls
}

/** @throws SandboxSettingsError for settings that cannot be */
export function openInside(given: Partial<SandboxSettings> | undefined, clock: Clock): SandboxInside {
  const settings = fillSettings(given)
  const premises: Premises = {
    settings,
    clock,
    journal: new Journal(clock),
    tokens: new TokenBook(settings),
    requests: new RequestBook(settings, clock),
    courses: new CourseBook(settings, clock, seededCourses),
    openedMs: clock.monotonicMs(),
  }
  const endpoints: Endpoint[] = [
    homeEndpoint(premises, () => endpoints),
    ...tokenEndpoints(premises),
    ...courseReadingEndpoints(premises),
    ...courseWritingEndpoints(premises),
    ...referenceListEndpoints(premises),
    ...bareListEndpoints(premises),
    inviteEndpoint(premises),
    ...sampleEndpoints(premises),
    reportEndpoint(premises),
    ...credentialEndpoints(premises),
    imageEndpoint(premises),
    ...linkEndpoints(premises),
  ]
  return { settings, desk: openFrontDesk(premises), endpoints, controls: controlsOf(premises) }
}

function controlsOf({ settings, clock, journal, requests, courses }: Premises): SandboxControls {
  const coursesNow = () => courses.all().map((course) => courseCard(course, courses.standing(course)))
  return {
    key: settings.key,
    secret: settings.secret,
    courses: coursesNow(),
    coursesNow,
    requests: () =>
      requests
        .all()
        .map((each) => heldCopy(each, settings, clock.monotonicMs(), requests.revocation(each)?.at ?? null)),
    journal: () => journal.counts(),
    entries: () => journal.entries(),
    misbehave(change) {
      const mischief = { ...settings.mischief, ...change }
      checkMischief(mischief)
      settings.mischief = mischief
    },
    behave() {
      settings.mischief = {}
    },
  }
}
