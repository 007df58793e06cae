// Describes in sentences what a change to a course would do, and what its outcome was. Pure.

import { type ExitCode, exitCode } from '#src/cli/exit-code.ts'
import type { FieldDifference } from '#src/extensions/courses/course-difference.ts'
import type { ChangeResult } from '#src/extensions/courses/make-change.ts'
import type { Outcome } from '#src/issuer/sending/outcome.ts'
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

/**
 * @param words.done the message on success, such as "The course was created"
 * @param words.howToCheck the command that shows the result
 */
export function changeReport(
  end: ChangeResult,
  words: { done: string; howToCheck: string; names: Names },
): ChangeReport {
  const { outcome, happened, mismatches, now, readBackProblem } = end
  if (happened === 'no') return failureReport(outcome, words)
  if (happened === 'undecidable' || happened === 'in part') return uncertainReport(end, words)
  const start =
    outcome.class === 'accepted'
      ? `${words.done}.`
      : `${answerWords(outcome)}, but the service shows the result: ${lowerFirst(words.done)}.`
  if (readBackProblem)
    return {
      lines: [start, `The course could not be read back: ${readBackProblem}`, `Check with ${words.howToCheck}.`],
      code: exitCode.needsPerson,
    }
  if (!now)
    return {
      lines: [
        start,
        `The service does not show the change yet. Check with ${words.howToCheck}; do not run the command again.`,
      ],
      code: exitCode.needsPerson,
    }
  if (mismatches.length === 0) return { lines: [start], code: exitCode.ok }
  return {
    lines: [
      start,
      'But the service does not show what was requested (shown → requested):',
      ...differenceLines(mismatches, words.names),
    ],
    code: exitCode.needsPerson,
  }
}

function uncertainReport(
  { outcome, happened, mismatches, readBackProblem }: ChangeResult,
  { howToCheck, names }: { howToCheck: string; names: Names },
): ChangeReport {
  if (happened === 'in part')
    return {
      lines: [
        `${answerWords(outcome)}, and the service shows only part of the change (shown → requested):`,
        ...differenceLines(mismatches, names),
        `Check with ${howToCheck}, then run the command again.`,
      ],
      code: exitCode.needsPerson,
    }
  const why = readBackProblem
    ? `and the course could not be read back: ${readBackProblem}`
    : 'and the service shows none of the changed fields.'
  return {
    lines: [
      `${answerWords(outcome)}, ${why}`,
      `It is unknown whether the change was made. Check with ${howToCheck} or in the portal before you run the command again.`,
    ],
    code: readBackProblem ? exitCode.service : exitCode.needsPerson,
  }
}

function failureReport(outcome: Outcome, { howToCheck }: { howToCheck: string }): ChangeReport {
  const { status, words, code, retryAfterMs } = outcome
  const message = words ? ` “${words}”` : ''
  switch (outcome.class) {
    case 'not_sent':
      return {
        lines: [
          `Nothing was sent (${code ?? 'no reason given'}). Check keys, address and network with \`credsync check\`.`,
        ],
        code: exitCode.service,
      }
    case 'throttled':
      return {
        lines: [
          `The service is throttling requests (status 429). Nothing was changed. Try again in ${Math.ceil((retryAfterMs ?? 60_000) / 1_000)} seconds.`,
        ],
        code: exitCode.service,
      }
    case 'too_large':
      return {
        lines: [
          'The service rejects the request as too large (status 413); nothing was changed. Make the images smaller.',
        ],
        code: exitCode.usage,
      }
    case 'unauthorised':
      return {
        lines: [
          'The service refuses our keys (status 401); nothing was changed. Check CREDSYNC_KEY and CREDSYNC_SECRET.',
        ],
        code: exitCode.service,
      }
    case 'refused':
      return {
        lines: [
          `The service refused the change with status ${status}${message || ' and no message'}. Nothing was changed.`,
        ],
        code: status === 403 ? exitCode.service : exitCode.usage,
      }
    default:
      return {
        lines: [
          `${answerWords(outcome)}. Two checks show that nothing was changed. Run the command again, or check first with ${howToCheck}.`,
        ],
        code: exitCode.service,
      }
  }
}

function answerWords({ class: kind, status, code, words }: Outcome): string {
  if (kind === 'refused') return `The service refused the change with status ${status}${words ? ` “${words}”` : ''}`
  return `The answer is inconclusive (${[status && `status ${status}`, code].filter(Boolean).join(', ') || 'no answer'})`
}

const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1)
