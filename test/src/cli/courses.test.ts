// credsync courses, by the real command line against the real sandbox.

import { describe, expect, test } from 'vitest'
import { courseDetailShape } from '#src/issuer/course-shapes.ts'
import { openCoursesPlace, unshown, wholeCourse, writeWhole } from './courses-place.ts'

describe('a course round trip', () => {
  test('create, show, update one field, show: loses nothing', async () => {
    const place = await openCoursesPlace()
    const made = await place.run(['create', await writeWhole(place), '--yes'])
    expect(made).toMatchObject({ code: 0 })
    expect(made.stderr).toContain('category: Trades (91c2d3e4')
    const uuid = made.stdout.trim()
    const before = JSON.parse((await place.run(['show', 'WET-1', '--json'])).stdout)
    // Every documented key of the detail has a value, but for those that no form fills.
    const empty = Object.keys(courseDetailShape.in.shape).filter(
      // The other spelling of the validity is read and told under the one of the detail.
      (key) => !key.startsWith('certificate_validity') && (before[key] ?? '').length === 0,
    )
    expect(empty.sort()).toEqual(['course_category_image', 'course_category_image_thumb', 'examination_component'])
    expect(before).toMatchObject({ course_uuid: uuid, price: '1250.5', recertification: 'Needed', is_public: 0 })

    await place.write('change.yaml', `price: 99\n${unshown}`)
    const changed = await place.run(['update', 'WET-1', 'change.yaml'], 'yes')
    expect(changed.code).toBe(0)
    expect(changed.stderr).toContain('price: 1250.5 → 99')
    expect(changed.stderr).toContain('label1: (not shown by the service) → Welding')
    expect(changed.stderr).toContain('(development)? [y/N] ')
    expect(changed.stderr).toContain('The course was changed.')
    const after = JSON.parse((await place.run(['show', uuid, '--json'])).stdout)
    expect(after).toEqual({ ...before, price: '99', audit_status_id: after.audit_status_id })
    expect(place.changes()).toEqual([`created ${uuid}`, `updated ${uuid}`])
  })

  test('what show prints as YAML is taken by update once what nobody can see is added, and changes nothing', async () => {
    const place = await openCoursesPlace()
    await place.run(['create', await writeWhole(place), '--yes'])
    const { stdout } = await place.run(['show', 'WET-1', '--yaml'])
    expect(stdout).toContain('category: 91c2d3e4-f506-4718-892a-3b4c5d6e7f61 # Trades')
    expect(stdout).toContain('# certificationBody:\n')
    const bare = await place.run(['update', 'WET-1', await place.write('bare.yaml', stdout), '--yes'])
    expect(bare.code).toBe(2)
    for (const key of ['certificationBody', 'modules', 'label1', 'label5'])
      expect(bare.stderr).toContain(`  - ${key}: cannot be read back`)
    const whole = await place.run([
      'update',
      'WET-1',
      await place.write('whole.yaml', stdout + unshown),
      '--json',
      '--yes',
    ])
    expect(whole.code).toBe(0)
    const seen = JSON.parse(whole.stdout).differences.filter((each: { seen: boolean }) => each.seen)
    expect(seen).toEqual([])
    expect(place.changes()).toHaveLength(2)
  })
})

describe('courses create', () => {
  test('tells every fault of a file at once, with what was meant, and sends nothing', async () => {
    const place = await openCoursesPlace()
    const wrong = wholeCourse
      .replace('category: Handwerk', 'category: Handwork')
      .replace('currency: EUR', 'currency: EURO dollar')
      .replace('validity: 2\n', '')
    await place.write('square.png', 'no image')
    await place.write('wrong.yaml', wrong)
    const image = await place.run(['create', 'wrong.yaml', '--yes'])
    expect(image.stderr).toMatch(/- image: names .*square\.png, which is no whole jpg, jpeg or png image/)
    expect(image.stderr).toMatch(/- certificateImage: names .*wide\.jpg, which cannot be read \(ENOENT\)/)
    await writeWhole(place)
    const { code, stderr } = await place.run(['create', 'wrong.yaml', '--yes'])
    expect(stderr).toContain("category: “Handwork” is not in the service's list; did you mean “Handwerk”?")
    expect(stderr).toContain('currency: “EURO dollar” is not in')
    expect(stderr).toContain('validity: is required when expires is true')
    const keys = await place.run([
      'create',
      await place.write('keys.json', '{"catgory": "x", "is_public": 1, "expires": "no"}'),
    ])
    expect(keys.stderr).toMatch(/catgory: is not a key of a course; did you mean category\?/)
    expect(keys.stderr).toMatch(/is_public: is called public in a course file/)
    expect(keys.stderr).toMatch(/expires: is not true or false/)
    expect([image.code, code, keys.code, place.changes()]).toEqual([2, 2, 2, []])
  })

  test('shows the request with --dry-run, and refuses a number that is there', async () => {
    const place = await openCoursesPlace()
    const file = await writeWhole(place)
    const dry = await place.run(['create', file, '--dry-run'])
    expect(dry.stdout).toMatch(/^POST \/api\/institute\/v1\/course\n/)
    expect(dry.stdout).toContain('  certification_validity_duration = 2\n')
    expect(dry.stdout).toMatch(/ {2}image = image\.png, image\/png, \d+ bytes\n/)
    const alone = await place.run(['create', file])
    expect(alone.stderr).toContain('--yes')
    const no = await place.run(['create', file], 'no')
    const [seeded] = place.sandbox.courses
    await place.write('taken.yaml', wholeCourse.replace('WET-1', seeded?.number ?? ''))
    const taken = await place.run(['create', 'taken.yaml', '--yes'])
    expect(taken.stderr).toContain(`has a course with the number ${seeded?.number} already`)
    expect([dry.code, alone.code, no.code, taken.code, place.changes()]).toEqual([0, 2, 130, 2, []])
  })
})

describe('courses update', () => {
  test('compares lists of templates, empties what the file says, and shows the request', async () => {
    const place = await openCoursesPlace()
    await place.run(['create', await writeWhole(place), '--yes'])
    await place.write(
      'change.yaml',
      `templates: [Certificate of attendance, Academic diploma]\ncontent: null\n${unshown}`,
    )
    const dry = await place.run([
      'update',
      'Welding under water, advanced course',
      'change.yaml',
      '--dry-run',
      '--json',
    ])
    const { request } = JSON.parse(dry.stdout)
    const fields = Object.fromEntries(
      request.fields.map((each: { name: string; value?: string }) => [each.name, each.value]),
    )
    expect(request).toMatchObject({ method: 'PUT', path: expect.stringMatching(/\/course\/[0-9a-f-]{36}$/) })
    expect(JSON.parse(fields.template_remove_id)).toEqual(['1f0a7d3e-2c84-4b96-8e51-0d6b9a4c7f21'])
    expect(JSON.parse(fields.template_add)).toHaveLength(1)
    expect(fields).not.toHaveProperty('content')
    expect(place.changes()).toHaveLength(1)
    const done = await place.run(['update', 'WET-1', 'change.yaml', '--yes'])
    expect(done.code).toBe(0)
    const { stdout } = await place.run(['show', 'WET-1', '--json'])
    const { templateDetails, content, image_ } = JSON.parse(stdout)
    expect(templateDetails.map((each: { template_name: string }) => each.template_name)).toEqual([
      'Certificate of attendance',
      'Academic diploma',
    ])
    expect([content, image_]).toEqual([null, expect.stringMatching(/\.png$/)])
  })

  test('asks again when somebody else changed the course while the question stood', async () => {
    const place = await openCoursesPlace()
    await place.run(['create', await writeWhole(place), '--yes'])
    await place.write('other.yaml', `lessons: 13\n${unshown}`)
    await place.write('change.yaml', `price: 99\n${unshown}`)
    const told = await place.run(['update', 'WET-1', 'change.yaml'], async () => {
      await place.run(['update', 'WET-1', 'other.yaml', '--yes'])
      return 'yes'
    })
    expect(told.stderr).toContain('Somebody changed the course while you were asked.')
    expect([told.code, place.changes().length]).toEqual([2, 2])
  })

  test('tells a refusal in the words of the service, with 2', async () => {
    const place = await openCoursesPlace()
    await place.run(['create', await writeWhole(place), '--yes'])
    await place.write('change.yaml', `recertification: Perhaps\n${unshown}`)
    const { code, stderr } = await place.run(['update', 'WET-1', 'change.yaml', '--yes'])
    expect(stderr).toMatch(/refused it with status 400 “.*recertification.*”\. Nothing was changed/)
    expect(code).toBe(2)
  })
})

describe('courses list and show', () => {
  test('list shows every course with its states in words, or those with a text', async () => {
    const place = await openCoursesPlace()
    const { stdout, code } = await place.run(['list'])
    expect(stdout.trim().split('\n')).toHaveLength(place.sandbox.courses.length + 1)
    for (const words of ['approved', 'approval pending', 'on hold', 'rejected', 'disabled', 'completed'])
      expect(stdout).toContain(words)
    const found = JSON.parse((await place.run(['list', '--search', 'weld', '--json'])).stdout)
    expect(found.complete).toBe(true)
    expect(found.courses.length).toBeGreaterThan(0)
    expect(found.courses.length).toBeLessThan(place.sandbox.courses.length)
    expect(code).toBe(0)
  })

  test('show is a page, by the name of a pipeline too, and a slip is answered with what was meant', async () => {
    const place = await openCoursesPlace()
    const { stdout } = await place.run(['show', 'spring'])
    expect(stdout).toContain(place.sandbox.courses[0]?.uuid)
    expect(stdout).toContain('The service does not show: certificationBody, modules, label1')
    const slip = await place.run(['show', 'sprign'])
    expect(slip.stderr).toContain('Did you mean “spring”?')
    expect(slip.code).toBe(2)
  })
})

describe('courses enable, disable and remove-logo', () => {
  test('ask, do it and look again; what is so already is not sent', async () => {
    const place = await openCoursesPlace()
    const off = await place.run(['disable', 'spring'], 'y')
    expect(off.stderr).toMatch(/Disable the course .* at 127\.0\.0\.1:\d+ \(development\)\? \[y\/N\] /)
    expect(off.stderr).toContain('was disabled.')
    const again = await place.run(['disable', 'spring', '--yes', '--json'])
    expect(JSON.parse(again.stdout)).toEqual({ happened: 'no', course: place.sandbox.courses[0]?.uuid, enabled: false })
    expect(again.stderr).toContain('is disabled already. Nothing was sent.')
    const on = await place.run(['enable', 'spring', '--yes', '--json'])
    expect(JSON.parse(on.stdout)).toMatchObject({ happened: 'yes', enabled: true, outcome: { class: 'accepted' } })
    const alone = await place.run(['disable', 'spring'])
    expect([off.code, again.code, on.code, alone.code, place.changes().length]).toEqual([0, 0, 0, 2, 2])
  })

  test('remove-logo takes one of both images, and nothing where there is none', async () => {
    const place = await openCoursesPlace()
    await place.run(['create', await writeWhole(place), '--yes'])
    const gone = await place.run(['remove-logo', 'WET-1', 'rectangle', '--yes', '--json'])
    expect(JSON.parse(gone.stdout)).toMatchObject({ happened: 'yes', logos: ['image'] })
    expect(gone.stderr).toContain('was removed.')
    const { image_, course_image_certificate: wide } = JSON.parse((await place.run(['show', 'WET-1', '--json'])).stdout)
    expect([typeof image_, wide]).toEqual(['string', null])
    const none = await place.run(['remove-logo', 'spring', 'square', '--yes', '--json'])
    expect(JSON.parse(none.stdout)).toMatchObject({ happened: 'no', logos: [] })
    expect(none.stderr).toContain('has no logo. Nothing was sent.')
    const odd = await place.run(['remove-logo', 'WET-1', 'round', '--yes'])
    expect([gone.code, none.code, odd.code]).toEqual([0, 0, 2])
  })
})
