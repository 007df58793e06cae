// The stages of a run at which a fault can strike, and how the one that is wanted is reached.

import type { EndpointName } from '#src/issuer/endpoint.ts'

export type StageName = 'token' | 'refresh' | 'field-list' | 'course-detail' | 'report' | 'invite'

export interface Stage {
  /** Part of its path. */
  path: string
  /** Under which name the client counts its calls. */
  endpoint: EndpointName
  /** Whose answer comes last before the first exchange of this stage; null when nothing comes before. */
  follows: StageName | null
  /**
   * What brings about a second exchange without any fault: the answer to the first invitation, given so many minutes of the
   * worker's clock later, or a second list. Null: nothing does, and a fault strikes twice in a row instead.
   */
  second: { minutes: number } | 'list' | null
}

export const stages: Readonly<Record<StageName, Stage>> = {
  token: { path: '/entityaccess/token', endpoint: 'token', follows: null, second: null },
  // 26 minutes: the token has less than five of its thirty left, and is renewed.
  refresh: { path: '/refresh/token', endpoint: 'token', follows: 'course-detail', second: { minutes: 26 } },
  'field-list': { path: '/recipients/fieldList/', endpoint: 'field-list', follows: 'token', second: 'list' },
  // What is known about a course is kept for a minute.
  'course-detail': { path: '/course/detail', endpoint: 'course-detail', follows: 'field-list', second: { minutes: 2 } },
  report: { path: '/certificate/student/report', endpoint: 'report', follows: 'course-detail', second: { minutes: 0 } },
  invite: { path: '/recipients/data/upload', endpoint: 'invite', follows: 'report', second: { minutes: 0 } },
}

export const stageNames = Object.keys(stages) as StageName[]
