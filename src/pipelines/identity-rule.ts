// Which fields of a course say who a recipient is, for a pipeline. Pure: the names in the configuration are looked up in the
// course's field list, so that a slip of the pen is found before the first row is read.

import type { PipelineSettings } from '#config/schema.ts'
import type { IdentityRule } from '#src/issuance/person.ts'
import { looseName } from '#src/recipients/loose-name.ts'

interface NamedField {
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
    if (!found) faults.push(`${setting} names the field “${name}”, and the course has no such field. It has: ${known}.`)
    return found?.displayName ?? name
  }
  const identity = pipeline.identity.map(lookUp('identity'))
  const occurrence = pipeline.occurrence.map(lookUp('occurrence'))
  const { correlation } = pipeline
  const carrier = correlation && fields.find((field) => looseName(field.name) === looseName(correlation))
  if (correlation && !carrier)
    faults.push(
      `correlation is ${correlation}, and no field of the course has that internal name, so its value could not come back in the report.`,
    )
  return {
    rule: {
      identity,
      occurrence,
      correlation: correlation && carrier ? { field: carrier.displayName, kind: correlation } : null,
    },
    faults,
  }
}
