// The result of one check: what was checked, what was found, and what to do about it. Pure, apart from the check that
// `runSafely` runs.

import { safeMessage } from '#src/platform/safe-message.ts'
import { capitalized } from '#src/platform/text.ts'

export interface Check {
  /** What was checked, such as `database` or `columns`. */
  name: string
  /** The pipeline, if the check is about one. */
  pipeline: string | null
  /** The learning system, if the check is about one. */
  system?: string
  ok: boolean
  /** What was found, without a full stop. */
  what: string
  /** What to do about it, without a full stop; null if nothing is wrong. */
  remedy: string | null
  /** Information that is not a fault. */
  notices?: string[]
  /** The underlying error, for the exit code. */
  fault?: unknown
}

export function passed(name: string, what: string, details: Partial<Check> = {}): Check {
  return { name, pipeline: null, ok: true, what, remedy: null, ...details }
}

export function faulty(name: string, what: string, remedy: string, details: Partial<Check> = {}): Check {
  return { name, pipeline: null, ok: false, what, remedy, ...details }
}

/**
 * Makes a failed check from a message that says both what is wrong and what to do.
 * @param defaultRemedy what to do if the sentence does not say it
 */
export function faultyFromSentence(
  name: string,
  sentence: string,
  details: Partial<Check> = {},
  defaultRemedy?: string,
): Check {
  const { what, remedy } = splitAdvice(sentence, defaultRemedy)
  return faulty(name, what, remedy, details)
}

/** Makes a failed check from an error, with as much of its message as is safe to show. */
export function faultyFromError(name: string, fault: unknown, details: Partial<Check> = {}): Check {
  return faultyFromSentence(name, safeMessage(fault), { ...details, fault })
}

/** Runs `run`. If it throws, the error becomes a failed check, and the other checks still run. */
export async function runSafely(
  name: string,
  run: () => Promise<Check[]> | Check[],
  details: Partial<Check> = {},
): Promise<Check[]> {
  try {
    return await run()
  } catch (fault) {
    return [faultyFromError(name, fault, details)]
  }
}

/** Returns the label that is printed before the result: `database`, `pipeline spring` or `system campus`. Pure. */
export function labelOf({ name, pipeline, system }: Pick<Check, 'name' | 'pipeline' | 'system'>): string {
  if (pipeline === null && system !== undefined) return `system ${system}`
  if (pipeline === null || name.includes('.')) return name
  return name === 'inbox' || name === 'archive' ? `${name} ${pipeline}` : `pipeline ${pipeline}`
}

/** Joins the finding and the remedy. Pure. */
export function checkSentence({ what, remedy }: Pick<Check, 'what' | 'remedy'>): string {
  return remedy === null ? what : `${what}. ${remedy}`
}

const verbs =
  'Add|Allow|Ask|Begin|Bring|Change|Check|Choose|Confirm|Connect|Correct|Create|Enable|End|Fill|Free|Get|Give|Inspect|Install|Issue|Let|Look|Make|Map|Mount|Move|Name|Next:|Please|Put|Raise|Rename|Renew|Remove|Request|Restart|Restore|Run|See|Set|Start|Stop|Submit|Take|Try|Turn|Unset|Use|Wait|Write'
const boundary = new RegExp(`^(.*?)[.;:] +((?:${verbs})\\b.*)$`, 'is')

/** The remedy for messages that say only what is wrong. */
const defaultRemedy = '“Fix it” in docs/operations.md lists what can be done'

/**
 * Splits the message of a fault into what is wrong and what to do about it, because scripts need them separately.
 * Returns as `remedy` the advice and everything that follows it, or `fallbackRemedy` if the message has none. Neither
 * part ends with a full stop. Pure.
 */
export function splitAdvice(sentence: string, fallbackRemedy = defaultRemedy): { what: string; remedy: string } {
  const [, what, remedy] = boundary.exec(sentence.trim()) ?? []
  if (!what || !remedy) return { what: withoutFullStop(sentence), remedy: fallbackRemedy }
  return { what: withoutFullStop(what), remedy: capitalized(withoutFullStop(remedy)) }
}

function withoutFullStop(text: string): string {
  return text.trim().replace(/\.$/, '')
}
