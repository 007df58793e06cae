// What the schema finds, in sentences for the person who wrote the file. Names and rules only, never a value: it may be a secret.

import type { z } from 'zod'
import { isUuid, meantSetting } from './setting-at.ts'
import type { SettingsFault } from './settings-error.ts'

/** The faults that one issue of zod stands for: one for each unknown key, else one. Pure. */
export function faultsOf(issue: z.core.$ZodIssue): SettingsFault[] {
  const at = issue.path.map(String)
  const fault = (sentence: string, path = at): SettingsFault => ({ where: path.join('.') || 'the file', sentence })
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => fault(notASetting(meantSetting(at, key)), [...at, key]))
    // The sentence stands on the inner issue; the outer one only says that the key is wrong.
    case 'invalid_key':
      return issue.issues.flatMap(faultsOf).map(({ sentence }) => fault(`as a name ${sentence}`))
    case 'invalid_type':
      return [fault(typeSentence(issue, at))]
    case 'invalid_format':
      return [fault(issue.format === 'guid' ? `is not ${aUuid}` : issue.message)]
    case 'invalid_value':
      return [fault(`is not one of ${issue.values.map(String).join(', ')}`)]
    case 'too_small':
      return [fault(issue.origin === 'string' ? 'is empty' : `is less than ${issue.minimum}`)]
    case 'too_big':
      return [fault(`is more than ${issue.maximum}`)]
    case 'invalid_union':
      return (
        nearestOf(issue)?.flatMap((inner) => faultsOf({ ...inner, path: [...issue.path, ...inner.path] })) ?? [
          fault(issue.message),
        ]
      )
    default:
      return [fault(issue.message)]
  }
}

/** The form that a group of settings most likely was meant to have: the one with the fewest faults. Null where two are as near. */
function nearestOf(issue: z.core.$ZodIssueInvalidUnion): z.core.$ZodIssue[] | null {
  const [nearest, next] = issue.errors.toSorted((a, b) => weightOf(a) - weightOf(b))
  return issue.path.at(-1) === 'source' && nearest && next && weightOf(nearest) < weightOf(next) ? nearest : null
}

function weightOf(issues: readonly z.core.$ZodIssue[]): number {
  return issues.reduce((sum, issue) => sum + (issue.code === 'unrecognized_keys' ? issue.keys.length : 1), 0)
}

const aUuid = 'a uuid, such as 8d7c2b54-6f0e-4a1d-9b3c-5e2f7a9d0c11'

function notASetting(meant: string | null): string {
  const guess = meant ? `did you mean ${meant}?` : 'check the spelling'
  return `is not a setting; ${guess} (config/settings.md has them all)`
}

const kinds: Partial<Record<string, string>> = {
  string: 'a text',
  int: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  object: 'a group of settings',
  record: 'a group of settings',
  array: 'a list',
}

function typeSentence(issue: z.core.$ZodIssueInvalidType, at: readonly string[]): string {
  if (issue.expected === 'never') return issue.message
  const kind = isUuid(at) ? aUuid : (kinds[issue.expected] ?? issue.expected)
  if (issue.message.endsWith('received undefined')) return `is missing; it is ${kind}`
  return `is not ${kind}${issue.expected === 'string' ? '; put a number in quotes' : ''}`
}
