import { describe, expect, test } from 'vitest'
import { type PipelineSettings, pipelineSchema } from '#config/schema.ts'
import { CourseUnknownError, openCourseDesk, whyNotReady } from '#src/pipelines/course-desk.ts'
import { identityRuleOf } from '#src/pipelines/identity-rule.ts'
import { invitationOf } from '#src/pipelines/invitation-of.ts'
import { openPipelines, PipelineUnknownError } from '#src/pipelines/pipelines.ts'
import { aField } from '#test/src/recipients/fields.ts'
import { aCourse, otherCourse, recipients } from '#test/support/build.ts'
import { steppedClock } from '#test/support/clock.ts'

function aPipeline(more: Record<string, unknown> = {}): PipelineSettings {
  return pipelineSchema.parse({ course: aCourse, template: aCourse, badgeTemplate: otherCourse, ...more })
}

describe('the identity of a pipeline', () => {
  const fields = [aField('Email', { name: 'email_' }), aField('Register Number', { name: 'reg_no' })]
  const plan = (more: Record<string, unknown>) => identityRuleOf(aPipeline(more), fields)

  test('is the primary value where nothing is named', () => {
    expect(plan({})).toEqual({ rule: { identity: [], occurrence: [], correlation: null }, faults: [] })
  })

  test.each(['Register Number', 'register_number', 'REGISTER NUMBER', 'reg_no', 'RegNo'])(
    'finds the field that is written “%s”',
    (written) => {
      const { rule, faults } = plan({ identity: [written], occurrence: [written] })
      expect(faults).toEqual([])
      expect(rule).toMatchObject({ identity: ['Register Number'], occurrence: ['Register Number'] })
    },
  )

  test('takes the correlation by its internal name and gives the field that carries it', () => {
    expect(plan({ correlation: 'reg_no' }).rule.correlation).toEqual({ field: 'Register Number', kind: 'reg_no' })
  })

  test('tells every slip of the pen at once, with what there is', () => {
    const { faults } = plan({ identity: ['Emial'], occurrence: ['End'], correlation: 'uid' })
    expect(faults).toHaveLength(3)
    expect(faults[0]).toMatch(/identity names the field “Emial”.*It has: Email, Register Number/)
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
  ])('with approval %j and active %j is not ready because: %j', (approval_status_id, is_active, why) => {
    const sentence = whyNotReady({ approval_status_id, is_active })
    if (why === null) expect(sentence).toBeNull()
    else expect(sentence).toContain(why)
  })

  function openDesk(numbers: Record<string, string> = {}) {
    const asked: string[] = []
    const clock = steppedClock()
    const facts = { course_name: 'Welding', templateDetails: [], badgeTemplateDetail: [], ...approved }
    const source = {
      courseDetail: async (uuid: string) => {
        asked.push(uuid)
        return facts
      },
      findCourseByNumber: async (number: string) => {
        asked.push(number)
        return numbers[number] ? { course_uuid: numbers[number] } : null
      },
    }
    return { asked, clock, facts, desk: openCourseDesk(source, clock) }
  }

  test('is asked for once a minute', async () => {
    const { asked, clock, facts, desk } = openDesk()
    expect(await desk.whyNotReady(aCourse)).toBeNull()
    facts.is_active = 0
    await clock.advance(59_999)
    expect(await desk.whyNotReady(aCourse)).toBeNull()
    await clock.advance(1)
    expect(await desk.whyNotReady(aCourse)).toContain('disabled')
    expect(asked).toEqual([aCourse, aCourse])
  })

  test('is found by its number, once', async () => {
    const { asked, desk } = openDesk({ 'WELD-1': aCourse })
    expect(await desk.uuidOf({ courseNumber: 'WELD-1' })).toBe(aCourse)
    expect(await desk.uuidOf({ courseNumber: 'WELD-1' })).toBe(aCourse)
    expect(await desk.uuidOf({ course: otherCourse })).toBe(otherCourse)
    expect(asked).toEqual(['WELD-1'])
  })

  test('with a number that nobody has is a fault that names it', async () => {
    const { desk } = openDesk()
    const fault = await desk.uuidOf({ courseNumber: 'WELD-2' }).catch((error) => error)
    expect(fault).toBeInstanceOf(CourseUnknownError)
    expect(fault.message).toContain('WELD-2')
  })
})

describe('an invitation', () => {
  test('leaves out what is not configured, so that the service decides', () => {
    const invitation = invitationOf(aPipeline(), aCourse, recipients(2))
    expect(Object.keys(invitation)).toEqual(['courseUuid', 'templateUuid', 'badgeTemplateUuid', 'options', 'students'])
    expect(invitation).toMatchObject({ courseUuid: aCourse, badgeTemplateUuid: otherCourse, students: recipients(2) })
  })

  test('carries what is configured; a signature without more is required', () => {
    const optional = { uuid: otherCourse, required: false }
    const pipeline = aPipeline({ signatures: [aCourse, optional], sponsors: [aCourse], mailTemplate: otherCourse })
    expect(invitationOf(pipeline, aCourse, [])).toMatchObject({
      signatures: [{ uuid: aCourse, required: true }, optional],
      sponsors: [aCourse],
      mailTemplateUuid: otherCourse,
    })
  })
})

describe('the pipelines', () => {
  test('are found by name, and an unknown name is told which there are', () => {
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
