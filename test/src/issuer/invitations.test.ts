import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { prepareInvitation } from '#src/issuer/invitation-body.ts'
import { envelope, json, raw, resetBeforeAnswer, silence } from '#test/support/scripted-server.ts'
import { openBench, refreshPath, tokenPath } from './bench.ts'

const upload = '/quickIssuance/recipients/data/upload'
const minutes = 60_000
const students = [
  { Email: 'jo@x.example', 'First Name': 'Jo' },
  { Email: 'al@x.example', 'First Name': 'Al' },
]
const prepared = prepareInvitation({ courseUuid: 'c', templateUuid: 't', badgeTemplateUuid: 'b', students })
const options = { deadlineMs: 5_000 }

describe('prepareInvitation', () => {
  test('writes the documented names, leaves out what is not said, and keeps the digest of the bytes', () => {
    const full = prepareInvitation({
      courseUuid: 'c',
      templateUuid: 't',
      badgeTemplateUuid: 'b',
      options: { sendEmail: false, publicLink: true },
      signatures: [{ uuid: 's', required: true }],
      sponsors: ['p'],
      mailTemplateUuid: 'm',
      students: [{ 'First Name': 'Zoë' }],
    })
    expect(JSON.parse(full.body)).toEqual({
      course_uuid: 'c',
      template_uuid: 't',
      badge_template_uuid: 'b',
      is_send_certification_email: false,
      is_send_certificate_public_link: true,
      student: [{ 'First Name': 'Zoë' }],
      signature: [{ uuid: 's', signature_req: true }],
      sponsor: ['p'],
      custom_email_template_uuid: 'm',
    })
    expect(full.sha256).toBe(createHash('sha256').update(Buffer.from(full.body, 'utf8')).digest('hex'))
    expect(full.students).toBe(1)
    expect(Object.keys(JSON.parse(prepared.body))).toEqual([
      'course_uuid',
      'template_uuid',
      'badge_template_uuid',
      'student',
    ])
  })
})

describe('invite', () => {
  test('sends the prepared bytes once, through the gate of invitations', async () => {
    await using bench = await openBench()
    bench.server.on(upload, envelope({}))
    expect((await bench.issuer.invite(prepared, options)).class).toBe('accepted')
    expect(bench.server.requests(upload).map((each) => each.body)).toEqual([prepared.body])
    expect(bench.gates.invite?.passes).toBe(1)
  })

  test.each([
    ['a reset', resetBeforeAnswer],
    ['a 500', raw(500, '')],
    ['a silent service', silence],
    ['a 400', json(400, { status: 400, message: 'no' })],
    ['a 429', raw(429, '')],
  ])('sends nothing a second time after %s', async (_what, script) => {
    await using bench = await openBench()
    bench.server.on(upload, script)
    await bench.issuer.invite(prepared, { deadlineMs: 200 })
    expect(bench.server.requests(upload)).toHaveLength(1)
  })

  test('renews the token and repeats once after a 401', async () => {
    await using bench = await openBench()
    bench.server.on(upload, json(401, { status: 401 }), envelope({}))
    expect((await bench.issuer.invite(prepared, options)).class).toBe('accepted')
    const used = bench.server.requests(upload).map((each) => each.headers.authorization)
    expect(used).toEqual(['Bearer access-1', 'Bearer access-2'])
  })

  test('gives up after a second 401', async () => {
    await using bench = await openBench()
    bench.server.on(upload, json(401, { status: 401 }))
    expect(await bench.issuer.invite(prepared, options)).toMatchObject({
      class: 'refused',
      status: 401,
      authRefused: true,
    })
    expect(bench.server.requests(upload)).toHaveLength(2)
  })

  test('a 429 pauses its gate by Retry-After, else by a second that doubles only when the pause is over', async () => {
    await using bench = await openBench()
    const bare = raw(429, '')
    bench.server.on(upload, raw(429, '', { 'retry-after': '7' }), bare, bare, envelope({}), bare)
    expect(await bench.issuer.invite(prepared, options)).toMatchObject({ class: 'throttled', retryAfterMs: 7_000 })
    for (const age of [0, 7_001, 2_001, 0]) {
      bench.age(age)
      await bench.issuer.invite(prepared, options)
    }
    expect(bench.gates.invite?.pauses).toEqual([7_000, 0, 2_000, 1_000])
  })

  test('has a token with five minutes left before it sends', async () => {
    await using bench = await openBench()
    bench.server.on(upload, envelope({}))
    await bench.issuer.checkToken()
    bench.age(26 * minutes)
    await bench.issuer.invite(prepared, options)
    expect(bench.server.requests(upload)[0]?.headers.authorization).toBe('Bearer access-2')
  })

  test('a token that aged while waiting at the gate is renewed before anything is sent', async () => {
    await using bench = await openBench()
    bench.server.on(upload, envelope({}))
    const slow = bench.gates.invite
    if (!slow) throw new Error('no gate')
    const pass = slow.pass
    slow.pass = (work) => {
      slow.pass = pass
      bench.age(28 * minutes)
      return pass(work)
    }
    expect((await bench.issuer.invite(prepared, options)).class).toBe('accepted')
    expect(bench.server.requests(upload).map((each) => each.headers.authorization)).toEqual(['Bearer access-2'])
    expect(bench.server.requests(refreshPath)).toHaveLength(1)
  })

  test('a door that went stale at the gate is not sent', async () => {
    await using bench = await openBench()
    const outcome = await bench.issuer.invite(prepared, { ...options, mayStillSend: () => false })
    expect(outcome).toMatchObject({ class: 'not_sent', code: 'DOOR_STALE' })
    expect(bench.server.requests(upload)).toHaveLength(0)
  })

  test('keys that are refused and a gate that is closed are outcomes, not errors', async () => {
    await using bench = await openBench()
    bench.server.on(tokenPath, json(401, {}))
    expect(await bench.issuer.invite(prepared, options)).toMatchObject({ class: 'not_sent', code: 'KeysRefusedError' })
    bench.server.on(tokenPath, envelope({ accessToken: 'a', refreshToken: null }))
    const gate = bench.gates.invite
    if (gate) gate.pass = () => Promise.reject(new RangeError('closed'))
    expect(await bench.issuer.invite(prepared, options)).toMatchObject({ class: 'not_sent', code: 'RangeError' })
    expect(bench.server.requests(upload)).toHaveLength(0)
  })

  test('no more than four are past the gate at once', async () => {
    await using bench = await openBench()
    const held: (() => void)[] = []
    const upToFour = Promise.withResolvers<void>()
    bench.server.on(upload, (seen, response, request) => {
      held.push(() => envelope({})(seen, response, request))
      if (held.length === 4) upToFour.resolve()
    })
    const six = Array.from({ length: 6 }, () => bench.issuer.invite(prepared, options))
    await upToFour.promise
    expect(bench.gates.invite?.passes).toBe(4)
    bench.server.on(upload, envelope({}))
    for (const release of held) release()
    expect((await Promise.all(six)).map((each) => each.class)).toEqual(Array(6).fill('accepted'))
    expect(bench.gates.invite?.passes).toBe(6)
  })
})
