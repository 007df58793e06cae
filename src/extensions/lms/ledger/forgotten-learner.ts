// How a learner who was forgotten is recognized, and not named. Pure: builds text and SQL.

import type { Hasher } from '#src/domain/credential/identity-hasher.ts'

const prefix = 'forgotten:'

/** What the ledger has in the place of the learner's id. */
export function forgottenLearner(
  hasher: Pick<Hasher, 'identifier'>,
  { environment, system, learner }: { environment: string; system: string; learner: string },
): string {
  if (isForgottenLearner(learner)) return learner
  return prefix + hasher.identifier(`${environment}|${system}|${learner}`).toString('hex')
}

export const isForgottenLearner = (learner: string) => learner.startsWith(prefix)

/** SQL: whether the completion's learner was forgotten. */
export const isForgottenSql = (learner: string) => `starts_with(${learner}, '${prefix}')`
