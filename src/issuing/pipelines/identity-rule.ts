// Determines which fields of a course identify a recipient in a pipeline. The names in the configuration are checked
// against the course's field list, so that a typo is found before the first row is read. Pure.

import type { PipelineSettings } from '#config/pipeline-settings.ts'
import type { IdentityRule } from '#src/domain/credential/person-hashes.ts'
import { looseName } from '#src/domain/recipient/loose-name.ts'

export interface NamedField {
  name: string
  displayName: string
}

export interface IdentityPlan {
  rule: IdentityRule
  faults: string[]
}

export function identityRuleOf(
  pipeline: Pick<PipelineSettings, 'identity' | 'occurrence' | 'correlation'>,
  fields: readonly NamedField[],
): IdentityPlan {
  const faults: string[] = []
  const known = fields.map((field) => field.displayName).join(', ')
  const lookUp = (setting: string) => (name: string) => {
    const found = fields.find(
      (field) => looseName(field.displayName) === looseName(name) || looseName(field.name) === looseName(name),
    )
    if (!found)
      faults.push(
        `${setting} names the field “${name}”, and the course has no such field. The fields of the course are: ${known}.`,
      )
    return found?.displayName ?? name
  }
  const identity = pipeline.identity.map(lookUp('identity'))
  const occurrence = pipeline.occurrence.map(lookUp('occurrence'))
  const { correlation } = pipeline
  const correlationField = correlation && fields.find((field) => looseName(field.name) === looseName(correlation))
  if (correlation && !correlationField)
    faults.push(
      `correlation is ${correlation}, and no field of the course has that internal name, so its value could not be found in the report.`,
    )
  return {
    rule: {
      identity,
      occurrence,
      correlation: correlation && correlationField ? { field: correlationField.displayName, kind: correlation } : null,
    },
    faults,
  }
}
