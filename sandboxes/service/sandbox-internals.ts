// The sandbox without an HTTP server: its data, its controls and its endpoints.

import type { Clock } from '#sandboxes/clock.ts'
import type { SandboxEndpoint } from './call.ts'
import { type CallPipeline, openCallPipeline } from './call-pipeline.ts'
import { verifierEndpoint } from './certificate-links.ts'
import { courseReadingEndpoints } from './course/course-reading.ts'
import { courseWritingEndpoints } from './course/course-writing.ts'
import { CourseStore } from './course-store.ts'
import { credentialEndpoints } from './credential-routes.ts'
import type { Faults } from './faults/faults.ts'
import { courseCard, type HeldRequest, heldCopy, type SandboxCourse } from './held-request.ts'
import { inviteEndpoint } from './invite-route.ts'
import { Journal, type JournalCounts } from './journal.ts'
import type { JournalEntry } from './journal-entry.ts'
import { bareListEndpoints } from './lists/bare-lists.ts'
import { referenceListEndpoints } from './lists/reference-lists.ts'
import { reportEndpoint } from './report-route.ts'
import { RequestStore } from './request-store.ts'
import type { RouteContext } from './route-context.ts'
import { sampleEndpoints } from './sample-routes.ts'
import { seededCourses } from './seed-courses.ts'
import { fillSettings, type SandboxSettings } from './settings.ts'
import { tokenEndpoints } from './token-routes.ts'
import { TokenStore } from './token-store.ts'

/** What tests and commands can see and change in the sandbox without going through the API. */
export interface SandboxControls {
  readonly key: string
  readonly secret: string
  /** The courses that the sandbox started with. */
  readonly courses: readonly SandboxCourse[]
  /** Returns copies of all requests in order of arrival, including those that the report does not show yet. */
  requests(): readonly HeldRequest[]
  journal(): JournalCounts
  /** Returns the journal of what really happened, oldest first. The list keeps growing while the sandbox runs. */
  entries(): readonly JournalEntry[]
  /**
   * Changes the named faults from the next call on; undefined ends a fault. Values that were drawn when a request
   * arrived (its lag, its dates) do not change.
   */
  injectFaults(change: Faults): void
  /** Creates the public link of a credential (entity uuid or credential id), as a person does in the portal. */
  publish(id: string): void
  /** Ends all faults. */
  clearFaults(): void
}

export interface SandboxInternals {
  settings: SandboxSettings
  carryOut: CallPipeline
  endpoints: readonly SandboxEndpoint[]
  controls: SandboxControls
}

export function openInternals(given: Partial<SandboxSettings> | undefined, clock: Clock): SandboxInternals {
  const settings = fillSettings(given)
  const context: RouteContext = {
    settings,
    clock,
    journal: new Journal(clock),
    tokens: new TokenStore(settings),
    requests: new RequestStore(settings, clock),
    courses: new CourseStore(settings, clock, seededCourses),
    openedMs: clock.monotonicMs(),
  }
  const endpoints: SandboxEndpoint[] = [
    ...tokenEndpoints(context),
    ...courseReadingEndpoints(context),
    ...courseWritingEndpoints(context),
    ...referenceListEndpoints(context),
    ...bareListEndpoints(context),
    inviteEndpoint(context),
    ...sampleEndpoints(context),
    reportEndpoint(context),
    ...credentialEndpoints(context),
    verifierEndpoint(context),
  ]
  return { settings, carryOut: openCallPipeline(context), endpoints, controls: controlsOf(context) }
}

function controlsOf({ settings, clock, journal, requests, courses }: RouteContext): SandboxControls {
  return {
    key: settings.key,
    secret: settings.secret,
    courses: courses.all().map((course) => courseCard(course, courses.statusOf(course))),
    requests: () =>
      requests
        .all()
        .map((each) => heldCopy(each, settings, clock.monotonicMs(), requests.revocation(each)?.at ?? null)),
    journal: () => journal.counts(),
    entries: () => journal.entries(),
    injectFaults(change) {
      settings.faults = { ...settings.faults, ...change }
    },
    publish(id) {
      const request = requests.find(id)
      if (!request) throw new TypeError('The sandbox holds no such credential.')
      requests.publish(request)
    },
    clearFaults() {
      settings.faults = {}
    },
  }
}
