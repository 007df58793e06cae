// The result of one check: what was checked, what was found, and what to do about it. Pure, apart from the check that
// `runSafely` runs.

import { safeMessage } from '#src/platform/safe-message.ts'
import { splitAdvice } from './split-advice.ts'

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
  /** The fields of a pipeline's course. */
  fields?: { name: string; required: boolean }[]
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
