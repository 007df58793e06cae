// The difference that a change of a course makes, and what became of it, in sentences. Pure.

import type { FieldDifference } from '#src/courses/course-difference.ts'
import type { ChangeEnd } from '#src/courses/make-change.ts'
import type { Outcome } from '#src/issuer/outcome.ts'
import { excerpts, type Names, valueWords } from './course-words.ts'
import { type ExitCode, exitCode } from './exit-code.ts'

/** One line for each field. */
export function differenceLines(differences: readonly FieldDifference[], names: Names): string[] {
  return differences.map(({ key, before, after, seen }) => {
    const words = (value: string | null) => (value === null ? '' : valueWords(key, value, names))
    const [left, right] = excerpts(words(before), words(after))
    const shown = before === null ? (seen ? '(empty)' : '(not shown by the service)') : left
    return `  ${key}: ${shown} → ${after === null ? '(empty)' : right}`
  })
}

export interface EndWords {
  lines: string[]
  code: ExitCode
}

/** @param what such as "The course was created", for when it is done; `again` is the command that looks */
export function endWords(end: ChangeEnd, words: { done: string; again: string; names: Names }): EndWords {
  const { outcome, happened, otherwise, now, unread } = end
  if (happened === 'no') return notDone(outcome, words)
  if (happened === 'undecidable' || happened === 'in part') return unsure(end, words)
  const start =
    outcome.class === 'accepted'
      ? `${words.done}.`
      : `${answerWords(outcome)}, but the service shows it: ${small(words.done)}.`
  if (unread)
    return {
      lines: [start, `It could not be read back: ${unread}`, `Look with ${words.again}.`],
      code: exitCode.needsPerson,
    }
  if (!now)
    return {
      lines: [start, `The service does not show it yet. Look with ${words.again}; do not make it again.`],
      code: exitCode.needsPerson,
    }
  if (otherwise.length === 0) return { lines: [start], code: exitCode.ok }
  return {
    lines: [
      start,
      'But the service shows otherwise than was asked for (shown → asked):',
      ...differenceLines(otherwise, words.names),
    ],
    code: exitCode.needsPerson,
  }
}

function unsure(
  { outcome, happened, otherwise, unread }: ChangeEnd,
  { again, names }: { again: string; names: Names },
): EndWords {
  if (happened === 'in part')
    return {
      lines: [
        `${answerWords(outcome)}, and the service shows a part of the change only (shown → asked):`,
        ...differenceLines(otherwise, names),
        `Look with ${again}, then run the command again.`,
      ],
      code: exitCode.needsPerson,
    }
  const why = unread
    ? `and it could not be read back: ${unread}`
    : 'and nothing of it is a field that the service shows.'
  return {
    lines: [
      `${answerWords(outcome)}, ${why}`,
      `Whether the change was made is unknown. Look with ${again} or in the portal before you run the command again.`,
    ],
    code: unread ? exitCode.service : exitCode.needsPerson,
  }
}

function notDone(outcome: Outcome, { again }: { again: string }): EndWords {
  const { status, words, code, retryAfterMs } = outcome
  const said = words ? ` “${words}”` : ''
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
          `The service takes no more requests for now (429); nothing was changed. Try again in ${Math.ceil((retryAfterMs ?? 60_000) / 1_000)} seconds.`,
        ],
        code: exitCode.service,
      }
    case 'too_large':
      return {
        lines: ['The service finds the request too large (413); nothing was changed. Make the images smaller.'],
        code: exitCode.usage,
      }
    case 'refused':
      return {
        lines: [`The service refused it with status ${status}${said || ' and no words'}. Nothing was changed.`],
        code: status === 401 || status === 403 ? exitCode.service : exitCode.usage,
      }
    default:
      return {
        lines: [
          `${answerWords(outcome)}. Two looks show that it was not done. Run the command again, or look first with ${again}.`,
        ],
        code: exitCode.service,
      }
  }
}

function answerWords({ class: kind, status, code, words }: Outcome): string {
  if (kind === 'refused') return `The service refused it with status ${status}${words ? ` “${words}”` : ''}`
  return `The answer says nothing sure (${[status && `status ${status}`, code].filter(Boolean).join(', ') || 'no answer'})`
}

const small = (text: string) => text.charAt(0).toLowerCase() + text.slice(1)
