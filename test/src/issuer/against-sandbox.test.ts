// Runs the client against the built-in sandbox, which follows the same documentation and shares no code with the
// client.

import { describe, expect, test } from 'vitest'
import { openSandbox } from '#sandboxes/service/open-sandbox.ts'
import type { CourseInput } from '#src/issuer/courses/course-fields.ts'
import { readBackCourse } from '#src/issuer/courses/course-read-back.ts'
import { type Issuer, openIssuer } from '#src/issuer/issuer.ts'
import { collectItems, type Pages } from '#src/issuer/lists/walk-list.ts'
import { Secret } from '#src/platform/secret.ts'
import { steppedClock } from '#test/support/clock.ts'
import { openGate } from '#test/support/open-gate.ts'

async function openPair(settings: Parameters<typeof openSandbox>[0] = {}) {
  const clock = steppedClock()
  const sandbox = await openSandbox({ limits: { general: 1_000, auth: 1_000 }, ...settings }, clock)
  const issuer = openIssuer({
    baseUrl: sandbox.url,
    key: new Secret(sandbox.key),
    secret: new Secret(sandbox.secret),
    gates: { gate: openGate, auth: openGate() },
    clock,
    random: () => 0,
  })
  return {
    clock,
    sandbox,
    issuer,
    async [Symbol.asyncDispose]() {
      await issuer.close()
      await sandbox.close()
    },
  }
}

async function first<T>(pages: Pages<T>): Promise<T> {
  const { items, complete } = await collectItems(pages)
  expect(complete).toBe(true)
  if (items[0] === undefined) throw new Error('The list is empty.')
  return items[0]
}

/** A course built from the sandbox's own lists. */
async function courseOf(issuer: Issuer): Promise<CourseInput> {
  const { items: templates } = await collectItems(issuer.listTemplates())
  const active = (badge: boolean) =>
    templates.filter((template) => template.is_active && /badge/i.test(template.template_name ?? '') === badge)[0]
      ?.template_uuid ?? ''
  const text = (value: string | null) => value ?? ''
  return {
    name: 'Welding ☃',
    certBodyUUID: text((await first(issuer.listCertificationBodies())).certification_uuid),
    category_uuid: text((await first(issuer.listCategories())).category_uuid),
    templateId: [active(false)],
    badgeTemplateId: [active(true)],
    courseNumber: 'NEW-1',
    is_certification_expire: 1,
    certificate_validity_duration_type: 'YEAR',
    certificate_validity_duration: 2,
    recertification: 'Needed',
    description: '<p>Steel</p>',
    is_public: 1,
    includes: ['steel', 'fire, "flame"'],
    course_format_uuid: text((await first(issuer.listFormats())).course_format_uuid),
    currency_uuid: text((await first(issuer.listCurrencies({ search: { code: 'EUR' } }))).currency_uuid),
    languages: text((await first(issuer.listLanguages())).language_uuid),
    moduleUUID: text((await first(issuer.listModules())).module_uuid),
    price: '12.50',
  }
}

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

describe('the client and the sandbox', () => {
  test('create, find, read, change, disable and enable a course, and remove its logo', async () => {
    await using pair = await openPair()
    const { issuer } = pair
    const image = { bytes: png, contentType: 'image/png' } as const
    const input = { ...(await courseOf(issuer)), image }
    expect(await issuer.createCourse(input)).toMatchObject({ class: 'accepted' })
    expect(await issuer.createCourse(input)).toMatchObject({ class: 'refused' })

    const uuid = (await issuer.findCourseByNumber('NEW-1'))?.course_uuid ?? ''
    const created = await issuer.courseDetail(uuid)
    const { fields, unreadable } = readBackCourse(created)
    const { certBodyUUID, moduleUUID, templateId, badgeTemplateId, image: _, ...shown } = input
    const texts = { is_certification_expire: '1', certificate_validity_duration: '2', is_public: '1' }
    expect({ ...fields, price: Number(fields.price) }).toEqual({ ...shown, ...texts, price: 12.5 })
    expect(unreadable).toContain('certBodyUUID')
    expect(created.templateDetails.map((each) => each.template_uuid)).toEqual(templateId)

    const changed = { ...fields, certBodyUUID, moduleUUID, name: 'Brazing', template_add: [] }
    expect(await issuer.updateCourse(uuid, changed)).toMatchObject({ class: 'accepted' })
    const after = await issuer.courseDetail(uuid)
    expect(after).toEqual({ ...created, course_name: 'Brazing' })

    expect(await issuer.setCourseEnabled(uuid, false)).toMatchObject({ class: 'accepted' })
    expect((await issuer.courseDetail(uuid)).is_active).toBe(0)
    expect(await issuer.setCourseEnabled(uuid, true)).toMatchObject({ class: 'accepted' })
    expect(after.image_).toEqual(expect.any(String))
    expect(await issuer.removeCourseLogo(uuid, 'square')).toMatchObject({ class: 'accepted' })
    expect((await issuer.courseDetail(uuid)).image_).toBeNull()
    expect(badgeTemplateId).toHaveLength(1)
  })

  test('read every list completely, even if the pages are short', async () => {
    await using pair = await openPair({ maxPage: 2 })
    const { issuer, sandbox } = pair
    const course = sandbox.courses[0]?.uuid ?? ''
    const body = (await first(issuer.listCertificationBodies())).certification_uuid ?? ''
    const lists: Pages<unknown>[] = [
      issuer.listCourses(),
      issuer.listModules(),
      issuer.listMailTemplates(course),
      issuer.listCurrencies({ sortBy: 'name', sortOrder: 'desc' }),
      issuer.listLanguages(),
      issuer.listTemplates(),
      issuer.listCategories(),
      issuer.listFormats(),
      issuer.listSponsors({ certificationUuid: body, sortOrder: 'asc' }),
      issuer.listSignatures({ certificationUuid: body }),
    ]
    for (const list of lists) {
      const { items, complete } = await collectItems(list)
      expect([items.length > 0, new Set(items.map((item) => JSON.stringify(item))).size, complete]).toEqual([
        true,
        items.length,
        true,
      ])
    }
    expect((await collectItems(issuer.listCourses())).items).toHaveLength(sandbox.courses.length)
  })

  test('issue a credential, download it by id and by link, and revoke it', async () => {
    await using pair = await openPair()
    const { issuer, sandbox, clock } = pair
    const course = sandbox.courses[0]
    if (!course) throw new Error('no course')
    const student = { Email: 'ada@x.example', 'First Name': 'Ada', 'Last Name': 'L', 'Primary Value': 'Email' }
    const { uuid: courseUuid, templateUuid, badgeTemplateUuid } = course
    const prepared = issuer.prepareInvitation({ courseUuid, templateUuid, badgeTemplateUuid, students: [student] })
    expect(await issuer.invite(prepared, { deadlineMs: 5_000 })).toMatchObject({ class: 'accepted' })
    await clock.advance(60_000)
    const read = async () => {
      for await (const page of issuer.reportPages({ search: { email_: student.Email, issued_status_id: [3] } }))
        if (page.items[0]) return page.items[0]
      throw new Error('The report shows nothing.')
    }
    const { credential_id, entity_uuid } = await read()
    const { bytes } = await issuer.downloadCredential(credential_id ?? '')
    expect(bytes.subarray(0, 5).toString()).toBe('%PDF-')
    expect((await issuer.downloadCredential(entity_uuid ?? '')).bytes).toEqual(bytes)

    expect(await issuer.revokeCredential(credential_id ?? '')).toMatchObject({ class: 'accepted' })
    expect(await issuer.revokeCredential(credential_id ?? '')).toMatchObject({ class: 'refused' })
    expect((await read()).revoked_date).toMatch(/^\d{4}-\d{2}-\d{2}/)
  })
})
