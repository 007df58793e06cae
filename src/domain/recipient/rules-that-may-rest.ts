// Lists the rules that an operator can let rest for a column, so that no real name is refused for ever because it looks
// damaged. The others stay: what the course demands, what cannot be sent, and what tells people apart. Pure.

import { damageKinds } from './damage/damage-kinds.ts'
import type { ViolationRule } from './violation.ts'

export const rulesThatMayRest: readonly ViolationRule[] = [
  ...new Set(damageKinds.filter(({ mayRest }) => mayRest).map(({ rule }) => rule)),
]
