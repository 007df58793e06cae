// What the console says of the state of affairs: what is in the way, what waits for a person, and people with more than
// one row. The ledger is brought into each state by its own verbs.

import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { stopSending } from '#src/ledger/attempts/commit-claim.ts'
import { type ConsoleWorld, openConsoleWorld } from '#test/support/console-world.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { aRecipient } from '#test/support/domain-objects.ts'
import { publish } from '#test/support/test-ledger.ts'
import { withoutTriggers } from '#test/support/without-triggers.ts'

const ada = (more: object = {}) => aRecipient(1, { Email: 'ada@example.org', ...more })
const since = new Date('2026-01-05T12:00:00Z')
const campus = { type: 'moodle', url: 'http://127.0.0.1:1', token: 'x' }
const fields = { credid: 'credential' }

describeWithDatabase('the console says', () => {
  let console: ConsoleWorld
  let inbox: string
  const cookies = { operator: '', registrar: '' }

  beforeAll(async () => {
    inbox = await mkdtemp(join(tmpdir(), 'credsync-inbox-'))
    console = await openConsoleWorld({
      file: { systems: { campus } },
      pipeline: { source: { inbox, schedule: '5m' }, archive: { to: join(inbox, '../archived') } },
      morePipelines: (first) => ({
        autumn: {
          ...first,
          archive: undefined,
          source: { system: 'campus', course: 'FIRE-1' },
          writeBack: [{ to: 'moodle-profile', system: 'campus', fields }],
        },
      }),
    })
    for (const role of ['operator', 'registrar'] as const) cookies[role] = await console.signedIn(role)
  })
  afterAll(async () => {
    await console[Symbol.asyncDispose]()
    await rm(inbox, { recursive: true })
  })

  const shown = async (path: string, role: keyof typeof cookies = 'operator') => {
    const { text } = await console.ask(path, { cookie: cookies[role] })
    return text.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ')
  }

  test('that nothing is sent, why, and what is in the way of the service and of a worker', async () => {
    const { ledger, database } = console.world.app
    await stopSending(database, 'development', 'the ledger was rolled back')
    await ledger.obstacles.note({ subject: 'issue', detail: 'the service refuses the keys', endsInMs: null })
    await ledger.obstacles.note({ subject: 'archive', detail: 'the disk is full', endsInMs: null })
    const overview = await shown('/')
    expect(overview).toMatch(/Nothing is sent .*the ledger was rolled back/)
    expect(overview).toMatch(/The service cannot be used The service refuses the keys\. Since/)
    expect(overview).toMatch(/A worker cannot continue The disk is full\. Since/)
  })

  test('which rows of the last list need attention, and which wait for a correction', async () => {
    const { ledger, database } = console.world.app
    const violation = { field: 'Email', rule: 'required', value: '', sentence: 'Email is empty.' }
    const nobody = { recipient: null, issuanceKey: null, identityHash: null, matchHashes: null }
    const invalid = { row: 9, cells: [''], violations: [violation], ...nobody }
    await publish(ledger, [ada()], { name: 'first.csv', more: [invalid] })
    await withoutTriggers(database, `UPDATE issuance SET state = 'issued', credential_id = 'C'`)
    expect(await shown('/')).toMatch(/1 row of first\.csv needs attention 1 invalid \(spring\)\./)
    await publish(ledger, [ada({ 'First Name': 'Augusta' })], { name: 'second.csv' })
    expect(await shown('/')).toMatch(/1 changed row of spring waits for a correction .*The oldest came/)
  })

  test('which notices are open, to those who see their pipeline', async () => {
    const { ledger } = console.world.app
    const late = { about: 'open' as const, count: 3, behind: '1d' }
    const notice = { do: 'open' as const, kind: 'behind', since, facts: late, recipients: [] }
    await ledger.notices.apply([{ ...notice, key: 'behind', pipeline: 'autumn' }], console.now())
    expect(await shown('/')).toMatch(/Autumn: 3 rows are not finished\. .*Since 5 Jan 2026, 12:00/)
    expect(await shown('/', 'registrar')).not.toMatch(/autumn:/i)
  })

  test('what is wrong with an inbox and with a learning system', async () => {
    const { ledger } = console.world.app
    const status = await ledger.inboxes.status('spring', since)
    const examples = [
      { name: 'notes.txt', why: 'its name does not match' },
      { name: 'half.csv', why: 'it still changes' },
    ]
    const scan = { answers: status.lastDueAt, files: 2, missed: null, leftLying: { count: 3, examples } }
    await ledger.inboxes.noteScan('spring', { at: since, againAt: null, scan })
    await ledger.learningSystems.register(['campus'])
    await ledger.learningSystems.noteFailure('campus', 'The token is unknown.', 1_000)
    const overview = await shown('/')
    expect(overview).toMatch(/3 files in the inbox of spring are not taken notes\.txt: its name does not match; half/)
    expect(overview).toMatch(
      /A learning system needs attention System campus: unavailable since .*The token is unknown/,
    )
    expect(await shown('/', 'registrar')).not.toContain('A learning system')
    await ledger.inboxes.noteProblem('spring', 'The folder does not exist.')
    expect(await shown('/')).toMatch(/The inbox of spring cannot be used The folder does not exist\./)
  })

  test('of a person in several lists each issuance, each list, and what waits', async () => {
    const { ledger } = console.world.app
    await publish(ledger, [ada()], { name: 'autumn.csv', pipeline: 'autumn', course: randomUUID() })
    const cells = { email: 'ada@example.org' }
    const completion = { learner: '7', course: 'FIRE-1', completedAt: since, cells }
    await ledger.completions.ingest({ system: 'campus', pipeline: 'autumn', renewAfterMs: null }, [completion], 'poll')
    const search = async (role: keyof typeof cookies) =>
      (await console.ask('/people', { cookie: cookies[role], form: { who: 'ada@example.org' } })).text.replace(
        /<[^>]+>|\s+/g,
        ' ',
      )
    const found = await search('operator')
    expect(found).toMatch(/i1 .*issued .*spring .*row 2 of first\.csv/)
    expect(found).toMatch(/pending .*autumn .*row 2 of autumn\.csv/)
    expect(found).toMatch(/Completions without a credential .*FIRE-1 .*campus/)
    expect(await search('registrar')).not.toContain('autumn')
    expect(await shown('/people/i1')).toMatch(
      /second\.csv , row 2: skipped, because the person is already known, with other data: First Name/,
    )
  })
})
