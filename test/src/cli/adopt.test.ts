// credsync adopt, in this process against a sandbox on the wire, in which somebody else has issued before.

import { expect, test } from 'vitest'
import { openDatabase } from '#src/database/database.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { csv, issueElsewhere, type Student, students } from './issued-elsewhere.ts'
import { openPlace, type Place } from './place.ts'
import { sayInPlace } from './say-in-place.ts'

const say = (place: Place, ...args: string[]) => sayInPlace(place, args)

const adopt = ['adopt', '--pipeline', 'spring', '--certificate', 'Welding Basics']

async function counts(place: Place): Promise<unknown> {
  await using database = openDatabase(place.env.DATABASE_URL as string)
  const tables = [
    'run',
    'run_row',
    'issuance',
    'issuance_match',
    'claim',
    'surplus_item',
    'sighting',
    'history',
    'write_back',
    'course',
    'scan',
    'poller',
  ]
  const { rows } = await database.query(
    `SELECT ${tables.map((table) => `(SELECT count(*) FROM ${table})::int AS ${table}`).join(', ')}`,
  )
  return rows[0]
}

const sum = (document: Record<string, unknown>) => {
  const listed = (name: string) => (document[name] as { items: number }[]).reduce((all, each) => all + each.items, 0)
  const plain = ['adopted', 'taken', 'known', 'surplus', 'spent', 'rejected', 'failed'] as const
  return (
    plain.reduce((all, name) => all + Number(document[name]), 0) +
    ['left', 'unread', 'unmatched'].reduce((all, name) => all + listed(name), 0)
  )
}

describeWithDatabase('credsync adopt', () => {
  test('makes an old list known: of 300 people who have a credential and 5 who have none, 5 are invited', async () => {
    const place = await openPlace({
      // The report writes some people in other letters than they were sent in.
      sandbox: { limits: { general: 1_000, auth: 1_000 }, mischief: { spelling: { emails: 0.2, names: 0.2 } } },
    })
    await issueElsewhere(place, students(300, 1, { 'Birth Date': '1990-12-31' }))
    await issueElsewhere(place, students(3), 1)

    const asked = await say(place, 'adopt', '--pipeline', 'spring', '--json')
    expect(asked.code).toBe(2)
    expect(JSON.parse(asked.stdout).certificates).toEqual([
      { name: 'Welding Basics', items: 300 },
      { name: 'Safety at Work', items: 3 },
    ])
    // The most frequent name is not the right one because it is.
    expect(asked.stderr).toContain('--certificate "NAME"')
    const other = ['adopt', '--pipeline', 'spring', '--certificate', 'Safety at Work']
    const before = await counts(place)
    const strange = await say(place, ...other, '--yes')
    expect([strange.code, strange.stderr]).toEqual([
      2,
      expect.stringMatching(
        /calls the course of this pipeline “Welding Basics”, and you say “Safety at Work”[\s\S]*--other-name/,
      ),
    ])
    expect((await say(place, ...other, '--yes', '--other-name', '--dry-run', '--json')).stdout).toContain(
      '"adopted": 3',
    )
    expect(await counts(place)).toEqual(before)
    const dry = await say(place, ...adopt, '--dry-run', '--json')
    expect(dry.code).toBe(0)
    expect(JSON.parse(dry.stdout)).toMatchObject({ dryRun: true, run: null, items: 300, adopted: 300, known: 0 })
    expect((await say(place, ...adopt)).stderr).toContain('say --yes')
    expect(await counts(place)).toEqual(before)

    const done = JSON.parse((await say(place, ...adopt, '--yes', '--json')).stdout)
    expect(done).toMatchObject({ items: 300, adopted: 300, states: { issued: 300 }, unmatched: [], left: [] })
    const again = await say(place, 'adopt', '--pipeline', 'spring', '--json')
    expect([again.code, JSON.parse(again.stdout)]).toMatchObject([0, { adopted: 0, known: 300, run: null }])

    const list = [...students(299), { ...students(1, 300)[0], 'Last Name': 'Byron' } as Student, ...students(5, 301)]
    const issued = await say(
      place,
      'issue',
      await place.write('old.csv', csv(list)),
      '--pipeline',
      'spring',
      '--wait',
      '--json',
    )
    expect(JSON.parse(issued.stdout)).toMatchObject({
      rows: 305,
      accepted: 5,
      known: 299,
      changed: 1,
      gone: 0,
      balanced: true,
      states: { issued: 5 },
    })
    expect(
      place.sandbox
        .requests()
        .slice(303)
        .map(({ student }) => student.Email),
    ).toEqual(students(5, 301).map((each) => each.Email))

    const told = await say(place, 'explain', 'person.1@example.org')
    expect(told.stdout).toMatch(/^i\d+: issued, from row \d+ of adopted from the report, \d{4}-\d\d-\d\d \(spring/)
    expect(told.stdout).toMatch(/adopted from the report: issued \(.*label: Request Completed, credential: [\d-]+/)
    const status = await say(place, 'status', '--run', done.run)
    expect(status.stdout).toContain('note: Adopted from the report, which calls the course “Welding Basics”.')
    expect(status.stdout).not.toContain('  results  ')
    expect((await say(place, 'correct')).stdout).toContain('Last Name differs')
  })

  test('says of every item what became of it, and leaves what may be a row of its own', async () => {
    const place = await openPlace({ sandbox: { limits: { general: 1_000, auth: 1_000 } } })
    const [twice] = students(1, 900) as [Student]
    await issueElsewhere(place, [...students(2), twice, { ...twice, Email: 'Person.900@example.org' }])
    await issueElsewhere(place, [
      { ...students(1)[0], Email: 'reject.ada@example.org' } as Student,
      { ...students(1)[0], Email: 'fail.bea@example.org' } as Student,
    ])
    const [first] = place.sandbox.requests()
    expect((await say(place, 'revoke', first?.credentialId as string, '--yes')).code).toBe(0)

    const done = await say(place, ...adopt, '--yes', '--json')
    const document = JSON.parse(done.stdout)
    expect(document).toMatchObject({
      items: 6,
      adopted: 3,
      surplus: 1,
      rejected: 1,
      failed: 1,
      states: { issued: 2, revoked: 1 },
    })
    expect([sum(document), done.code]).toEqual([6, 3])
    expect(done.stderr).toContain('1 second credentials of people who have one')
    expect((await say(place, 'explain', twice.Email as string)).stdout).toContain('surplus items 1')
    const again = JSON.parse((await say(place, ...adopt, '--json')).stdout)
    expect(again).toMatchObject({ adopted: 0, known: 4, surplus: 0, rejected: 1, failed: 1 })
    // Whoever was rejected or failed is asked for again; whose credential was revoked is not.
    const list = csv([...students(2), { ...students(1)[0], Email: 'reject.ada@example.org' } as Student])
    const issued = await say(
      place,
      'issue',
      await place.write('list.csv', list),
      '--pipeline',
      'spring',
      '--wait',
      '--json',
    )
    expect(JSON.parse(issued.stdout)).toMatchObject({ accepted: 1, known: 2, states: { rejected: 1 } })
  })

  test('matches nobody by what the report does not show, and says so', async () => {
    const place = await openPlace({ pipeline: { occurrence: ['Program End Date'] } })
    await issueElsewhere(place, students(4, 1, { 'Program End Date': '2026-02-20' }))
    await say(place, 'adopt', '--pipeline', 'spring')
    const before = await counts(place)
    const told = await say(place, ...adopt, '--yes', '--json')
    expect(told.code).toBe(3)
    expect(JSON.parse(told.stdout).unmatched).toEqual([
      {
        because: expect.stringContaining('does not show Program End Date'),
        items: 4,
        examples: Array(3).fill(expect.stringMatching(/^p…@e….org/)),
      },
    ])
    expect(told.stderr).not.toContain('person.')
    expect(await counts(place)).toEqual(before)
  })

  test('writes nothing when the report moves while it is read', async () => {
    const place = await openPlace({
      sandbox: { maxPage: 10, mischief: { movingRows: { share: 1 } }, limits: { general: 1_000, auth: 1_000 } },
    })
    await issueElsewhere(place, students(60))
    await say(place, 'adopt', '--pipeline', 'spring')
    const before = await counts(place)
    const told = await say(place, ...adopt, '--yes', '--json')
    expect([told.code, JSON.parse(told.stdout).complete]).toEqual([4, false])
    expect(told.stderr).toContain('Nothing was adopted; try again')
    expect(await counts(place)).toEqual(before)
  })
})
