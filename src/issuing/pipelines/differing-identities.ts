// Finds pipelines of the same course with different `identity` or `occurrence` settings. The ledger does not recognize
// a person of one pipeline in the other, so anyone who is in the lists of both would get two credentials. Pure.

import type { PipelineSettings } from '#config/pipeline-settings.ts'
import { roleOfName } from '#src/domain/recipient/field-role.ts'
import { looseName } from '#src/domain/recipient/loose-name.ts'
import { identityRuleOf } from './identity-rule.ts'

type Settings = Pick<PipelineSettings, 'columns' | 'identity' | 'occurrence'>
type NamedField = Parameters<typeof identityRuleOf>[1][number]

export interface PipelineOfCourse {
  name: string
  /** The uuid or the number. The same course must always be given in the same form. */
  course: string
  pipeline: Settings
  /** The course's fields, if available. They are needed because a field has two names. */
  fields?: readonly NamedField[]
}

export interface IdentityDifference {
  /** The pipeline that differs, and the earlier one of the same course from which it differs. */
  pipelines: readonly [string, string]
  course: string
  /** For example `identity is Email in spring, and Register Number in autumn`. */
  difference: string
}

/** Compares each pipeline with the first one of its course. Returns an empty list if all agree. */
export function differingIdentities(all: readonly PipelineOfCourse[]): IdentityDifference[] {
  const firstOfCourse = new Map<string, PipelineOfCourse>()
  return all.flatMap((entry) => {
    const before = firstOfCourse.get(entry.course.toLowerCase())
    if (!before) {
      firstOfCourse.set(entry.course.toLowerCase(), entry)
      return []
    }
    const [one, other] = [identifyingFields(before), identifyingFields(entry)]
    const differ = (['identity', 'occurrence'] as const).filter(
      (setting) => keyOf(one[setting]) !== keyOf(other[setting]),
    )
    if (differ.length === 0) return []
    const differences = differ.map(
      (setting) =>
        `${setting} is ${listed(one[setting])} in ${before.name}, and ${listed(other[setting])} in ${entry.name}`,
    )
    return [{ pipelines: [entry.name, before.name] as const, course: entry.course, difference: differences.join('; ') }]
  })
}

function identifyingFields({ pipeline, fields }: PipelineOfCourse): {
  identity: readonly string[]
  occurrence: readonly string[]
} {
  const withoutCorrelation = { ...pipeline, correlation: undefined }
  const { identity, occurrence } = fields ? identityRuleOf(withoutCorrelation, fields).rule : withoutCorrelation
  return { identity: identity.length > 0 ? identity : [primaryOf(pipeline, fields)], occurrence }
}

/**
 * Returns what identifies a recipient if no identity field is configured: the field that the Primary Value names. It is
 * the same field for every row if the Primary Value is a constant.
 */
function primaryOf({ columns }: Settings, fields: readonly NamedField[] = []): string {
  const [, spec] = Object.entries(columns).find(([name]) => roleOfName(name) === 'primary value') ?? []
  if (typeof spec !== 'object' || !('value' in spec)) return 'what the Primary Value of each row names'
  const { value } = spec
  return fields.find(({ displayName }) => looseName(displayName) === looseName(value))?.displayName ?? value
}

const keyOf = (names: readonly string[]) => names.map(looseName).sort().join('|')

const listed = (names: readonly string[]) => (names.length > 0 ? names.join(' and ') : 'nothing')
