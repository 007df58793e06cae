// The brake by the real program: a file that is too large waits, and a person's word lets it go or ends it.

import { appendFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { describeWithDatabase } from '#test/support/database.ts'
import { readDocument } from './documents.ts'
import { issue, openPlace, type Place, people } from './place.ts'

const config = ['--config', 'credsync.yaml']
const braked = { pipeline: { brake: { rows: 2 } } }

/** A list of three, which is one too many. */
async function tooLarge(place: Place) {
  const ended = await place.run(issue(await place.write('list.csv', people(3)), '--wait', '--json'))
  return { ...ended, document: readDocument(ended.stdout) }
}

describeWithDatabase('a file that is too large', () => {
  test('ends `issue --wait` with 3 and the two ways on, and is issued once it is approved', async () => {
    const place = await openPlace(braked)
    const { document, stderr, code } = await tooLarge(place)
    const { run } = document
    expect(stderr).toContain(
      'list.csv is braked.\n  3 rows would be issued, more than the 2 of brake.rows. Nothing of it was',
    )
    expect(stderr).toContain(`credsync approve ${run} `)
    expect(stderr).toContain(`credsync reject ${run} `)
    expect(document).toMatchObject({ rows: 0, accepted: 0, results: null })
    expect(code).toBe(3)
    expect(place.sandbox.requests()).toEqual([])

    const again = await place.run(issue('list.csv', '--wait', '--json'))
    expect(again.stderr).toContain(`This file was handed over before (run ${run}).\nlist.csv is braked.`)
    expect([readDocument(again.stdout).run, again.code]).toEqual([run, 3])
    const [list, one, oneJson] = await Promise.all([
      place.run(['status']),
      place.run(['status', '--run', run.slice(0, 8)]),
      place.run(['status', '--run', run, '--json']),
    ])
    expect(list.stdout).toContain('list.csv  braked: 3 rows would be issued, more than the 2 of brake.rows.')
    expect(one.stdout).toContain(`(run ${run}) is braked\n`)
    expect(one.stdout).toContain(`credsync approve ${run}`)
    expect(JSON.parse(oneJson.stdout)).toMatchObject({
      state: 'braked',
      settled: null,
      brake: { accepted: 3, usual: null },
    })

    const word = ['--by', 'Ada', '--reason', 'a large cohort', '--json', ...config]
    const approved = await place.run(['approve', run.slice(0, 8), ...word])
    expect(JSON.parse(approved.stdout)).toEqual({ run, state: 'received' })
    expect(approved.stderr).toContain(`list.csv (run ${run}) is approved`)
    const issued = readDocument((await place.run(issue('list.csv', '--wait', '--json'))).stdout)
    expect(issued).toMatchObject({ run, accepted: 3, states: { issued: 3 } })
    expect(place.sandbox.requests()).toHaveLength(3)
    const told = await place.run(['status', '--run', run])
    expect(told.stdout).toContain('  approved by   Ada: a large cohort\n')
    const late = await place.run(['reject', run, ...config])
    expect(late.stderr).toContain(`The run ${run} is not braked: it was approved by Ada. Nothing was changed.`)
    expect([approved.code, late.code]).toEqual([0, 2])
  })

  test('is refused once it is rejected, and says by whom and why', async () => {
    const place = await openPlace(braked)
    const { run } = (await tooLarge(place)).document
    const rejected = await place.run(['reject', run, '--by', 'Ada', '--reason', 'the wrong list', ...config])
    expect(rejected.code).toBe(0)
    const one = await place.run(['status', '--run', run])
    expect(one.stdout).toContain('  refused: rejected by Ada: the wrong list\n')
    const late = await place.run(['approve', run, ...config])
    expect(late.stderr).toContain('it was refused (rejected by Ada: the wrong list).')
    expect(late.code).toBe(2)
    expect(place.sandbox.requests()).toEqual([])
  })

  test('is refused when it was written to before it was approved', async () => {
    const place = await openPlace(braked)
    const { run } = (await tooLarge(place)).document
    await appendFile(join(place.folder, 'list.csv'), 'late@example.org,Late,Comer\n')
    await place.run(['approve', run, ...config])
    await place.run(issue(await place.write('other.csv', 'e_mail,First Name,Last Name\n'), '--wait'))
    const one = await place.run(['status', '--run', run])
    expect(one.stdout).toContain('  refused: list.csv changed after it was handed over, and nothing of it was issued.')
    expect(place.sandbox.requests()).toEqual([])
  })
})

describeWithDatabase('a command', () => {
  test('that names what there is not says which, and what to do', async () => {
    const place = await openPlace()
    await place.run(issue(await place.write('list.csv', people(1)), '--wait'))
    const ask = (...args: string[]) => place.run([...args, ...config])
    const [approve, retryRun, resolve, retry] = await Promise.all([
      ask('approve', 'nope'),
      ask('retry', '--run', 'nope'),
      ask('resolve', 'i99', 'i1', '--sent'),
      ask('retry', 'i1'),
    ])
    const noRun = 'The ledger has no run nope. `credsync status` lists the runs there are'
    expect(approve.stderr).toContain(noRun)
    expect(retryRun.stderr).toContain(noRun)
    expect(resolve.stderr).toContain('i99: nothing was changed, because the ledger has no i99 for development.')
    expect(resolve.stderr).toContain('i1: nothing was changed, because it is not held, but issued')
    expect(retry.stderr).toContain('i1: nothing was changed, because it is not failed')
    expect([approve, retryRun, resolve, retry].map((each) => each.code)).toEqual([2, 2, 2, 2])
    const { runs } = JSON.parse((await place.run(['status', '--json'])).stdout)
    const none = await ask('retry', '--run', runs[0].run.slice(0, 8))
    expect(none.stderr).toContain(`The run ${runs[0].run} has no failed row`)
    expect(none.code).toBe(2)
  })
})
