// Tests which calls return the errors about the token's account.

import { describe, expect, test } from 'vitest'
import { openLab } from './captured-site.ts'

const status = 'core_completion_get_course_completion_status'
const profiles = 'core_user_get_users_by_field'
const ofAda = { courseid: '2', userid: '3' }

describe('the account of the token', () => {
  test.each(['wsaccessusersuspended', 'wsaccessuserdeleted', 'wsaccessusernologin'] as const)(
    'gets %s for every call, until the problem is fixed',
    async (code) => {
      const { sandbox, call } = await openLab()
      sandbox.account(code)
      expect(await call('core_webservice_get_site_info')).toMatchObject({ errorcode: code })
      expect(await call(profiles, { field: 'id', 'values[0]': '3' })).toMatchObject({ errorcode: code })
      sandbox.account(null)
      expect(await call('core_webservice_get_site_info')).toHaveProperty('userid', 7)
    },
  )

  test.each(['sitepolicynotagreed', 'forcepasswordchangenotice', 'usernotfullysetup'] as const)(
    'gets %s in courses, with another code in the enrollment list, and not in profiles',
    async (code) => {
      const { sandbox, call } = await openLab()
      sandbox.account(code)
      expect(await call(status, ofAda)).toMatchObject({ errorcode: code })
      const enrolled = await call('core_enrol_get_enrolled_users', { courseid: '2' })
      expect(enrolled).toMatchObject({ errorcode: 'errorcoursecontextnotvalid' })
      expect(await call(profiles, { field: 'id', 'values[0]': '3' })).toMatchObject([{ id: 3 }])
      expect(await call('core_webservice_get_site_info')).toHaveProperty('userid', 7)
    },
  )

  test('loses its token at the first use after it has expired', async () => {
    const { sandbox, call } = await openLab()
    sandbox.expireToken()
    expect(await call(status, ofAda)).toMatchObject({ errorcode: 'accessexception' })
    expect(await call(status, ofAda)).toMatchObject({ errorcode: 'invalidtoken' })
    sandbox.renewToken()
    expect(await call(status, ofAda)).toHaveProperty('completionstatus')
  })
})
