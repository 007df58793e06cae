// A learning system that can be asked who completed what, as the stories see it: which one it is makes no difference to them.

import type { HeardCompletion } from '#src/ledger/completions.ts'
import type { CompletionPipeline } from './open-learning.ts'
import type { Hint } from './read-delivery.ts'

/** What it does not answer it throws; `troubleOf` says what that means. */
export interface AskedSystem {
  name: string
  /** When it is asked, and in which time zone a day begins. */
  settings: { every: string; sweep: string; timeZone: string }
  /** The course of a pipeline; null when the system has none of that name. */
  course(pipeline: CompletionPipeline): Promise<AskedCourse | null>
}

export interface AskedCourse {
  isAbout(hint: Pick<Hint, 'course'>): boolean
  /**
   * One learner, as a hint names them.
   * @param isKnown whether a completion of the learner (by the system's id) was heard of before
   */
  hearOne(hint: Hint, isKnown: (learner: string) => Promise<boolean>): Promise<HeardThere>
  /** Everybody who completed and is not among `known`, by the system's ids. */
  hearAll(known: ReadonlySet<string>): Promise<HeardThere>
}

export interface HeardThere {
  completions: HeardCompletion[]
  /** Sentences for a person, without values. */
  problems: string[]
}
