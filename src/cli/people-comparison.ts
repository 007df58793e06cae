// Reads by which fields the people of each pipeline are compared. Calls the service for the field list of each course.

import type { App } from '#src/app/app.ts'
import type { PersonComparison } from '#src/domain/credential/same-person.ts'
import type { Field } from '#src/domain/recipient/field.ts'
import { nameFieldsOf } from '#src/domain/recipient/field-role.ts'
import { personComparison } from '#src/issuing/erasures/person-comparison.ts'
import { openRowReader } from '#src/issuing/erasures/row-reader.ts'
import { identityRuleOf } from '#src/issuing/pipelines/identity-rule.ts'
import type { ComparisonOf, PipelineFields } from '#src/ledger/erasure/person-records.ts'
import { exitCode, exitCodeOf } from './exit-code.ts'

type Settings = Parameters<typeof identityRuleOf>[0]

/**
 * For a pipeline that is no longer configured, and a course that the service no longer has, fields are taken by their
 * roles. If the service gives no answer, by the fields of the newest recipients in the ledger.
 * @param say tells the operator that the service gave no answer
 * @throws ServiceUnreachableError, KeysRefusedError if those fields do not show what two people differ in
 */
export async function readComparisons(
  app: Pick<App, 'ledger' | 'issuer' | 'pipelines'>,
  say: (line: string) => void = () => {},
): Promise<ComparisonOf> {
  const known = new Map<string, PipelineFields>()
  let failure: unknown
  for (const { pipeline, course, fields: lastFields } of await app.ledger.erasures.pipelines()) {
    const settings = app.pipelines.find(pipeline)
    if (!settings) continue
    const answer: Answer = failure === undefined ? await fieldsOf(app, course) : { failure }
    if ('failure' in answer && failure === undefined) {
      failure = answer.failure
      say('The service gave no answer: people are compared by the fields that the ledger has of them.')
    }
    // Of invalid rows alone, nobody is compared with anybody: their columns are told by their titles.
    if ('failure' in answer && lastFields.length === 0) continue
    const comparison =
      'failure' in answer
        ? comparisonByLedger(settings, lastFields, failure)
        : answer.fields && {
            ...personComparison(settings, answer.fields),
            readRow: openRowReader(settings, answer.fields),
          }
    if (comparison) known.set(`${course} ${pipeline}`, comparison)
  }
  return (pipeline, course) => known.get(`${course} ${pipeline}`) ?? null
}

type Answer = { fields: readonly Field[] | null } | { failure: unknown }

async function fieldsOf({ issuer }: Pick<App, 'issuer'>, course: string): Promise<Answer> {
  try {
    return { fields: await issuer.fieldList(course) }
  } catch (error) {
    if (exitCodeOf(error) === exitCode.service) return { failure: error }
    if (exitCodeOf(error) !== exitCode.usage) throw error
    return { fields: null }
  }
}

/** Refuses what could take two people for one: a field that only its internal name tells is not found in the ledger. */
function comparisonByLedger(settings: Settings, lastFields: readonly string[], failure: unknown): PersonComparison {
  const fields = lastFields.map((name) => ({ name, displayName: name }))
  const { rule, faults } = identityRuleOf({ ...settings, correlation: undefined }, fields)
  const nameFields = nameFieldsOf(fields)
  if (faults.length > 0 || nameFields.length < 2) throw failure
  return { identity: rule.identity, occurrence: rule.occurrence, nameFields }
}

/** The course of each pipeline, as it is configured now; null if only the service can tell, and does not. */
export async function configuredCourses({
  pipelines,
  courses,
}: Pick<App, 'pipelines' | 'courses'>): Promise<Map<string, string | null>> {
  const known = new Map<string, string | null>()
  for (const name of pipelines.names) {
    const course = await courses.uuidOf(pipelines.named(name)).catch((error) => {
      const code = exitCodeOf(error)
      if (code === exitCode.service || code === exitCode.usage) return null
      throw error
    })
    known.set(name, course)
  }
  return known
}
