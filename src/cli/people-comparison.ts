// Reads by which fields the people of each pipeline are compared. Calls the service for the field list of each course.

import type { App } from '#src/app/app.ts'
import type { PersonComparison } from '#src/domain/credential/same-person.ts'
import { nameFieldsOf } from '#src/domain/recipient/field-role.ts'
import { identityRuleOf } from '#src/issuing/pipelines/identity-rule.ts'
import type { ComparisonOf } from '#src/ledger/erasure/request-erasure.ts'
import { exitCode, exitCodeOf } from './exit-code.ts'

/**
 * For a pipeline that is no longer configured, and a course that the service no longer has, fields are taken by their
 * roles.
 * @throws ServiceUnreachableError, KeysRefusedError: without the fields, two people could be taken for one
 */
export async function readComparisons(app: Pick<App, 'ledger' | 'issuer' | 'pipelines'>): Promise<ComparisonOf> {
  const known = new Map<string, PersonComparison>()
  for (const { pipeline, course } of await app.ledger.erasures.pipelines()) {
    const settings = app.pipelines.find(pipeline)
    const fields = settings && (await fieldsOf(app, course))
    if (!fields) continue
    const { identity, occurrence } = identityRuleOf(settings, fields).rule
    known.set(`${course} ${pipeline}`, { identity, occurrence, nameFields: nameFieldsOf(fields) })
  }
  return (pipeline, course) => known.get(`${course} ${pipeline}`) ?? null
}

async function fieldsOf({ issuer }: Pick<App, 'issuer'>, course: string) {
  try {
    return await issuer.fieldList(course)
  } catch (error) {
    if (exitCodeOf(error) !== exitCode.usage) throw error
    return null
  }
}
