// credsync courses in the real command line against the real sandbox.

import { describe, expect, test } from 'vitest'
import { courseDetailShape } from '#src/issuer/courses/course-shapes.ts'
import { openCoursesWorkspace, unshown, wholeCourse, writeWhole } from './courses-workspace.ts'

describe('a course round trip', () => {
  test('of create, show, update and show again loses nothing', async () => {
    const workspace = await openCoursesWorkspace()
    const created = await workspace.run(['create', await writeWhole(workspace), '--yes'])
    expect(created).toMatchObject({ code: 0 })
    expect(created.stderr).toContain('category: Trades (91c2d3e4')
    const uuid = created.stdout.trim()
    const before = JSON.parse((await workspace.run(['show', 'WET-1', '--json'])).stdout)
    // Every documented key of the detail has a value, except those that no form fills.
    const emptyKeys = Object.keys(courseDetailShape.in.shape).filter(
      // The second spelling of the validity fields is normalized to the documented one.
      (key) => !key.startsWith('certificate_validity') && (before[key] ?? '').length === 0,
    )
    expect(emptyKeys.sort()).toEqual(['course_category_image', 'course_category_image_thumb', 'examination_component'])
    expect(before).toMatchObject({ course_uuid: uuid, price: '1250.5', recertification: 'Needed', is_public: 0 })

    await workspace.write('change.yaml', `price: 99\n${unshown}`)
    const changed = await workspace.run(['update', 'WET-1', 'change.yaml'], 'yes')
    expect(changed.code).toBe(0)
    expect(changed.stderr).toContain('price: 1250.5 → 99')
    expect(changed.stderr).toContain('label1: (not shown by the service) → Welding')
    expect(changed.stderr).toContain('(development)? [y/N] ')
    expect(changed.stderr).toContain('The course was changed.')
    const after = JSON.parse((await workspace.run(['show', uuid, '--json'])).stdout)
    expect(after).toEqual({ ...before, price: '99' })
    expect(workspace.changes()).toEqual([`created ${uuid}`, `updated ${uuid}`])
  })

  test('from show to update changes nothing once the hidden fields are added', async () => {
    const workspace = await openCoursesWorkspace()
    await workspace.run(['create', await writeWhole(workspace), '--yes'])
    const { stdout } = await workspace.run(['show', 'WET-1'])
    expect(stdout).toContain('category: 91c2d3e4-f506-4718-892a-3b4c5d6e7f61 # Trades')
    expect(stdout).toContain('# certificationBody:\n')
    const withoutHidden = await workspace.run(['update', 'WET-1', await workspace.write('bare.yaml', stdout), '--yes'])
    expect(withoutHidden.code).toBe(2)
    for (const key of ['certificationBody', 'modules', 'label1', 'label5'])
      expect(withoutHidden.stderr).toContain(`  - ${key}: cannot be read back`)
    const withHidden = await workspace.run([
      'update',
      'WET-1',
      await workspace.write('whole.yaml', stdout + unshown),
      '--json',
      '--yes',
    ])
    expect(withHidden.code).toBe(0)
    const seen = JSON.parse(withHidden.stdout).differences.filter((difference: { seen: boolean }) => difference.seen)
    expect(seen).toEqual([])
    expect(workspace.changes()).toHaveLength(2)
  })
})

describe('courses create', () => {
  test('reports every fault of a file together, with suggestions, and sends nothing', async () => {
    const workspace = await openCoursesWorkspace()
    const wrong = wholeCourse
      .replace('category: Handwerk', 'category: Handwork')
      .replace('currency: EUR', 'currency: EURO dollar')
      .replace('validity: 2\n', '')
    await workspace.write('square.png', 'no image')
    await workspace.write('wrong.yaml', wrong)
    const image = await workspace.run(['create', 'wrong.yaml', '--yes'])
    expect(image.stderr).toMatch(/- image: names .*square\.png, which is not a complete jpg, jpeg or png image/)
    expect(image.stderr).toMatch(/- certificateImage: names .*wide\.jpg, which cannot be read \(ENOENT\)/)
    await writeWhole(workspace)
    const { code, stderr } = await workspace.run(['create', 'wrong.yaml', '--yes'])
    expect(stderr).toContain("category: “Handwork” is not in the service's list; did you mean “Handwerk”?")
    expect(stderr).toContain('currency: “EURO dollar” is not in')
    expect(stderr).toContain('validity: is required when expires is true')
    const keys = await workspace.run([
      'create',
      await workspace.write('keys.json', '{"catgory": "x", "is_public": 1, "expires": "no"}'),
    ])
    expect(keys.stderr).toMatch(/catgory: is not a key of a course; did you mean category\?/)
    expect(keys.stderr).toMatch(/is_public: is called public in a course file/)
    expect(keys.stderr).toMatch(/expires: is not true or false/)
    expect([image.code, code, keys.code, workspace.changes()]).toEqual([2, 2, 2, []])
  })

  test('shows the new course with --dry-run, and refuses an existing number', async () => {
    const workspace = await openCoursesWorkspace()
    const file = await writeWhole(workspace)
    const dryRun = await workspace.run(['create', file, '--dry-run'])
    expect(dryRun.stderr).toContain('  validity: 2\n')
    expect(dryRun.stderr).toMatch(/ {2}image: a new png of \d+ bytes\n/)
    const withoutTerminal = await workspace.run(['create', file])
    expect(withoutTerminal.stderr).toContain('--yes')
    const no = await workspace.run(['create', file], 'no')
    const [seeded] = workspace.sandbox.courses
    await workspace.write('taken.yaml', wholeCourse.replace('WET-1', seeded?.number ?? ''))
    const taken = await workspace.run(['create', 'taken.yaml', '--yes'])
    expect(taken.stderr).toContain(`already has a course with the number ${seeded?.number}`)
    expect([dryRun.code, withoutTerminal.code, no.code, taken.code, workspace.changes()]).toEqual([0, 2, 130, 2, []])
  })
})

describe('courses update', () => {
  test('compares lists of templates and clears the fields that the file clears', async () => {
    const workspace = await openCoursesWorkspace()
    await workspace.run(['create', await writeWhole(workspace), '--yes'])
    await workspace.write(
      'change.yaml',
      `templates: [Certificate of attendance, Academic diploma]\ncontent: null\n${unshown}`,
    )
    const dryRun = await workspace.run([
      'update',
      'Welding under water, advanced course',
      'change.yaml',
      '--dry-run',
      '--json',
    ])
    const keys = JSON.parse(dryRun.stdout).differences.map(({ key }: { key: string }) => key)
    expect(keys).toEqual(expect.arrayContaining(['content', 'templates']))
    expect(workspace.changes()).toHaveLength(1)
    const done = await workspace.run(['update', 'WET-1', 'change.yaml', '--yes'])
    expect(done.code).toBe(0)
    const { stdout } = await workspace.run(['show', 'WET-1', '--json'])
    const { templateDetails, content, image_ } = JSON.parse(stdout)
    expect(templateDetails.map((each: { template_name: string }) => each.template_name)).toEqual([
      'Certificate of attendance',
      'Academic diploma',
    ])
    expect([content, image_]).toEqual([null, expect.stringMatching(/\.png$/)])
  })

  test('sends nothing if somebody else changed the course before the operator confirmed', async () => {
    const workspace = await openCoursesWorkspace()
    await workspace.run(['create', await writeWhole(workspace), '--yes'])
    await workspace.write('other.yaml', `lessons: 13\n${unshown}`)
    await workspace.write('change.yaml', `price: 99\n${unshown}`)
    const result = await workspace.run(['update', 'WET-1', 'change.yaml'], async () => {
      await workspace.run(['update', 'WET-1', 'other.yaml', '--yes'])
      return 'yes'
    })
    expect(result.stderr).toContain('Somebody changed the course while you were being asked.')
    expect([result.code, workspace.changes().length]).toEqual([2, 2])
  })

  test('reports a refusal in the service’s words, and exits with 2', async () => {
    const workspace = await openCoursesWorkspace()
    await workspace.run(['create', await writeWhole(workspace), '--yes'])
    await workspace.write('change.yaml', `recertification: Perhaps\n${unshown}`)
    const { code, stderr } = await workspace.run(['update', 'WET-1', 'change.yaml', '--yes'])
    expect(stderr).toMatch(/refused the change with status 400 “.*recertification.*”\. Nothing was changed/)
    expect(code).toBe(2)
  })
})

describe('courses list and show', () => {
  test('list shows every course with its states in words', async () => {
    const workspace = await openCoursesWorkspace()
    const { stdout, code } = await workspace.run(['list'])
    expect(stdout.trim().split('\n')).toHaveLength(workspace.sandbox.courses.length + 1)
    for (const words of ['approved', 'approval pending', 'on hold', 'rejected', 'disabled', 'completed'])
      expect(stdout).toContain(words)
    const { complete, courses } = JSON.parse((await workspace.run(['list', '--json'])).stdout)
    expect([complete, courses.length, code]).toEqual([true, workspace.sandbox.courses.length, 0])
  })

  test('show begins with the states, accepts the name of a pipeline, and suggests a correction for a typo', async () => {
    const workspace = await openCoursesWorkspace()
    const { stdout } = await workspace.run(['show', 'spring'])
    const head = [`# uuid: ${workspace.sandbox.courses[0]?.uuid}`, '# state: enabled', '# approval: approved']
    expect(stdout.split('\n').slice(0, 3)).toEqual(head)
    const typo = await workspace.run(['show', 'sprign'])
    expect(typo.stderr).toContain('Did you mean “spring”?')
    expect(typo.code).toBe(2)
  })
})

describe('courses create, update, enable, disable and remove-logo', () => {
  test('end with 130 if the answer is no, and change nothing', async () => {
    const workspace = await openCoursesWorkspace()
    const whole = await writeWhole(workspace)
    await workspace.run(['create', whole, '--yes'])
    await workspace.write('second.yaml', wholeCourse.replace('WET-1', 'WET-2'))
    await workspace.write('change.yaml', `price: 99\n${unshown}`)
    for (const args of [
      ['create', 'second.yaml'],
      ['update', 'WET-1', 'change.yaml'],
      ['disable', 'WET-1'],
      ['remove-logo', 'WET-1', 'square'],
    ]) {
      const { code, stderr } = await workspace.run(args, 'no')
      expect([args[0], code]).toEqual([args[0], 130])
      expect(stderr).toContain('[y/N]')
    }
    expect(workspace.changes()).toHaveLength(1)
  })
})

describe('courses enable, disable and remove-logo', () => {
  test('ask for confirmation, make the change and check it; nothing is sent if the state is already right', async () => {
    const workspace = await openCoursesWorkspace()
    const off = await workspace.run(['disable', 'spring'], 'y')
    expect(off.stderr).toMatch(/Disable the course .* at 127\.0\.0\.1:\d+ \(development\)\? \[y\/N\] /)
    expect(off.stderr).toContain('was disabled.')
    const again = await workspace.run(['disable', 'spring', '--yes', '--json'])
    expect(JSON.parse(again.stdout)).toEqual({
      happened: 'no',
      course: workspace.sandbox.courses[0]?.uuid,
      enabled: false,
    })
    expect(again.stderr).toContain('is already disabled. Nothing was sent.')
    const on = await workspace.run(['enable', 'spring', '--yes', '--json'])
    expect(JSON.parse(on.stdout)).toMatchObject({ happened: 'yes', enabled: true, outcome: { class: 'accepted' } })
    const withoutTerminal = await workspace.run(['disable', 'spring'])
    expect([off.code, again.code, on.code, withoutTerminal.code, workspace.changes().length]).toEqual([0, 0, 0, 2, 2])
  })

  test('remove-logo removes one or both images, and does nothing if there is none', async () => {
    const workspace = await openCoursesWorkspace()
    await workspace.run(['create', await writeWhole(workspace), '--yes'])
    const removed = await workspace.run(['remove-logo', 'WET-1', 'rectangle', '--yes', '--json'])
    expect(JSON.parse(removed.stdout)).toMatchObject({ happened: 'yes', logos: ['image'] })
    expect(removed.stderr).toContain('was removed.')
    const { image_, course_image_certificate: wide } = JSON.parse(
      (await workspace.run(['show', 'WET-1', '--json'])).stdout,
    )
    expect([typeof image_, wide]).toEqual(['string', null])
    const none = await workspace.run(['remove-logo', 'spring', 'square', '--yes', '--json'])
    expect(JSON.parse(none.stdout)).toMatchObject({ happened: 'no', logos: [] })
    expect(none.stderr).toContain('has no logo. Nothing was sent.')
    const unknownLogo = await workspace.run(['remove-logo', 'WET-1', 'round', '--yes'])
    expect([removed.code, none.code, unknownLogo.code]).toEqual([0, 0, 2])
  })
})
