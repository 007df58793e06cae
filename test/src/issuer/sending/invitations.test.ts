// Invitations: the prepared body, and that it is sent once, whatever the answer.

import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { connectionsOf } from '#src/issuer/http/http-client.ts'
import { prepareInvitation } from '#src/issuer/sending/invitation-body.ts'
import { envelope, json, raw, resetBeforeAnswer, type Script } from '#test/support/scripted-server.ts'
import { openBench, refreshPath, tokenPath } from '../client-bench.ts'

const upload = '/quickIssuance/recipients/data/upload'
const minutes = 60_000
const students = [
  { Email: 'jo@x.example', 'First Name': 'Jo' },
  { Email: 'al@x.example', 'First Name': 'Al' },
]
const prepared = prepareInvitation({ courseUuid: 'c', templateUuid: 't', badgeTemplateUuid: 'b', students })
const options = { deadlineMs: 60_000 }

describe('prepareInvitation', () => {
  test('uses the documented names, omits what is not given, and computes the digest of the bytes', () => {
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
    expect(bench.server.requests(upload).map((request) => request.body)).toEqual([prepared.body])
    expect(bench.gates.invite?.passes).toBe(1)
  })

  test.each<[string, Script | 'silence']>([
    ['a reset', resetBeforeAnswer],
    ['a 500', raw(500, '')],
    ['a service that does not answer', 'silence'],
    ['a 400', json(400, { status: 400, message: 'no' })],
    ['a 429', raw(429, '')],
  ])('does not send a second time after %s', async (_what, script) => {
    await using bench = await openBench()
    bench.server.on(upload, script === 'silence' ? bench.silence : script)
    await bench.issuer.invite(prepared, options)
    expect(bench.server.requests(upload)).toHaveLength(1)
  })

  test('renews the token and repeats once after a 401', async () => {
    await using bench = await openBench()
    bench.server.on(upload, json(401, { status: 401 }), envelope({}))
    expect((await bench.issuer.invite(prepared, options)).class).toBe('accepted')
    const used = bench.server.requests(upload).map((request) => request.headers.authorization)
    expect(used).toEqual(['Bearer access-1', 'Bearer access-2'])
  })

  test('gives up after a second 401', async () => {
    await using bench = await openBench()
    bench.server.on(upload, json(401, { status: 401 }))
    expect(await bench.issuer.invite(prepared, options)).toMatchObject({
      class: 'unauthorised',
      status: 401,
    })
    expect(bench.server.requests(upload)).toHaveLength(2)
  })

  test('pauses the gate after a 429 for its Retry-After, up to an hour, and leaves it to the gate for how long if there is none', async () => {
    await using bench = await openBench()
    const retryAfter = (text: string) => raw(429, '', { 'retry-after': text })
    bench.server.on(upload, retryAfter('7'), raw(429, ''), envelope({}), retryAfter('0'), retryAfter('86400'))
    expect(await bench.issuer.invite(prepared, options)).toMatchObject({ class: 'throttled', retryAfterMs: 7_000 })
    for (let n = 0; n < 4; n++) await bench.issuer.invite(prepared, options)
    expect(bench.gates.invite?.pauses).toEqual([7_000, null, null, 3_600_000])
  })

  test('notes at the gate what the service has accepted, and nothing else', async () => {
    await using bench = await openBench()
    bench.server.on(upload, envelope({}), raw(429, ''), json(400, {}), resetBeforeAnswer, envelope({}))
    for (let n = 0; n < 5; n++) await bench.issuer.invite(prepared, options)
    expect(bench.gates.invite).toMatchObject({ passes: 5, accepted: 2 })
  })

  test('uses a token with at least five minutes left', async () => {
    await using bench = await openBench()
    bench.server.on(upload, envelope({}))
    await bench.issuer.checkToken()
    bench.advanceClock(26 * minutes)
    await bench.issuer.invite(prepared, options)
    expect(bench.server.requests(upload)[0]?.headers.authorization).toBe('Bearer access-2')
  })

  test('renews a token that aged while waiting at the gate, before anything is sent', async () => {
    await using bench = await openBench()
    bench.server.on(upload, envelope({}))
    const slow = bench.gates.invite
    if (!slow) throw new Error('no gate')
    const pass = slow.pass
    slow.pass = (work) => {
      slow.pass = pass
      bench.advanceClock(28 * minutes)
      return pass(work)
    }
    expect((await bench.issuer.invite(prepared, options)).class).toBe('accepted')
    expect(bench.server.requests(upload).map((request) => request.headers.authorization)).toEqual(['Bearer access-2'])
    expect(bench.server.requests(refreshPath)).toHaveLength(1)
  })

  test('sends nothing if the token aged at the gate three times', async () => {
    await using bench = await openBench()
    const slow = bench.gates.invite
    if (!slow) throw new Error('no gate')
    const pass = slow.pass
    slow.pass = (work) => {
      bench.advanceClock(28 * minutes)
      return pass(work)
    }
    expect(await bench.issuer.invite(prepared, options)).toMatchObject({
      class: 'not_sent',
      code: 'TOKEN_AGED_AT_GATE',
    })
    expect(slow.passes).toBe(3)
    expect(bench.server.requests(upload)).toHaveLength(0)
  })

  test('waits at the gate no longer than it may', async () => {
    await using bench = await openBench()
    bench.server.on(upload, envelope({}))
    await bench.issuer.invite(prepared, { ...options, mayWaitMs: 1_500 })
    expect(bench.gates.invite?.patience).toEqual([1_500])
  })

  test('is not repeated after a 401 if the token cannot be renewed', async () => {
    await using bench = await openBench()
    await bench.issuer.checkToken()
    bench.server.on(upload, json(401, { status: 401, message: 'expired' }))
    for (const path of [tokenPath, refreshPath]) bench.server.on(path, json(401, {}))
    expect(await bench.issuer.invite(prepared, options)).toMatchObject({ class: 'unauthorised', words: 'expired' })
    expect(bench.server.requests(upload)).toHaveLength(1)
  })

  test('sends nothing if the claim expired at the gate', async () => {
    await using bench = await openBench()
    const outcome = await bench.issuer.invite(prepared, { ...options, mayStillSend: () => false })
    expect(outcome).toMatchObject({ class: 'not_sent', code: 'CLAIM_EXPIRED' })
    expect(bench.server.requests(upload)).toHaveLength(0)
  })

  test('returns an outcome and does not throw if the keys are refused or the gate is closed', async () => {
    await using bench = await openBench()
    bench.server.on(tokenPath, json(401, {}))
    expect(await bench.issuer.invite(prepared, options)).toMatchObject({ class: 'not_sent', code: 'KeysRefusedError' })
    bench.server.on(tokenPath, envelope({ accessToken: 'a', refreshToken: null }))
    const gate = bench.gates.invite
    if (gate) gate.pass = () => Promise.reject(new RangeError('closed'))
    expect(await bench.issuer.invite(prepared, options)).toMatchObject({ class: 'not_sent', code: 'RangeError' })
    expect(bench.server.requests(upload)).toHaveLength(0)
  })

  test('lets no more invitations past the gate at the same time than it has connections', async () => {
    await using bench = await openBench()
    const most = connectionsOf.invitation
    const answers: (() => void)[] = []
    const allTaken = Promise.withResolvers<void>()
    bench.server.on(upload, (seen, response, request) => {
      answers.push(() => envelope({})(seen, response, request))
      if (answers.length === most) allTaken.resolve()
    })
    const calls = Array.from({ length: most + 2 }, () => bench.issuer.invite(prepared, options))
    await allTaken.promise
    expect(bench.gates.invite?.passes).toBe(most)
    bench.server.on(upload, envelope({}))
    for (const answer of answers) answer()
    expect((await Promise.all(calls)).map((each) => each.class)).toEqual(Array(most + 2).fill('accepted'))
    expect(bench.gates.invite?.passes).toBe(most + 2)
  })
})
