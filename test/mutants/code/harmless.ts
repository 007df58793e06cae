// Recognizes the mutants that are known to do no harm.

import { readFileSync } from 'node:fs'
import { config } from './harmless-mutants/config.ts'
import { credential } from './harmless-mutants/credential.ts'
import type { HarmlessByFile } from './harmless-mutants/harmless-by-file.ts'
import { intake } from './harmless-mutants/intake.ts'
import { limits } from './harmless-mutants/limits.ts'
import { moodle } from './harmless-mutants/moodle.ts'
import { outcomes } from './harmless-mutants/outcomes.ts'
import { recipientNames } from './harmless-mutants/recipient-names.ts'
import { recipientValues } from './harmless-mutants/recipient-values.ts'
import { reconcile } from './harmless-mutants/reconcile.ts'
import { results } from './harmless-mutants/results.ts'
import { tokens } from './harmless-mutants/tokens.ts'
import { webhooks } from './harmless-mutants/webhooks.ts'
import { xapi } from './harmless-mutants/xapi.ts'
import type { Mutant } from './mutants.ts'

export const harmlessMutants: HarmlessByFile = {
  ...config,
  ...credential,
  ...intake,
  ...limits,
  ...moodle,
  ...outcomes,
  ...recipientNames,
  ...recipientValues,
  ...reconcile,
  ...results,
  ...tokens,
  ...webhooks,
  ...xapi,
}

/** @returns true if the list has the mutant */
export function isHarmless({ file, line, original, replacement }: Mutant): boolean {
  const entries = harmlessMutants[file] ?? []
  const text = entries.length > 0 ? readFileSync(file, 'utf8').split('\n')[line - 1]?.trim() : ''
  const [code, becomes] = [onOneLine(original), onOneLine(replacement)]
  return entries.some(
    (entry) => entry.line === text && entry.mutants.some((mutant) => mutant[0] === code && mutant[1] === becomes),
  )
}

/** Shows a piece of code in a report. */
export function onOneLine(code: string): string {
  const line = code.replace(/\s+/g, ' ')
  return line.length > 70 ? `${line.slice(0, 69)}…` : line
}
