// Tests issued credentials: their files, links and revocation.

import { describe, expect, test } from 'vitest'
import { people, visitCore } from './core-visitor.ts'
import { person, type Visitor, visitSandbox } from './visitor.ts'

const download = '/api/certification/v1/certificate/downloadCertificate'
const revokePath = '/api/institute/v1/certificate/revoke'

/** Opens a sandbox with three requests: one issued, one rejected and one still in the queue. */
async function visitWithThree() {
  const visitor = await visitSandbox({ reportLagMs: 0 })
  const first = person('a@example.org', { 'Last Name': 'Løve (née Ñu) 李' })
  await visitor.invite([first, person('reject.b@example.org')], { is_send_certificate_public_link: true })
  await visitor.clock.advance(10_000)
  await visitor.invite([person('c@example.org')])
  const [issued, rejected, queued] = visitor.sandbox.requests().map((request) => request.entityUuid)
  const credentialId = visitor.sandbox.requests()[0]?.credentialId ?? ''
  return { ...visitor, issued, rejected, queued, credentialId }
}

async function fileAt({ sandbox, signIn }: Pick<Visitor, 'sandbox' | 'signIn'>, path: string) {
  const { accessToken } = await signIn()
  const answer = await fetch(sandbox.url + path, { headers: { authorization: `Bearer ${accessToken}` } })
  return {
    http: answer.status,
    type: answer.headers.get('content-type'),
    bytes: Buffer.from(await answer.arrayBuffer()),
  }
}

describe('a download', () => {
  test('is a complete PDF with course, name, id and dates, the same under either id and every time', async () => {
    const visitor = await visitWithThree()
    const one = await fileAt(visitor, `${download}/${visitor.issued}`)
    expect(one).toMatchObject({ http: 200, type: 'application/pdf' })
    expect((await fileAt(visitor, `${download}/${visitor.credentialId}`)).bytes).toEqual(one.bytes)
    await visitor.clock.advance(86_400_000)
    const page = one.bytes.toString('latin1')
    const texts = ['Welding Basics', visitor.credentialId, '2026-03-01', '2028-03-01', 'L\xf8ve \\(n\xe9e \xd1u\\) ?']
    for (const text of ['%PDF-', ...texts, '%%EOF']) expect(page).toContain(text)
  })

  test('is 404 for what was not issued or never requested', async () => {
    const visitor = await visitWithThree()
    for (const id of [visitor.rejected, visitor.queued, 'nobody'])
      expect((await fileAt(visitor, `${download}/${id}`)).http, id).toBe(404)
  })
})

describe('a revocation', () => {
  test('shows in the report, on the file and at the verifier, and once in the journal', async () => {
    const visitor = await visitWithThree()
    const { post, report, clock, sandbox, issued, credentialId } = visitor
    await clock.advance(86_400_000)
    await visitor.signIn()
    const before = await fileAt(visitor, `${download}/${issued}`)
    expect(await post(revokePath, { credential_id: credentialId })).toMatchObject({ http: 200, payload: {} })
    const [row] = (await report({ email_: 'a@example.org' })).payload.data
    expect(row).toMatchObject({
      revoked_date: '2026-03-02',
      issued_status: 'Request Completed',
      issue_date: '2026-03-01',
    })
    expect((await report({ email_: 'c@example.org' })).payload.data[0].revoked_date).toBeNull()
    const after = await fileAt(visitor, `${download}/${issued}`)
    expect(after.bytes.toString('latin1')).toContain('REVOKED on 2026-03-02')
    expect(before.bytes.toString('latin1')).not.toContain('REVOKED')
    expect(await (await fetch(row.public_verifier_link)).text()).toContain('revoked')
    const lines = sandbox.entries().filter(({ kind }) => kind === 'revoked')
    expect(lines).toMatchObject([{ endpoint: `POST ${revokePath}`, request: issued }])
    expect(sandbox.requests().map(({ revokedAt }) => revokedAt !== null)).toEqual([true, false, false])
  })

  test('is refused for an unknown id, an entity uuid, one that is not issued, and a second time', async () => {
    const { post, sandbox, issued, credentialId } = await visitWithThree()
    const refused: [unknown, number][] = [
      [{ credential_id: 'nobody' }, 404],
      [{ credential_id: issued }, 404],
      [{}, 400],
    ]
    for (const [body, http] of refused) expect((await post(revokePath, body)).http).toBe(http)
    await post(revokePath, { credential_id: credentialId })
    expect(await post(revokePath, { credential_id: credentialId })).toMatchObject({
      http: 400,
      message: expect.stringContaining('already'),
    })
    expect(sandbox.entries().filter(({ kind }) => kind === 'revoked')).toHaveLength(1)
  })

  test('of a credential that is not final yet is 400', async () => {
    const one = await visitCore()
    await one.invite(...people(1))
    await one.clock.advance(10_000)
    const id = one.core.requests()[0]?.credentialId
    // The same seed gives the same id, here before it is issued.
    const early = await visitCore()
    await early.invite(...people(1))
    expect(await early.post(revokePath, { credential_id: id })).toMatchObject({ status: 400 })
    expect(early.core.entries().filter(({ kind }) => kind === 'revoked')).toEqual([])
  })
})
