// Sample statements, and a function that changes one value in them.

export type Json = Record<string, unknown>

export const id = 'fd41c918-b88b-4b20-a0a5-a4c32391aaa0'
export const otherId = '6690e6c9-3ef0-4ed3-8b37-7f3964730bee'

export const sample: Json = {
  actor: { mbox: 'mailto:ada@example.com' },
  verb: { id: 'http://adlnet.gov/expapi/verbs/completed', display: { 'en-US': 'completed' } },
  object: { id: 'https://example.com/courses/fire' },
}

/** A statement as sent by Open edX's event-routing-backends. */
export const openEdx: Json = {
  id: '6d1f033b-0d6f-5a09-8a3b-7f5ee9b1a5f9',
  actor: {
    objectType: 'Agent',
    account: { homePage: 'http://localhost:18000', name: '32e08e30-f8ae-4ce2-94a8-c2bfe38a70cb' },
  },
  verb: { id: 'http://adlnet.gov/expapi/verbs/passed', display: { en: 'passed' } },
  object: {
    objectType: 'Activity',
    id: 'http://localhost:18000/course/course-v1:edX+DemoX+Demo_Course',
    definition: { type: 'http://adlnet.gov/expapi/activities/course' },
  },
  timestamp: '2026-11-20T10:00:00.123456+00:00',
  version: '1.0.3',
}

export const voiding: Json = {
  ...sample,
  verb: { id: 'http://adlnet.gov/expapi/verbs/voided' },
  object: { objectType: 'StatementRef', id: id.toUpperCase() },
}

/**
 * Returns the statement with another value at a path such as `context.team`; without a value, the member is removed.
 */
export function withChange(path: string, value?: unknown, from: Json = sample): Json {
  const copy = structuredClone(from)
  const keys = path.split('.')
  const last = keys.pop() ?? ''
  let parent = copy
  for (const key of keys) {
    parent[key] ??= {}
    parent = parent[key] as Json
  }
  if (value === undefined) delete parent[last]
  else parent[last] = value
  return copy
}
