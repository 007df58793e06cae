// One thing that was looked at, what was found, and what to do about it.

import { splitAdvice } from './advice.ts'
import { speakable } from './speakable.ts'

export interface Check {
  /** What was looked at, such as `database` or `columns`. */
  name: string
  /** Whose, where it belongs to one. */
  pipeline: string | null
  /** The learning system, where it is about one. */
  system?: string
  ok: boolean
  /** What was found, without a full stop. */
  what: string
  /** What to do about it, without a full stop; null where nothing is wrong. */
  remedy: string | null
  /** What is worth knowing and no fault. */
  notices?: string[]
  /** Of a pipeline: the fields of its course. */
  fields?: { name: string; required: boolean }[]
  /** The error behind it, for the exit code. */
  fault?: unknown
}

export function good(name: string, what: string, more: Partial<Check> = {}): Check {
  return { name, pipeline: null, ok: true, what, remedy: null, ...more }
}

export function bad(name: string, what: string, remedy: string, more: Partial<Check> = {}): Check {
  return { name, pipeline: null, ok: false, what, remedy, ...more }
}

/** Of a sentence that says both what is wrong and what to do. @param otherwise what to do, where it does not say */
export function badSentence(name: string, sentence: string, more: Partial<Check> = {}, otherwise?: string): Check {
  const { what, remedy } = splitAdvice(sentence, otherwise)
  return bad(name, what, remedy, more)
}

/** What could not be looked at, as far as its error may be shown. */
export function failed(name: string, fault: unknown, more: Partial<Check> = {}): Check {
  return badSentence(name, speakable(fault), { ...more, fault })
}

/** Runs `look`; what it throws becomes a fault of its own, so that it hides nothing else. */
export async function guarded(
  name: string,
  look: () => Promise<Check[]> | Check[],
  more: Partial<Check> = {},
): Promise<Check[]> {
  try {
    return await look()
  } catch (fault) {
    return [failed(name, fault, more)]
  }
}

/** The words before the colon: `database`, `pipeline spring` or `system campus`. Pure. */
export function labelOf({ name, pipeline, system }: Pick<Check, 'name' | 'pipeline' | 'system'>): string {
  if (pipeline === null && system !== undefined) return `system ${system}`
  if (pipeline === null || name.includes('.')) return name
  return name === 'inbox' || name === 'archive' ? `${name} ${pipeline}` : `pipeline ${pipeline}`
}

/** Both in one. Pure. */
export function sentenceOf({ what, remedy }: Pick<Check, 'what' | 'remedy'>): string {
  return remedy === null ? what : `${what}. ${remedy}`
}
