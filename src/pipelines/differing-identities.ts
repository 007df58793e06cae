// Pipelines of one course that say differently who a recipient is, or what makes a second credential legitimate: the ledger knows nobody of the one
// in the other, and whoever stands in the lists of both is issued twice. Pure.

import type { PipelineSettings } from '#config/schema.ts'
import { roleOfName } from '#src/recipients/field-role.ts'
import { looseName } from '#src/recipients/loose-name.ts'
import { identityRuleOf } from './identity-rule.ts'

type Settings = Pick<PipelineSettings, 'columns' | 'identity' | 'occurrence'>
type NamedField = Parameters<typeof identityRuleOf>[1][number]

export interface PipelineOfCourse {
  name: string
  /** uuid or number: what names the same course in the same way. */
  course: string
  pipeline: Settings
  /** Of the course, where they are at hand: a field has two names. */
  fields?: readonly NamedField[]
}

export interface IdentityDifference {
  /** The pipeline, and an earlier one of the same course from which it differs. */
  pipelines: readonly [string, string]
  course: string
  /** `identity is Email in spring, and Register Number in autumn`. */
  what: string
}

/** Each pipeline against the first one of its course; none where all say the same. */
export function differingIdentities(all: readonly PipelineOfCourse[]): IdentityDifference[] {
  const first = new Map<string, PipelineOfCourse>()
  return all.flatMap((each) => {
    const before = first.get(each.course.toLowerCase())
    if (!before) {
      first.set(each.course.toLowerCase(), each)
      return []
    }
    const [one, other] = [wordsOf(before), wordsOf(each)]
    const differ = (['identity', 'occurrence'] as const).filter(
      (setting) => keyOf(one[setting]) !== keyOf(other[setting]),
    )
    if (differ.length === 0) return []
    const said = differ.map(
      (setting) =>
        `${setting} is ${listed(one[setting])} in ${before.name}, and ${listed(other[setting])} in ${each.name}`,
    )
    return [{ pipelines: [each.name, before.name] as const, course: each.course, what: said.join('; ') }]
  })
}

function wordsOf({ pipeline, fields }: PipelineOfCourse): {
  identity: readonly string[]
  occurrence: readonly string[]
} {
  const named = { ...pipeline, correlation: undefined }
  const { identity, occurrence } = fields ? identityRuleOf(named, fields).rule : named
  return { identity: identity.length > 0 ? identity : [primaryOf(pipeline, fields)], occurrence }
}

/** Whom a row is about where no field is named: what its Primary Value names, which is the same for every row where it is a constant. */
function primaryOf({ columns }: Settings, fields: readonly NamedField[] = []): string {
  const [, spec] = Object.entries(columns).find(([name]) => roleOfName(name) === 'primary value') ?? []
  if (typeof spec !== 'object' || !('value' in spec)) return 'what the Primary Value of each row names'
  const { value } = spec
  return fields.find(({ displayName }) => looseName(displayName) === looseName(value))?.displayName ?? value
}

const keyOf = (names: readonly string[]) => names.map(looseName).sort().join('|')

const listed = (names: readonly string[]) => (names.length > 0 ? names.join(' and ') : 'nothing')
