// Lost responses to changes of a course: what credsync courses reports, and that it sends each change only once.

import { describe, expect, test } from 'vitest'
import { openCoursesWorkspace, unshown, writeWhole } from './courses-workspace.ts'

const statusPath = '/course/status/'
const createPath = '/api/institute/v1/course'
/** Appears only in the bodies of create and update requests. */
const formField = 'name="courseNumber"'

describe('a new course whose answer is lost', () => {
  test.each([
    ['lose-answer', 0, 'but the service shows the result: the course was created.', 1],
    ['lose-request', 4, 'Two checks show that nothing was changed. Run the command again', 0],
  ] as const)('is reported by what the service shows after %s, and is sent once', async (faults, code, words, made) => {
    const workspace = await openCoursesWorkspace()
    const file = await writeWhole(workspace)
    workspace.proxy.spoilIfBody(createPath, formField, faults)
    const result = await workspace.run(['create', file, '--yes'])
    expect(result.stderr).toContain(words)
    expect([result.code, workspace.changes().length]).toEqual([code, made])
    expect(workspace.proxy.seen.filter((path) => path === createPath)).toHaveLength(1)
  })
})

describe('a course that is disabled by a call whose answer is lost', () => {
  test.each([
    ['lose-answer', 0, 'but the service shows the result: the course WELD-1', 'yes'],
    ['lose-request', 4, 'Two checks show that nothing was changed.', 'no'],
  ] as const)(
    'is reported by what it shows after %s, and the call is made once',
    async (fault, code, words, happened) => {
      const workspace = await openCoursesWorkspace()
      const uuid = workspace.sandbox.courses[0]?.uuid
      workspace.proxy.spoil(statusPath, fault)
      const result = await workspace.run(['disable', 'spring', '--yes', '--json'])
      expect(result.stderr).toContain(words)
      expect(JSON.parse(result.stdout)).toMatchObject({ happened, course: uuid, enabled: code !== 0 })
      expect(result.code).toBe(code)
      expect(workspace.proxy.seen.filter((path) => path.includes(statusPath))).toHaveLength(1)
    },
  )
})

describe('an update whose answer is lost', () => {
  test.each([
    ['lose-answer', 0, 'but the service shows the result: the course was changed.', 2],
    ['lose-request', 4, 'Two checks show that nothing was changed.', 1],
  ] as const)(
    'is reported by what the course shows after %s, and is sent once',
    async (faults, code, words, changes) => {
      const workspace = await openCoursesWorkspace()
      const uuid = (await workspace.run(['create', await writeWhole(workspace), '--yes'])).stdout.trim()
      await workspace.write('change.yaml', `price: 99\n${unshown}`)
      workspace.proxy.spoilIfBody(`${createPath}/${uuid}`, formField, faults)
      const result = await workspace.run(['update', uuid, 'change.yaml', '--yes', '--json'])
      expect(result.stderr).toContain(words)
      expect(JSON.parse(result.stdout).happened).toBe(code === 0 ? 'yes' : 'no')
      expect([result.code, workspace.changes().length]).toEqual([code, changes])
      expect(workspace.proxy.seen.filter((path) => path === `${createPath}/${uuid}`)).toHaveLength(1)
    },
  )

  test('is reported as unknown if the service does not show the changed fields', async () => {
    const workspace = await openCoursesWorkspace()
    const uuid = (await workspace.run(['create', await writeWhole(workspace), '--yes'])).stdout.trim()
    await workspace.write('change.yaml', unshown)
    workspace.proxy.spoilIfBody(`${createPath}/${uuid}`, formField, 'lose-answer')
    const result = await workspace.run(['update', uuid, 'change.yaml', '--yes'])
    expect(result.stderr).toContain('It is unknown whether the change was made.')
    expect(result.code).toBe(3)
  })
})
