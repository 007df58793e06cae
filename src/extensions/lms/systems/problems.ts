// Formats problems of a learning system that an operator must resolve. A learner is identified by the system's own id,
// never by name or e-mail address. Pure.

export interface Problem {
  /** The message for the operator, without values. */
  sentence: string
  /** The system's own id of the learner. */
  learner?: string | undefined
  /** True if nothing is wrong: the event leads to nothing, and nobody has to act. */
  isState?: boolean
}

const maxListed = 10

/**
 * Returns `7, 9 and 3 more`; undefined when there are no ids to list. An id that is not a number is omitted, because it
 * may be an e-mail address.
 */
export function learnersOf(problems: readonly Pick<Problem, 'learner'>[]): string | undefined {
  const numbers = [...new Set(problems.flatMap(({ learner }) => learner ?? []))].filter((id) => /^\d{1,19}$/.test(id))
  if (numbers.length === 0) return undefined
  const unlistedCount = numbers.length - maxListed
  return unlistedCount > 0 ? `${numbers.slice(0, maxListed).join(', ')} and ${unlistedCount} more` : numbers.join(', ')
}

/** Returns one sentence for each kind of problem, with its learners: `Learner 7: …` or `Learners 7, 9: …`. */
export function sentencesOf(problems: readonly Problem[]): string[] {
  return [...Map.groupBy(problems, ({ sentence }) => sentence)].map(([sentence, sameProblems]) => {
    const learners = learnersOf(sameProblems)
    if (learners === undefined) return sentence
    return `${/\D/.test(learners) ? 'Learners' : 'Learner'} ${learners}: ${sentence}`
  })
}

/** Like `sentencesOf`, for a single problem. */
export function sentenceOf(problem: Problem): string {
  return sentencesOf([problem])[0] ?? problem.sentence
}
