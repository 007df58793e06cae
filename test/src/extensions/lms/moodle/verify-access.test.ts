// Compares the functions that the token may call with the functions that are needed.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { privileges } from '#src/extensions/lms/moodle/privileges.ts'
import { json } from '#test/support/scripted-server.ts'
import { openScriptedMoodle, recorded } from './scripted-moodle.ts'

const siteInfo = 'core_webservice_get_site_info'

test('each function has a line, and those outside the service are reported', async () => {
  const site = await openScriptedMoodle()
  const functions = privileges.map(({ name }) => ({ name, version: '2024100700' }))
  site.on(
    siteInfo,
    json(200, { sitename: 'Lab', functions: functions.filter((each) => !/update_users/.test(each.name)) }),
  )
  const lines = await site.moodle.verifyAccess()
  expect(lines.map((line) => line.name)).toEqual(privileges.map((privilege) => privilege.name))
  expect(lines.filter((line) => !line.available)).toEqual([
    {
      name: 'core_user_update_users',
      part: 'profile',
      neededFor: 'writing the credential into profile fields',
      available: false,
    },
  ])
  expect(site.calledFunctions()).toEqual([siteInfo])
  await site.close()
})

test('an external service without the site-info function is refused, with the name of the function', async () => {
  const site = await openScriptedMoodle()
  await expect(site.moodle.verifyAccess()).rejects.toThrow(/add core_webservice_get_site_info to the external service/)
  site.on(siteInfo, recorded('30-invalidtoken'))
  await expect(site.moodle.verifyAccess()).rejects.toMatchObject({
    errorcode: 'invalidtoken',
    failure: { isOfCourse: false },
  })
  await site.close()
})

test('the list contains exactly the functions that the module calls', () => {
  const room = join(import.meta.dirname, '../../../../../src/extensions/lms/moodle')
  const calledFunctions = readdirSync(room)
    .filter((file) => file !== 'privileges.ts')
    .flatMap((file) => [...readFileSync(join(room, file), 'utf8').matchAll(/'((?:core|mod|gradereport)_[a-z_]+)'/g)])
    .map((match) => match[1])
  expect([...new Set(calledFunctions)].sort()).toEqual(privileges.map((privilege) => privilege.name).sort())
})
