// Validates the object of a statement when it is an Activity, and its definition (xAPI 1.0.3, Data 2.4.4.1). Pure.

import { interactionProperties, requireInteractionType } from './interaction.ts'
import { isObject } from './json.ts'
import { exactly, record, type ValueCheck } from './value-checks.ts'
import { extensions, iri, languageMap } from './value-formats.ts'

const definitionShape = record({
  optional: {
    name: languageMap,
    description: languageMap,
    type: iri,
    moreInfo: iri,
    extensions,
    ...interactionProperties,
  },
})

const definition: ValueCheck = (value, path) => {
  definitionShape(value, path)
  if (isObject(value)) requireInteractionType(value, path)
}

export const activity: ValueCheck = record({
  required: { id: iri },
  optional: { objectType: exactly('Activity'), definition },
})
