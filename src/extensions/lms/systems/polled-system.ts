// The interface of a learning system that is polled for completions. The jobs use it for every kind of system.

import type { NewCompletion } from '#src/extensions/lms/ledger/completions.ts'
import type { Hint } from './inbound-system.ts'
import type { Problem } from './problems.ts'

/** A pipeline that issues credentials for the completions of one course in one system. */
export interface CompletionPipeline {
  pipeline: string
  system: string
  course: string
  renewAfterMs: number | null
}

/** Every function throws an LmsError when a call to the system fails; `systemFailureOf` says what the error means. */
export interface PolledSystem {
  name: string
  /** When the system is polled, and in which time zone a day begins. */
  settings: { every: string; sweep: string; timeZone: string }
  /** Finds the course of a pipeline; null when the system has no such course. */
  course(pipeline: CompletionPipeline): Promise<PolledCourse | null>
  /**
   * Reads the current fields of a learner's profile, by short name; null when the learner no longer exists. If a system
   * implements this, profiles are read back every night to detect drift.
   */
  readProfile?(learner: string): Promise<ReadonlyMap<string, string> | null>
}

export interface PolledCourse {
  isAbout(hint: Pick<Hint, 'course'>): boolean
  /**
   * Reads the completion of one learner, as the hint names them.
   * @param isKnown returns whether a completion of the learner (by the system's id) was found before
   */
  findOne(hint: Hint, isKnown: (learner: string) => Promise<boolean>): Promise<FoundCompletions>
  /**
   * Finds everyone who completed the course and is not in `known` (the system's ids). `latest`, the time of each known
   * completion, is set at night and the first time: then people whose enrollment is over are looked for as well.
   */
  findAll(known: KnownIds, latest?: Pick<ReadonlyMap<string, Date>, 'has' | 'get'>): Promise<FoundCompletions>
}

/** Ids of learners who need not be read. Those of forgotten learners can be recognized, but not listed. */
export type KnownIds = Pick<ReadonlySet<string>, 'has' | 'size'>

export interface FoundCompletions {
  completions: NewCompletion[]
  problems: Problem[]
}
