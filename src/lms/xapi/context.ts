// Validates the context of a statement (xAPI 1.0.3, Data 2.4.6). contextAgents and contextGroups are new in 2.0. Pure.

import { activity } from './activity.ts'
import { actor, agent, group } from './actor.ts'
import type { Edition } from './edition.ts'
import { exactly, listOf, record, textValue, type ValueCheck } from './value-checks.ts'
import { extensions, iri, language, uuid } from './value-formats.ts'

export const statementRef: ValueCheck = record({ required: { objectType: exactly('StatementRef'), id: uuid } })

/** A single Activity is accepted as well; it is returned as an array (Data 2.4.6.2). */
const oneOrMoreActivities: ValueCheck = (value, path) => {
  if (Array.isArray(value)) listOf(activity)(value, path)
  else activity(value, path)
}

const commonProperties = {
  registration: uuid,
  instructor: actor,
  team: group,
  contextActivities: record({
    optional: {
      parent: oneOrMoreActivities,
      grouping: oneOrMoreActivities,
      category: oneOrMoreActivities,
      other: oneOrMoreActivities,
    },
  }),
  revision: textValue,
  platform: textValue,
  language,
  statement: statementRef,
  extensions,
}

const relevantTypes = listOf(iri, 1)
const contextAgent = record({
  required: { objectType: exactly('contextAgent'), agent },
  optional: { relevantTypes },
})
const contextGroup = record({
  required: { objectType: exactly('contextGroup'), group },
  optional: { relevantTypes },
})

export const context: Record<Edition, ValueCheck> = {
  '1.0': record({ optional: commonProperties }),
  '2.0': record({
    optional: { ...commonProperties, contextAgents: listOf(contextAgent), contextGroups: listOf(contextGroup) },
  }),
}
