// credsync download, run in this process against a sandbox over HTTP.

import { readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openCliSetup } from '#test/src/cli/cli-setup.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { aRecipient, aReportItem, recipients } from '#test/support/domain-objects.ts'
import { openSandboxIssuer } from '#test/support/sandbox-issuer.ts'
import { openTestLedger } from '#test/support/test-ledger.ts'

/** Sets up a sandbox that has issued credentials to `count` people. */
async function openSetupWithIssued(count: number) {
  const setup = await openCliSetup({ sandbox: { pace: { queueMs: 0, progressMs: 0 } } })
  const { sandbox } = setup
  const issuer = openSandboxIssuer(sandbox)
  onTestFinished(() => issuer.close())
  const { uuid = '', templateUuid = '', badgeTemplateUuid = '' } = sandbox.courses[0] ?? {}
  const request = { courseUuid: uuid, templateUuid, badgeTemplateUuid, students: recipients(count) }
  const outcome = await issuer.invite(issuer.prepareInvitation(request), { deadlineMs: 5_000 })
  expect(outcome.class).toBe('accepted')
  const issued = sandbox.requests().map(({ credentialId, entityUuid }) => ({ credentialId, entityUuid }))
  const arrivedCalls = () => sandbox.entries().filter((each) => each.kind === 'arrived')
  const downloads = () =>
    arrivedCalls().filter((arrivedCall) => arrivedCall.endpoint.includes('downloadCertificate')).length
  return { setup, issued: issued as { credentialId: string; entityUuid: string }[], downloads }
}

test('downloads certificates by both ids of the service, reports failures, and continues where it stopped', async () => {
  const { setup, issued, downloads } = await openSetupWithIssued(6)
  const ids = issued.map(({ credentialId, entityUuid }, n) => (n % 2 ? entityUuid : credentialId))
  const first = await setup.run('download', ...ids.slice(0, 4), '1-1-1', '--to', 'kept')
  expect(first.code).toBe(3)
  expect(first.stderr).toMatch(/^1-1-1: The service refused credential-download with status 404/m)
  expect(first.stderr).toContain('4 fetched, 0 already there, 1 failed\n')
  const lines = first.stdout.trimEnd().split('\n')
  expect(lines.sort()).toEqual(
    ids
      .slice(0, 4)
      .map((id) => `${id}  ${join(setup.folder, 'kept', `${id}.pdf`)}`)
      .sort(),
  )
  expect(await readFile(join(setup.folder, 'kept', `${ids[0]}.pdf`), 'latin1')).toContain(issued[0]?.credentialId)
  expect((await stat(join(setup.folder, 'kept'))).mode & 0o777).toBe(0o700)

  await rm(join(setup.folder, 'kept', `${ids[2]}.pdf`))
  const before = downloads()
  const again = await setup.run('download', ...ids, '--to', 'kept', '--json')
  expect(again.code).toBe(0)
  expect(before).toBeGreaterThan(3)
  expect(downloads() - before).toBe(3)
  const { folder, manifest, downloads: listed } = JSON.parse(again.stdout)
  expect([folder, manifest]).toEqual([join(setup.folder, 'kept'), join(setup.folder, 'kept', 'manifest.jsonl')])
  expect(listed.map((entry: { standing: string }) => entry.standing)).toEqual([
    'there',
    'there',
    'fetched',
    'there',
    'fetched',
    'fetched',
  ])
  expect(listed[0]).toEqual({
    id: ids[0],
    credential: ids[0],
    standing: 'there',
    file: `${ids[0]}.pdf`,
    sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    size: expect.any(Number),
    contentType: 'application/pdf',
    fetchedAt: expect.any(String),
  })
})

test('refuses an invalid id and a folder two levels below an existing one, and exits with 4 if the keys are refused', async () => {
  const { setup, issued, downloads } = await openSetupWithIssued(1)
  const id = issued[0]?.credentialId ?? ''
  const noId = await setup.run('download', id, 'ada@example.org', '--to', 'kept')
  expect(noId).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('Nothing was downloaded.') })
  const deep = await setup.run('download', id, '--to', 'a/b')
  expect(deep).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(`There is no folder ${join(setup.folder, 'a')}`),
  })
  expect(downloads()).toBe(0)
  setup.env.CREDSYNC_SECRET = 'wrong'
  const refused = await setup.run('download', id, '2-2-2', '--to', 'kept', '--json')
  expect(refused.code).toBe(4)
  expect(JSON.parse(refused.stdout).downloads).toHaveLength(2)
})

describeWithDatabase('credsync download', () => {
  test('accepts issuance ids, and reports which have no credential', async () => {
    const { setup, issued } = await openSetupWithIssued(1)
    const ledger = await openTestLedger()
    onTestFinished(() => ledger[Symbol.asyncDispose]())
    await ledger.publish(recipients(2))
    await ledger.answer(await ledger.send(), { class: 'accepted', status: 200 })
    const { credentialId = '', entityUuid = '' } = issued[0] ?? {}
    await ledger.scan([aReportItem(aRecipient(1), { credential_id: credentialId, entity_uuid: entityUuid })])
    const [one, two] = (await ledger.issuances()).map((each) => `i${each.id}`)
    setup.env.DATABASE_URL = ledger.url
    const { code, stdout } = await setup.run('download', `${one}`, `${two}`, 'i999', '--to', 'kept', '--json')
    expect(code).toBe(3)
    expect(JSON.parse(stdout).downloads).toMatchObject([
      { id: one, credential: credentialId, standing: 'fetched', file: `${credentialId}.pdf` },
      { id: two, credential: null, standing: 'failed', sentence: expect.stringContaining('it is requested') },
      { id: 'i999', credential: null, standing: 'failed', sentence: expect.stringContaining('no i999') },
    ])
  })
})
