// Questions and tasks inside the definition of an Activity (xAPI 1.0.3, Data 2.4.4.1, Interaction Activities).

import { type Check, exactly, listOf, record, StatementFault, text } from './check.ts'
import { languageMap } from './formats.ts'
import { isObject, type JsonObject } from './json.ts'

const component = record({ required: { id: text }, optional: { description: languageMap } })

const components: Check = (value, path) => {
  listOf(component)(value, path)
  const ids = Array.isArray(value) ? value.map((each) => (isObject(each) ? each.id : each)) : []
  if (new Set(ids).size < ids.length) throw new StatementFault(path, 'must give each entry an id of its own')
}

export const componentLists = ['choices', 'scale', 'source', 'target', 'steps'] as const

const details = {
  correctResponsesPattern: listOf(text),
  choices: components,
  scale: components,
  source: components,
  target: components,
  steps: components,
} satisfies Record<(typeof componentLists)[number] | 'correctResponsesPattern', Check>

/** Which list goes with which type is not enforced; the specification leaves that to the receiver. */
export const interactionProperties = {
  interactionType: exactly(
    ...['true-false', 'choice', 'fill-in', 'long-fill-in', 'matching', 'performance', 'sequencing', 'likert'],
    ...['numeric', 'other'],
  ),
  ...details,
}

export function needInteractionType(definition: JsonObject, path: string): void {
  const used = Object.keys(details).find((key) => Object.hasOwn(definition, key))
  if (used && !Object.hasOwn(definition, 'interactionType'))
    throw new StatementFault(path, `has "${used}" and must then have "interactionType"`)
}
