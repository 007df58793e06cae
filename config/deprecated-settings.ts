// Marks a setting as deprecated, and finds the deprecated settings that a configuration file uses. Pure.

import type { z } from 'zod'
import type { SettingsFault } from './read-variable.ts'

export interface Deprecation {
  /** The version that deprecates the setting. */
  since: string
  /** What replaces it. */
  use: string
  /** The version that no longer accepts it. */
  until: string
}

/**
 * Marks a setting: `check` warns of it, editors strike it out, and the reference page says so. Wrap the outermost
 * schema of the setting, because what is wrapped around the mark would hide it.
 */
export function deprecated<Schema extends z.ZodType>(schema: Schema, { since, use, until }: Deprecation): Schema {
  const deprecationMessage = `is deprecated since ${since}; use ${use}. It stops working in ${until}`
  return schema.meta({ ...schema.meta(), deprecated: true, deprecationMessage })
}

/** The subset of JSON Schema that is needed to find a mark. */
export interface MarkedNode {
  deprecationMessage?: string
  properties?: Record<string, MarkedNode & { const?: unknown }>
  additionalProperties?: MarkedNode | boolean
  items?: MarkedNode
  anyOf?: readonly MarkedNode[]
  oneOf?: readonly MarkedNode[]
}

/** @param value the content of the file at `path`, as it was written */
export function deprecatedSettings(value: unknown, node: MarkedNode, path: readonly string[] = []): SettingsFault[] {
  const here = node.deprecationMessage ? [{ where: path.join('.'), sentence: node.deprecationMessage }] : []
  if (value === null || typeof value !== 'object') return here
  const forms = [...(node.anyOf ?? []), ...(node.oneOf ?? [])].filter((form) => hasForm(value, form))
  const { additionalProperties: others } = node
  const members = Object.entries(value).flatMap(([name, each]) => {
    const member = Array.isArray(value) ? node.items : (node.properties?.[name] ?? others)
    return typeof member === 'object' ? deprecatedSettings(each, member, [...path, name]) : []
  })
  return [...here, ...members, ...forms.flatMap((form) => deprecatedSettings(value, form, path))]
}

/** Whether the members that tell alternative groups apart, such as `type`, have the values of this form. */
function hasForm(value: object, { properties = {} }: MarkedNode): boolean {
  return Object.entries(value).every(
    ([name, each]) => properties[name]?.const === undefined || properties[name].const === each,
  )
}
