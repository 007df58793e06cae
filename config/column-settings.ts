// The setting of a pipeline that says which column fills which field. `allow` is checked for the whole pipeline,
// because a fault inside one of several forms would only say that none of them fits.

import { z } from 'zod'
import { allowedRules } from '#src/domain/recipient/column-plan.ts'
import { nearestName } from '#src/domain/recipient/nearest-name.ts'
import { rulesThatMayRest } from '#src/domain/recipient/unchecked-values.ts'

const column = z.union(
  [
    z.string().min(1),
    z.strictObject({ value: z.string().min(1) }),
    z.strictObject({
      column: z.string().min(1),
      date: z.string().min(1).optional(),
      allow: z.array(z.string().meta({ enum: rulesThatMayRest })).optional(),
    }),
  ],
  { error: 'is not the name of a column, nor { value: … }, nor { column: …, date: …, allow: [ … ] }' },
)

export const columnsSchema = z
  .record(z.string().min(1), column)
  .superRefine((columns, context) => {
    for (const [field, spec] of Object.entries(columns))
      for (const rule of allowedRules(spec)) {
        if (rulesThatMayRest.some((known) => known === rule)) continue
        const near = nearestName(rule, rulesThatMayRest)
        const message = `has “${rule}”, which is not a rule that can rest${near ? `; did you mean ${near}?` : '.'} The rules that can rest are ${rulesThatMayRest.join(', ')}`
        context.addIssue({ code: 'custom', path: [field, 'allow'], message })
      }
  })
  .default({})
  .describe(
    'Field of the course → column of the file. `{ value: Email }` is a constant, `{ column: born, date: DD.MM.YYYY }` a column of dates. `{ column: Name, allow: [damaged_letters] }` lets rules about damage rest for a column whose values only look damaged; these rules can rest: ' +
      `${rulesThatMayRest.join(', ')}. An omitted field is matched by its name, ignoring case, spaces and underscores.`,
  )
