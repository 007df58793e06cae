// What of a course's rules is not checked here, said once for each file: a row that passes may still be refused by the service.

import type { ColumnPlan } from '#src/recipients/column-plan.ts'
import type { Rules } from '#src/recipients/compile-rules.ts'

/** Sentences about the fields that this file fills. A constant was chosen once, by who wrote the configuration. */
export function uncheckedNotices(rules: Rules, plan: ColumnPlan): string[] {
  const filled = new Set(plan.flatMap(({ field, source }) => (source.kind === 'column' ? [field.displayName] : [])))
  const warnings = rules.warnings.filter(({ field }) => filled.has(field)).map(({ sentence }) => sentence)
  const choices = rules.unlistedChoices.filter((field) => filled.has(field)).map((field) => `“${field}”`)
  if (choices.length === 0) return warnings
  const names = choices.length > 1 ? `${choices.slice(0, -1).join(', ')} and ${choices.at(-1)}` : choices[0]
  const sentence = `The service does not list what may be chosen for ${names}, so any value is taken here. The service checks it when it gets the rows.`
  return [...warnings, sentence]
}
