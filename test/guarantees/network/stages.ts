// The stages of a run at which a fault can be applied, and how each exchange is reached.

import type { EndpointName } from '#src/issuer/endpoint.ts'

export type StageName = 'token' | 'refresh' | 'field-list' | 'course-detail' | 'report' | 'invite'

export interface Stage {
  /** Part of the stage's URL path. */
  path: string
  /** The name under which the client counts its calls. */
  endpoint: EndpointName
  /** The stage whose answer comes last before this stage's first exchange; null if this is the first. */
  follows: StageName | null
  /** The number of that answer, if it is not the first. */
  followsNth?: number
  /**
   * What causes a second exchange without a fault: waiting this many minutes of the worker's clock after the first
   * invitation's answer, or a second list. Null: nothing does, so the fault is applied twice in a row instead.
   */
  second: { minutes: number } | 'list' | null
}

export const stages: Readonly<Record<StageName, Stage>> = {
  token: { path: '/entityaccess/token', endpoint: 'token', follows: null, second: null },
  // After 26 minutes the token is valid for less than five of its thirty, so it is renewed.
  refresh: { path: '/refresh/token', endpoint: 'token', follows: 'course-detail', second: { minutes: 26 } },
  'field-list': { path: '/recipients/fieldList/', endpoint: 'field-list', follows: 'token', second: 'list' },
  // Course data is cached for a minute.
  'course-detail': { path: '/course/detail', endpoint: 'course-detail', follows: 'report', second: { minutes: 2 } },
  // Requested before the first list is accepted, and again before the first call, which is the second exchange.
  report: { path: '/certificate/student/report', endpoint: 'report', follows: 'field-list', second: { minutes: 0 } },
  invite: {
    path: '/recipients/data/upload',
    endpoint: 'invite',
    follows: 'report',
    followsNth: 2,
    second: { minutes: 0 },
  },
}

export const stageNames = Object.keys(stages) as StageName[]
