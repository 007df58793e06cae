// By which fields the people of a pipeline are compared. Pure.

import type { PipelineSettings } from '#config/schema.ts'
import type { PersonComparison } from '#src/domain/credential/same-person.ts'
import { nameFieldsOf } from '#src/domain/recipient/field-role.ts'
import { identityRuleOf } from '#src/issuing/pipelines/identity-rule.ts'

export function personComparison(
  settings: PipelineSettings,
  fields: readonly { name: string; displayName: string }[],
): PersonComparison {
  const { identity, occurrence } = identityRuleOf(settings, fields).rule
  return { identity, occurrence, nameFields: nameFieldsOf(fields) }
}
