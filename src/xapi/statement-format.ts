// The formats in which a statement is shown: as it is kept, with identifiers alone, or with words in one language (xAPI 1.0.3,
// Communication 2.1.3).

import { acceptedLanguage } from './accepted-language.ts'
import { identifierKinds } from './actor.ts'
import { componentLists } from './interaction.ts'
import { isObject, type Json, type JsonObject } from './json.ts'

export const formats = ['exact', 'ids', 'canonical'] as const

type Change = (value: JsonObject) => JsonObject

interface Changes {
  actor: Change
  verb: Change
  activity: Change
}

/** @param accepts the header Accept-Language, for the words of the format `canonical` */
export function inFormat(statement: JsonObject, format: (typeof formats)[number], accepts: string): JsonObject {
  if (format === 'exact') return statement
  return changed(statement, format === 'ids' ? identifiersAlone : wordsIn(accepts))
}

const identifiersAlone: Changes = {
  actor: identified,
  verb: ({ id = null }) => ({ id }),
  activity: ({ id = null }) => ({ id }),
}

/** A Group without identifier is identified by its members. */
function identified(actor: JsonObject): JsonObject {
  const kinds = identifierKinds.filter((kind) => Object.hasOwn(actor, kind))
  const kept: readonly string[] = ['objectType', ...(kinds.length > 0 ? kinds : ['member'])]
  const whole = Object.fromEntries(Object.entries(actor).filter(([key]) => kept.includes(key)))
  return changedAt(whole, { member: identified })
}

function wordsIn(accepts: string): Changes {
  const oneLanguage: Change = (words) => {
    const tag = acceptedLanguage(Object.keys(words), accepts)
    return tag === undefined ? words : { [tag]: words[tag] ?? null }
  }
  const component: Change = (each) => changedAt(each, { description: oneLanguage })
  const lists = Object.fromEntries(componentLists.map((list) => [list, component]))
  return {
    actor: (actor) => actor,
    verb: (verb) => changedAt(verb, { display: oneLanguage }),
    activity: (activity) =>
      changedAt(activity, {
        definition: (definition) => changedAt(definition, { name: oneLanguage, description: oneLanguage, ...lists }),
      }),
  }
}

function changed(statement: JsonObject, changes: Changes): JsonObject {
  const { actor, verb, activity } = changes
  const activities = { parent: activity, grouping: activity, category: activity, other: activity }
  return changedAt(statement, {
    actor,
    verb,
    authority: actor,
    object: (object) => changedObject(object, changes),
    context: (context) =>
      changedAt(context, {
        instructor: actor,
        team: actor,
        contextActivities: (lists) => changedAt(lists, activities),
        contextAgents: (entry) => changedAt(entry, { agent: actor }),
        contextGroups: (entry) => changedAt(entry, { group: actor }),
      }),
  })
}

function changedObject(object: JsonObject, changes: Changes): JsonObject {
  switch (object.objectType) {
    case 'Agent':
    case 'Group':
      return changes.actor(object)
    case 'SubStatement':
      return changed(object, changes)
    case 'StatementRef':
      return object
    default:
      return changes.activity(object)
  }
}

/** The value with these properties changed where it has them, each entry of an array for itself. */
function changedAt(value: JsonObject, changes: Readonly<Record<string, Change>>): JsonObject {
  const each = (inner: Json, change: Change): Json =>
    Array.isArray(inner) ? inner.map((entry) => each(entry, change)) : isObject(inner) ? change(inner) : inner
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      const change = Object.hasOwn(changes, key) ? changes[key] : undefined
      return [key, change ? each(inner, change) : inner]
    }),
  )
}
