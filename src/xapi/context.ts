// Around what it happened: the context (xAPI 1.0.3, Data 2.4.6); contextAgents and contextGroups came with 2.0.

import { activity } from './activity.ts'
import { actor, agent, group } from './actor.ts'
import { type Check, exactly, listOf, record, text } from './check.ts'
import type { Edition } from './edition.ts'
import { extensions, iri, language, uuid } from './formats.ts'

export const statementRef: Check = record({ required: { objectType: exactly('StatementRef'), id: uuid } })

/** One Activity alone is taken as well; it is shown as an array (Data 2.4.6.2). */
const oneOrMoreActivities: Check = (value, path) => {
  if (Array.isArray(value)) listOf(activity)(value, path)
  else activity(value, path)
}

const kept = {
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
  revision: text,
  platform: text,
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

export const context: Record<Edition, Check> = {
  '1.0': record({ optional: kept }),
  '2.0': record({ optional: { ...kept, contextAgents: listOf(contextAgent), contextGroups: listOf(contextGroup) } }),
}
