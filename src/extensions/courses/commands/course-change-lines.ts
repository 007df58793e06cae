// Describes in sentences what a change to a course would do, and what its outcome was. Pure.

import { type ExitCode, exitCode } from '#src/cli/exit-code.ts'
import type { FieldDifference } from '#src/extensions/courses/course-difference.ts'
import type { ChangeResult } from '#src/extensions/courses/make-change.ts'
import type { Outcome } from '#src/issuer/sending/outcome.ts'
import { uncapitalized } from '#src/platform/text.ts'
import { excerpts, type Names, valueWords } from './course-value-text.ts'

/** Returns one line for each field. */
export function differenceLines(differences: readonly FieldDifference[], names: Names): string[] {
  return differences.map(({ key, before, after, seen }) => {
    const words = (value: string | null) => (value === null ? '' : valueWords(key, value, names))
    const [shownBefore, shownAfter] = excerpts(words(before), words(after))
    const shown = before === null ? (seen ? '(empty)' : '(not shown by the service)') : shownBefore
    return `  ${key}: ${shown} → ${after === null ? '(empty)' : shownAfter}`
  })
}

export interface ChangeReport {
  lines: string[]
  code: ExitCode
}

const report = (code: ExitCode, ...lines: string[]): ChangeReport => ({ lines, code })

/**
 * @param words.done the message on success, such as "The course was created"
 * @param words.howToCheck the command that shows the result
 */
export function changeReport(
  end: ChangeResult,
  words: { done: string; howToCheck: string; names: Names },
): ChangeReport {
  const { outcome, happened, mismatches, now, readBackProblem } = end
  const { howToCheck } = words
  if (happened === 'no') return failureReport(outcome, howToCheck)
  if (happened === 'undecidable') return uncertainReport(end, howToCheck)
  if (happened === 'in part')
    return report(
      exitCode.needsPerson,
      `${answerWords(outcome)}, and the service shows only part of the change (shown → requested):`,
      ...differenceLines(mismatches, words.names),
      `Check with ${howToCheck}, then run the command again.`,
    )
  const start =
    outcome.class === 'accepted'
      ? `${words.done}.`
      : `${answerWords(outcome)}, but the service shows the result: ${uncapitalized(words.done)}.`
  if (readBackProblem)
    return report(
      exitCode.needsPerson,
      start,
      `The course could not be read back: ${readBackProblem}`,
      `Check with ${howToCheck}.`,
    )
  if (!now)
    return report(
      exitCode.needsPerson,
      start,
      `The service does not show the change yet. Check with ${howToCheck}; do not run the command again.`,
    )
  if (mismatches.length === 0) return report(exitCode.ok, start)
  return report(
    exitCode.needsPerson,
    start,
    'But the service does not show what was requested (shown → requested):',
    ...differenceLines(mismatches, words.names),
  )
}

function uncertainReport({ outcome, readBackProblem }: ChangeResult, howToCheck: string): ChangeReport {
  const why = readBackProblem
    ? `and the course could not be read back: ${readBackProblem}`
    : 'and the service shows none of the changed fields.'
  return report(
    readBackProblem ? exitCode.service : exitCode.needsPerson,
    `${answerWords(outcome)}, ${why}`,
    `It is unknown whether the change was made. Check with ${howToCheck} or in the portal before you run the command again.`,
  )
}

function failureReport(outcome: Outcome, howToCheck: string): ChangeReport {
  const { status, code, retryAfterMs } = outcome
  switch (outcome.class) {
    case 'not_sent':
      return report(
        exitCode.service,
        `Nothing was sent (${code ?? 'no reason given'}). Check keys, address and network with \`credsync check\`.`,
      )
    case 'throttled':
      return report(
        exitCode.service,
        `The service is throttling requests (status 429). Nothing was changed. Try again in ${Math.ceil((retryAfterMs ?? 60_000) / 1_000)} seconds.`,
      )
    case 'too_large':
      return report(
        exitCode.usage,
        'The service rejects the request as too large (status 413); nothing was changed. Make the images smaller.',
      )
    case 'unauthorised':
      return report(
        exitCode.service,
        'The service refuses our keys (status 401); nothing was changed. Check CREDSYNC_KEY and CREDSYNC_SECRET.',
      )
    case 'refused':
      return report(
        status === 403 ? exitCode.service : exitCode.usage,
        `${answerWords(outcome)}${outcome.words ? '' : ' and no message'}. Nothing was changed.`,
      )
    default:
      return report(
        exitCode.service,
        `${answerWords(outcome)}. Two checks show that nothing was changed. Run the command again, or check first with ${howToCheck}.`,
      )
  }
}

function answerWords({ class: kind, status, code, words }: Outcome): string {
  if (kind === 'refused') return `The service refused the change with status ${status}${words ? ` “${words}”` : ''}`
  return `The answer is inconclusive (${[status && `status ${status}`, code].filter(Boolean).join(', ') || 'no answer'})`
}
