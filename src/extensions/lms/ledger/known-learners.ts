// The learners of a system with a known completion for a pipeline, among them those who were forgotten. In memory only.

import type { Hasher } from '#src/domain/credential/identity-hasher.ts'
import { forgottenLearner, isForgottenLearner } from './forgotten-learner.ts'

/** By learner, the time of their latest completion. That a forgotten learner is known is told by `has` only. */
export class KnownLearners extends Map<string, Date> {
  readonly #forgotten: ReadonlySet<string>
  readonly #hashOf: (learner: string) => string

  constructor(
    found: readonly { learner: string; at: Date }[],
    hasher: Pick<Hasher, 'identifier'>,
    source: { environment: string; system: string },
  ) {
    super()
    for (const { learner, at } of found) if (!isForgottenLearner(learner)) this.set(learner, at)
    this.#forgotten = new Set(found.flatMap(({ learner }) => (isForgottenLearner(learner) ? [learner] : [])))
    this.#hashOf = (learner) => forgottenLearner(hasher, { ...source, learner })
  }

  override has(learner: string): boolean {
    return super.has(learner) || (this.#forgotten.size > 0 && this.#forgotten.has(this.#hashOf(learner)))
  }
}
