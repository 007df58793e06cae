// What it was done with: an Activity and its definition (xAPI 1.0.3, Data 2.4.4.1).

import { type Check, exactly, record } from './check.ts'
import { extensions, iri, languageMap } from './formats.ts'
import { interactionProperties, needInteractionType } from './interaction.ts'
import { isObject } from './json.ts'

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

const definition: Check = (value, path) => {
  definitionShape(value, path)
  if (isObject(value)) needInteractionType(value, path)
}

export const activity: Check = record({
  required: { id: iri },
  optional: { objectType: exactly('Activity'), definition },
})
