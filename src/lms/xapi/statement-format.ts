// Converts a statement to a response format: as stored, with identifiers only, or with text in one language (xAPI
// 1.0.3, Communication 2.1.3). Pure.

import { acceptedLanguage } from './accepted-language.ts'
import { identifierKinds } from './actor.ts'
import { componentLists } from './interaction.ts'
import { isObject, type Json, type JsonObject } from './json.ts'

export const statementFormats = ['exact', 'ids', 'canonical'] as const

type Change = (value: JsonObject) => JsonObject

interface Changes {
  actor: Change
  verb: Change
  activity: Change
}

/**
 * Returns the statement in the format.
 * @param accepts the Accept-Language header, which selects the language for the format `canonical`
 */
export function inFormat(
  statement: JsonObject,
  format: (typeof statementFormats)[number],
  accepts: string,
): JsonObject {
  if (format === 'exact') return statement
  return changeStatement(statement, format === 'ids' ? identifiersOnly : inOneLanguage(accepts))
}

const identifiersOnly: Changes = {
  actor: identifiersOf,
  verb: ({ id = null }) => ({ id }),
  activity: ({ id = null }) => ({ id }),
}

/** Keeps only the identifiers of an actor. A Group without an identifier is identified by its members. */
function identifiersOf(actor: JsonObject): JsonObject {
  const kinds = identifierKinds.filter((kind) => Object.hasOwn(actor, kind))
  const keptKeys: readonly string[] = ['objectType', ...(kinds.length > 0 ? kinds : ['member'])]
  const identifiers = Object.fromEntries(Object.entries(actor).filter(([key]) => keptKeys.includes(key)))
  return changeProperties(identifiers, { member: identifiersOf })
}

function inOneLanguage(accepts: string): Changes {
  const oneLanguage: Change = (languageMap) => {
    const tag = acceptedLanguage(Object.keys(languageMap), accepts)
    return tag === undefined ? languageMap : { [tag]: languageMap[tag] ?? null }
  }
  const component: Change = (each) => changeProperties(each, { description: oneLanguage })
  const lists = Object.fromEntries(componentLists.map((list) => [list, component]))
  return {
    actor: (actor) => actor,
    verb: (verb) => changeProperties(verb, { display: oneLanguage }),
    activity: (activity) =>
      changeProperties(activity, {
        definition: (definition) =>
          changeProperties(definition, { name: oneLanguage, description: oneLanguage, ...lists }),
      }),
  }
}

function changeStatement(statement: JsonObject, changes: Changes): JsonObject {
  const { actor, verb, activity } = changes
  const activities = { parent: activity, grouping: activity, category: activity, other: activity }
  return changeProperties(statement, {
    actor,
    verb,
    authority: actor,
    object: (object) => changeObject(object, changes),
    context: (context) =>
      changeProperties(context, {
        instructor: actor,
        team: actor,
        contextActivities: (lists) => changeProperties(lists, activities),
        contextAgents: (entry) => changeProperties(entry, { agent: actor }),
        contextGroups: (entry) => changeProperties(entry, { group: actor }),
      }),
  })
}

function changeObject(object: JsonObject, changes: Changes): JsonObject {
  switch (object.objectType) {
    case 'Agent':
    case 'Group':
      return changes.actor(object)
    case 'SubStatement':
      return changeStatement(object, changes)
    case 'StatementRef':
      return object
    default:
      return changes.activity(object)
  }
}

/** Applies the changes to the properties that exist, or to each entry if the value is an array. */
function changeProperties(value: JsonObject, changes: Readonly<Record<string, Change>>): JsonObject {
  const each = (inner: Json, change: Change): Json =>
    Array.isArray(inner) ? inner.map((entry) => each(entry, change)) : isObject(inner) ? change(inner) : inner
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      const change = Object.hasOwn(changes, key) ? changes[key] : undefined
      return [key, change ? each(inner, change) : inner]
    }),
  )
}
