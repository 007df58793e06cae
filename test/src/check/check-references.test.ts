// What `check` reports about the uuids of a pipeline's mail template, signatures and sponsors.

import { expect, test } from 'vitest'
import { parseFileSettings } from '#config/settings.ts'
import { checkReferences } from '#src/check/check-references.ts'
import { type Bench, openBench } from '#test/src/issuer/client-bench.ts'
import { envelope } from '#test/support/scripted-server.ts'

const uuid = (n: number) => `00000000-0000-4000-8000-00000000000${n}`
const mailList = '/customMailTemplate/list'
const signatureList = '/template/signature/list'

function check({ issuer }: Bench, references: object) {
  const ids = { course: uuid(1), template: uuid(2), badgeTemplate: uuid(3) }
  const spring = { ...ids, columns: { 'Primary Value': { value: 'Email' } }, ...references }
  const { pipelines } = parseFileSettings({ service: { environment: 'development' }, pipelines: { spring } })
  const { spring: pipeline } = pipelines
  if (!pipeline) throw new Error('The configuration has no pipeline.')
  return checkReferences({ issuer }, { name: 'spring', pipeline, uuid: uuid(1) })
}

test('nothing is requested for what is not set', async () => {
  await using bench = await openBench()
  expect(await check(bench, {})).toEqual([])
  expect(bench.server.seen).toEqual([])
})

test('an inactive mail template is reported as missing, and an active one is named', async () => {
  await using bench = await openBench()
  const listTemplate = (isActive: number) =>
    envelope([{ custom_email_template_uuid: uuid(7), custom_email_template_name: 'Welcome', is_active: isActive }])
  bench.server.on(mailList, listTemplate(0), listTemplate(1))
  expect(await check(bench, { mailTemplate: uuid(7) })).toMatchObject([
    { ok: false, what: `the service lists no mailTemplate ${uuid(7)} (pipelines.spring.mailTemplate)` },
  ])
  expect(await check(bench, { mailTemplate: uuid(7) })).toMatchObject([
    { ok: true, what: 'the service lists mailTemplate: Welcome' },
  ])
})

test('a uuid that is missing from an incomplete list is not reported as a fault', async () => {
  await using bench = await openBench()
  const page = { digitalSignatures: [{ uuid: uuid(4), member_name: 'Ada Lovelace' }] }
  bench.server.on('/certification-body/list', envelope([]))
  // The pager counts more rows than the service returns.
  bench.server.on(signatureList, envelope(page, { totalRecords: 9, filteredRecords: 9 }))
  expect(await check(bench, { signatures: [uuid(4), uuid(5)] })).toMatchObject([
    {
      ok: true,
      what: 'the service lists signatures: Ada Lovelace',
      notices: [`the service did not return its whole list, so ${uuid(5)} could not be checked`],
    },
  ])
})
