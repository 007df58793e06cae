// Lists the rules of a course that credsync cannot check, once for each file: a row that is accepted here may still be
// refused by the service. Pure.

import type { ColumnPlan } from '#src/domain/recipient/column-plan.ts'
import type { Rules } from '#src/domain/recipient/compile-rules.ts'

/** Only fields that are filled from a column of the file are listed, because constants are set in the configuration. */
export function uncheckedRuleNotices(rules: Rules, plan: ColumnPlan): string[] {
  const filled = new Set(plan.flatMap(({ field, source }) => (source.kind === 'column' ? [field.displayName] : [])))
  const warnings = rules.warnings.filter(({ field }) => filled.has(field)).map(({ sentence }) => sentence)
  const choices = rules.unlistedChoices.filter((field) => filled.has(field)).map((field) => `“${field}”`)
  if (choices.length === 0) return warnings
  const names = choices.length > 1 ? `${choices.slice(0, -1).join(', ')} and ${choices.at(-1)}` : choices[0]
  const sentence = `The service does not list the choices for ${names}, so credsync accepts any value. The service checks the values when it receives the rows.`
  return [...warnings, sentence]
}
