// Translates the issues that zod finds in the configuration file into sentences for the file's author. The sentences
// contain only names and rules, and never a value, which may be a secret. Pure.

import { z } from 'zod'
import { nearestName } from '#src/domain/recipient/nearest-name.ts'
import type { SettingsFault } from './read-variable.ts'
import { fileSchema } from './schema.ts'

/** Returns the faults for one issue of zod: one for each unknown key, and one for any other issue. */
export function faultsOf(issue: z.core.$ZodIssue): SettingsFault[] {
  const path = issue.path.map(String)
  const fault = (sentence: string, where = path): SettingsFault => ({ where: where.join('.') || 'the file', sentence })
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) =>
        fault(notASetting(nearestName(key, Object.keys(nodeAt(path)?.properties ?? {}))), [...path, key]),
      )
    // The inner issue has the reason; the outer issue only says that the key is invalid.
    case 'invalid_key':
      return issue.issues.flatMap(faultsOf).map(({ sentence }) => fault(`as a name, ${sentence}`))
    case 'invalid_type':
      return [fault(typeSentence(issue, path))]
    case 'invalid_format':
      return [fault(issue.format === 'guid' ? `is not ${uuidWithExample}` : issue.message)]
    case 'invalid_value':
      return [fault(`is not one of ${issue.values.map(String).join(', ')}`)]
    case 'too_small':
      return [fault(issue.origin === 'string' ? 'is empty' : `is less than ${issue.minimum}`)]
    case 'too_big':
      return [fault(`is more than ${issue.maximum}`)]
    case 'invalid_union':
      return (
        likeliestIssues(issue)?.flatMap((inner) => faultsOf({ ...inner, path: [...issue.path, ...inner.path] })) ?? [
          fault(issue.message),
        ]
      )
    default:
      return [fault(issue.message)]
  }
}

/**
 * Returns the issues of the most likely form of `source` or `expect`, which is the form with the fewest faults; null if
 * two forms are equally likely, and for any other setting, which has its own message.
 */
function likeliestIssues(issue: z.core.$ZodIssueInvalidUnion): z.core.$ZodIssue[] | null {
  const [likeliest, next] = issue.errors.toSorted((a, b) => faultCount(a) - faultCount(b))
  return ['source', 'expect'].includes(String(issue.path.at(-1))) &&
    likeliest &&
    next &&
    faultCount(likeliest) < faultCount(next)
    ? likeliest
    : null
}

function faultCount(issues: readonly z.core.$ZodIssue[]): number {
  return issues.reduce((sum, issue) => sum + (issue.code === 'unrecognized_keys' ? issue.keys.length : 1), 0)
}

const uuidWithExample = 'a uuid, such as 8d7c2b54-6f0e-4a1d-9b3c-5e2f7a9d0c11'

function notASetting(suggestion: string | null): string {
  const advice = suggestion ? `did you mean ${suggestion}?` : 'check the spelling'
  return `is not a setting; ${advice} (config/settings.md lists all settings)`
}

const kinds: Partial<Record<string, string>> = {
  string: 'text',
  int: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  object: 'a group of settings',
  record: 'a group of settings',
  array: 'a list',
}

function typeSentence(issue: z.core.$ZodIssueInvalidType, path: readonly string[]): string {
  if (issue.expected === 'never') return issue.message
  const takesUuid = nodeAt(path)?.format === 'uuid'
  const kind = takesUuid ? uuidWithExample : (kinds[issue.expected] ?? issue.expected)
  if (issue.message.endsWith('received undefined')) return `is missing; it must be ${kind}`
  return `is not ${kind}${issue.expected === 'string' ? '; put a number in quotes' : ''}`
}

interface Node {
  format?: string
  properties?: Record<string, Node>
  additionalProperties?: Node | boolean
}

/**
 * Finds the setting at `path` in the schema; null if there is none. The path may contain names that the file's owner
 * chose.
 */
function nodeAt(path: readonly string[]): Node | null {
  let node = z.toJSONSchema(fileSchema, { io: 'input' }) as Node
  for (const step of path) {
    const { additionalProperties: others } = node
    const next = node.properties?.[step] ?? (typeof others === 'object' ? others : undefined)
    if (!next) return null
    node = next
  }
  return node
}
