// Pipelines: their names, identity rules, courses and invitations.

import { describe, expect, test } from 'vitest'
import { type PipelineSettings, pipelineSchema } from '#config/pipeline-settings.ts'
import { buildInvitation } from '#src/issuing/pipelines/build-invitation.ts'
import { CourseUnknownError, openCourseCache, whyNotReady } from '#src/issuing/pipelines/course-cache.ts'
import { identityRuleOf } from '#src/issuing/pipelines/identity-rule.ts'
import { openPipelines, PipelineUnknownError } from '#src/issuing/pipelines/pipelines.ts'
import { aField } from '#test/src/domain/recipient/fields.ts'
import { steppedClock } from '#test/support/clock.ts'
import { aCourse, otherCourse, recipients } from '#test/support/domain-objects.ts'

function aPipeline(more: Record<string, unknown> = {}): PipelineSettings {
  return pipelineSchema.parse({ course: aCourse, template: aCourse, badgeTemplate: otherCourse, ...more })
}

describe('the identity of a pipeline', () => {
  const fields = [aField('Email', { name: 'email_' }), aField('Register Number', { name: 'reg_no' })]
  const plan = (more: Record<string, unknown>) => identityRuleOf(aPipeline(more), fields)

  test('is the primary value if nothing is configured', () => {
    expect(plan({})).toEqual({ rule: { identity: [], occurrence: [], correlation: null }, faults: [] })
  })

  test.each(['Register Number', 'register_number', 'REGISTER NUMBER', 'reg_no', 'RegNo'])(
    'finds the field spelled “%s”',
    (written) => {
      const { rule, faults } = plan({ identity: [written], occurrence: [written] })
      expect(faults).toEqual([])
      expect(rule).toMatchObject({ identity: ['Register Number'], occurrence: ['Register Number'] })
    },
  )

  test('finds the correlation field by its internal name and returns its display name', () => {
    expect(plan({ correlation: 'reg_no' }).rule.correlation).toEqual({ field: 'Register Number', kind: 'reg_no' })
  })

  test('reports all wrong names together, with the existing names', () => {
    const { faults } = plan({ identity: ['Emial'], occurrence: ['End'], correlation: 'uid' })
    expect(faults).toHaveLength(3)
    expect(faults[0]).toMatch(/identity names the field “Emial”.*The fields of the course are: Email, Register Number/)
    expect(faults[1]).toContain('occurrence names the field “End”')
    expect(faults[2]).toContain('correlation is uid')
  })
})

describe('the course of a pipeline', () => {
  const approved = { approval_status_id: 2, is_active: 1 }

  test.each<[number | null, number | null, string | null]>([
    [2, 1, null],
    [2, 0, 'disabled'],
    [2, null, 'disabled'],
    [1, 1, 'approval is pending'],
    [3, 1, 'on hold'],
    [4, 1, 'rejected'],
    [9, 1, 'unknown status'],
    [null, 1, 'unknown status'],
  ])('with approval %j and active %j is not ready for this reason: %j', (approval_status_id, is_active, why) => {
    const sentence = whyNotReady({ approval_status_id, is_active })
    if (why === null) expect(sentence).toBeNull()
    else expect(sentence).toContain(why)
  })

  function openCache(numbers: Record<string, string> = {}) {
    const calls: string[] = []
    const clock = steppedClock()
    const facts = { course_name: 'Welding', templateDetails: [], badgeTemplateDetail: [], ...approved }
    const source = {
      courseDetail: async (uuid: string) => {
        calls.push(uuid)
        return facts
      },
      findCourseByNumber: async (number: string) => {
        calls.push(number)
        return numbers[number] ? { course_uuid: numbers[number] } : null
      },
    }
    return { calls, clock, facts, cache: openCourseCache(source, clock) }
  }

  test('is requested at most once a minute', async () => {
    const { calls, clock, facts, cache } = openCache()
    expect(await cache.whyNotReady(aCourse)).toBeNull()
    facts.is_active = 0
    await clock.advance(59_999)
    expect(await cache.whyNotReady(aCourse)).toBeNull()
    await clock.advance(1)
    expect(await cache.whyNotReady(aCourse)).toContain('disabled')
    expect(calls).toEqual([aCourse, aCourse])
  })

  test('is found by its number, with one search', async () => {
    const { calls, cache } = openCache({ 'WELD-1': aCourse })
    expect(await cache.uuidOf({ courseNumber: 'WELD-1' })).toBe(aCourse)
    expect(await cache.uuidOf({ courseNumber: 'WELD-1' })).toBe(aCourse)
    expect(await cache.uuidOf({ course: otherCourse })).toBe(otherCourse)
    expect(calls).toEqual(['WELD-1'])
  })

  test('with an unknown number leads to an error that names the number', async () => {
    const { cache } = openCache()
    const fault = await cache.uuidOf({ courseNumber: 'WELD-2' }).catch((error) => error)
    expect(fault).toBeInstanceOf(CourseUnknownError)
    expect(fault.message).toContain('WELD-2')
  })
})

describe('an invitation', () => {
  test('omits what is not configured, so that the service’s defaults apply', () => {
    const invitation = buildInvitation(aPipeline(), aCourse, recipients(2))
    expect(Object.keys(invitation)).toEqual(['courseUuid', 'templateUuid', 'badgeTemplateUuid', 'options', 'students'])
    expect(invitation).toMatchObject({ courseUuid: aCourse, badgeTemplateUuid: otherCourse, students: recipients(2) })
  })

  test('contains what is configured, and a signature given as a uuid is required', () => {
    const optional = { uuid: otherCourse, required: false }
    const pipeline = aPipeline({ signatures: [aCourse, optional], sponsors: [aCourse], mailTemplate: otherCourse })
    expect(buildInvitation(pipeline, aCourse, [])).toMatchObject({
      signatures: [{ uuid: aCourse, required: true }, optional],
      sponsors: [aCourse],
      mailTemplateUuid: otherCourse,
    })
  })
})

describe('the pipelines', () => {
  test('are found by name, and the error for an unknown name lists the known names', () => {
    const spring = aPipeline()
    const pipelines = openPipelines({ spring })
    expect(pipelines.names).toEqual(['spring'])
    expect(pipelines.named('spring')).toBe(spring)
    expect(pipelines.find('constructor')).toBeNull()
    expect(() => pipelines.named('sprig')).toThrow(PipelineUnknownError)
    expect(() => pipelines.named('sprig')).toThrow('It has: spring.')
    expect(() => openPipelines({}).named('spring')).toThrow('It has none')
  })
})
