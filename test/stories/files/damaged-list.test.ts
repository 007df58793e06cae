// A list as a registrar may have it: every damaged row is invalid with its reason, and no name of the world is refused.

import { expect, test } from 'vitest'
import { intake } from '#jobs/intake.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { openWorld } from '#test/support/world.ts'

const quote = (cell: string) => `"${cell.replaceAll('"', '""')}"`
const listOf = (rows: readonly (readonly string[])[]) =>
  ['Email,First Name,Last Name', ...rows.map((row) => row.map(quote).join(','))].join('\n')

const damagedNames = [
  'M&uuml;ller',
  'O&#039;Brien',
  '<b>Ada</b>',
  'undefined undefined',
  'J√ºrgen',
  'J├╝rgen',
  'JГјrgen',
  'MÃ¼ller',
  '0 0',
  '0',
  '1234',
  '45413',
  '2024-05-01',
  'Jos\\u00e9',
  "O\\'Brien",
  "O''Brien",
  'Ada_x000D_',
  'Jos%C3%A9',
  '{{first_name}}',
  '\\N',
  '[object Object]',
  '(null)',
  'NULL',
  'nan',
  "'Ada'",
  '„Lovelace“',
  'Ren?',
  '????',
]
const damagedAddresses = ['<a@example.org>', 'mailto:a@example.org', 'a@example.org.', '"a"@example.org']

const given =
  'Ada Björk Seán Zoë Łukasz Ngọc Nguyễn Þór Søren Åsa José Iñés João Çağla Doğan Žofie Jiří Ştefan Ġorġ Māra Ēriks X Null Na None Nan O Æ Ánh D’Arcy Jean-Luc Mary‑Ann J.R. Νίκος Сергей Олена Արամ ნინო נועה محمد مریم सुनीता অনন্যা กมล 王芳 さくら ジョン 서연 阿里·买买提 ሰላም'
    .split(' ')
    .map((name) => name.normalize('NFC'))
const family = ["'t Hooft", 'O’Neill', 'Smith & Sons', 'van der Berg']

describeWithDatabase('a list', () => {
  test('of 32 damaged rows has 32 invalid rows, each with a reason', async () => {
    const rows = [
      ...damagedNames.map((name, at) => [`n${at}@example.org`, name, 'Lovelace']),
      ...damagedAddresses.map((address) => [address, 'Ada', 'Lovelace']),
    ]
    expect(rows).toHaveLength(32)
    await using world = await openWorld({ pipeline: { columns: { 'Primary Value': { value: 'Email' } } } })
    const runId = await world.receive('damaged.csv', listOf(rows))
    await intake(world.app, { runId })
    const run = await world.app.ledger.runs.find(runId)
    expect([run?.state, run?.accepted, run?.invalid]).toEqual(['published', 0, 32])
    const kinds = await world.app.ledger.violations.byKind(runId)
    expect(new Set(kinds.map(({ field }) => field))).toEqual(new Set(['First Name', 'Email']))
  })

  test('of 200 people of the world has no invalid row', async () => {
    const rows = given.flatMap((first, at) => family.map((last, of) => [`p${at}.${of}@example.org`, first, last]))
    expect(rows).toHaveLength(200)
    await using world = await openWorld({ pipeline: { columns: { 'Primary Value': { value: 'Email' } } } })
    const runId = await world.receive('world.csv', listOf(rows))
    await intake(world.app, { runId })
    const run = await world.app.ledger.runs.find(runId)
    expect(await world.app.ledger.violations.byKind(runId)).toEqual([])
    expect([run?.state, run?.accepted, run?.invalid]).toEqual(['published', 200, 0])
  })
})
