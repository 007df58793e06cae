// The sandbox without its door: what it holds, how it is watched and made to misbehave, and the endpoints with their desk.

import type { Clock } from '#src/time/clock.ts'
import type { Endpoint } from './call.ts'
import { linkEndpoints } from './certificate-links.ts'
import { courseEndpoints } from './course-routes.ts'
import { seededCourses } from './courses.ts'
import { type FrontDesk, openFrontDesk } from './front-desk.ts'
import { courseCard, type HeldRequest, heldCopy, type SandboxCourse } from './held-request.ts'
import { inviteEndpoint } from './invite-route.ts'
import { Journal, type JournalCounts } from './journal.ts'
import type { JournalEntry } from './journal-entry.ts'
import { checkMischief } from './mischief/check-mischief.ts'
import type { Mischief } from './mischief/mischief.ts'
import type { Premises } from './premises.ts'
import { reportEndpoint } from './report-route.ts'
import { RequestBook } from './request-book.ts'
import { sampleEndpoints } from './sample-routes.ts'
import { fillSettings, type SandboxSettings } from './settings.ts'
import { TokenBook } from './token-book.ts'
import { tokenEndpoints } from './token-routes.ts'

/** What whoever opened a sandbox can see and do behind the service's back. */
export interface SandboxControls {
  readonly key: string
  readonly secret: string
  readonly courses: readonly SandboxCourse[]
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
    courses: seededCourses,
    openedMs: clock.monotonicMs(),
  }
  const endpoints = [
    ...tokenEndpoints(premises),
    ...courseEndpoints(premises),
    inviteEndpoint(premises),
    ...sampleEndpoints(premises),
    reportEndpoint(premises),
    ...linkEndpoints(premises),
  ]
  return { settings, desk: openFrontDesk(premises), endpoints, controls: controlsOf(premises) }
}

function controlsOf({ settings, clock, journal, requests, courses }: Premises): SandboxControls {
  return {
    key: settings.key,
    secret: settings.secret,
    courses: courses.map(courseCard),
    requests: () => requests.all().map((each) => heldCopy(each, settings, clock.monotonicMs())),
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
