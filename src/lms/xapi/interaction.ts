// Validates questions and tasks in the definition of an Activity (xAPI 1.0.3, Data 2.4.4.1, Interaction Activities).
// Pure.

import { isObject, type JsonObject } from './json.ts'
import { exactly, listOf, record, StatementFault, textValue, type ValueCheck } from './value-checks.ts'
import { languageMap } from './value-formats.ts'

const component = record({ required: { id: textValue }, optional: { description: languageMap } })

const components: ValueCheck = (value, path) => {
  listOf(component)(value, path)
  const ids = Array.isArray(value) ? value.map((each) => (isObject(each) ? each.id : each)) : []
  if (new Set(ids).size < ids.length) throw new StatementFault(path, 'must give each entry a unique id')
}

export const componentLists = ['choices', 'scale', 'source', 'target', 'steps'] as const

const propertyChecks = {
  correctResponsesPattern: listOf(textValue),
  choices: components,
  scale: components,
  source: components,
  target: components,
  steps: components,
} satisfies Record<(typeof componentLists)[number] | 'correctResponsesPattern', ValueCheck>

/** Whether a list is allowed for the interaction type is not checked; the specification leaves this to the receiver. */
export const interactionProperties = {
  interactionType: exactly(
    ...['true-false', 'choice', 'fill-in', 'long-fill-in', 'matching', 'performance', 'sequencing', 'likert'],
    ...['numeric', 'other'],
  ),
  ...propertyChecks,
}

export function requireInteractionType(definition: JsonObject, path: string): void {
  const property = Object.keys(propertyChecks).find((key) => Object.hasOwn(definition, key))
  if (property && !Object.hasOwn(definition, 'interactionType'))
    throw new StatementFault(path, `has "${property}", so it must have "interactionType"`)
}
