// Images in the ledger: stored with the rows that name them, handed out with their batch, and gone when nobody can be sent any more.

import { createHash, randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { StoredImage } from '#src/ledger/images.ts'
import type { StagedRow } from '#src/ledger/intake.ts'
import type { Correction } from '#src/ledger/revocation.ts'
import { aCourse, aRecipient, aReportItem, aStagedRow } from '#test/support/build.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { openTestLedger, type TestLedger } from '#test/support/ledger.ts'

const sha = (text: string | Buffer) => createHash('sha256').update(text).digest('hex')
const pictures =
  (images: Record<string, string | Buffer>) =>
  async (name: string): Promise<StoredImage> => {
    const bytes = images[name]
    if (bytes === undefined) throw new Error(`no ${name}`)
    return { type: 'png', bytes: Buffer.from(bytes) }
  }

/** Publishes people, each with the image named beside them. Gives the run's id. */
async function publish(
  { ledger }: TestLedger,
  people: [n: number, image: string | null, lastName?: string][],
  images: Record<string, string | Buffer>,
): Promise<string> {
  const source = { pipeline: 'spring', sourceName: 'a.zip', sourcePath: '/a.zip', sourceSha256: randomUUID() }
  const { run } = await ledger.receiveRun(source)
  const rows: StagedRow[] = people.map(([n, image, lastName], index) => ({
    ...aStagedRow(index + 2, aRecipient(n, lastName ? { 'Last Name': lastName } : {}), ledger.hasher),
    image,
  }))
  await ledger.stageRows(run.id, rows, pictures(images))
  const publication = { courseUuid: aCourse, format: 'csv', header: ['e_mail'], notices: [], imageColumn: 'Photo' }
  await ledger.publishRun(run.id, publication, rows.length)
  return run.id
}

async function kept({ database }: TestLedger): Promise<string[]> {
  const { rows } = await database.query<{ bytes: Buffer }>('SELECT bytes FROM image ORDER BY bytes')
  return rows.map(({ bytes }) => bytes.toString())
}

describeWithDatabase('images of recipients', () => {
  test('are stored once for each content, and come with their batch in the order of its rows', async () => {
    await using ledger = await openTestLedger()
    await publish(
      ledger,
      [
        [1, 'a'],
        [2, null],
        [3, 'b'],
        [4, 'c'],
      ],
      { a: 'one', b: 'two', c: 'one' },
    )
    expect(await kept(ledger)).toEqual(['one', 'two'])
    const attempt = (await ledger.ledger.prepareAttempt('spring', 10)) ?? 0
    const batch = await ledger.ledger.loadBatch(attempt)
    expect(batch?.images).toEqual([sha('one'), null, sha('two'), sha('one')])
    expect(batch?.recipients.map((each) => each['First Name'])).toEqual(['Ada1', 'Ada2', 'Ada3', 'Ada4'])
    const found = await ledger.ledger.readImages([sha('two'), sha('two'), sha('nobody’s')])
    expect([...found]).toEqual([[sha('two'), { type: 'png', bytes: Buffer.from('two') }]])
  })

  test('are all there with their rows, or none of it', async () => {
    await using ledger = await openTestLedger()
    await expect(
      publish(
        ledger,
        [
          [1, 'a'],
          [2, 'missing'],
        ],
        { a: 'one' },
      ),
    ).rejects.toThrow('no missing')
    expect(await kept(ledger)).toEqual([])
    expect(await ledger.one('SELECT count(*) AS staged FROM staged_row')).toEqual({ staged: 0 })
  })

  test('are never left behind by a row that names one while nothing reads them', async () => {
    await using ledger = await openTestLedger()
    const rows = [{ ...aStagedRow(2, aRecipient(1), ledger.ledger.hasher), image: 'a' }]
    await expect(ledger.ledger.stageRows(randomUUID(), rows)).rejects.toThrow('nothing reads them')
  })

  test('are removed when the run settles, but not what a failed row may still need', async () => {
    await using ledger = await openTestLedger()
    await publish(
      ledger,
      [
        [1, 'a'],
        [2, 'b'],
      ],
      { a: 'one', b: 'two' },
    )
    await ledger.answer(await ledger.send(1), { class: 'accepted' })
    await ledger.answer(await ledger.send(1), { class: 'refused', status: 400 })
    expect(await ledger.ledger.settleRuns()).toEqual([])
    expect(await kept(ledger)).toEqual(['one', 'two'])
    await ledger.scan([aReportItem(aRecipient(1))])
    expect(await ledger.states()).toEqual(['issued', 'failed'])
    expect(await ledger.ledger.settleRuns()).toHaveLength(1)
    expect(await kept(ledger)).toEqual(['two'])
    // What was sent stays on record.
    expect(await ledger.one(`SELECT encode(image_sha256, 'hex') AS image FROM issuance WHERE row_number = 2`)).toEqual({
      image: sha('one'),
    })
  })

  test('of rows that were known already, or of a run that is refused, do not stay', async () => {
    await using ledger = await openTestLedger()
    await publish(ledger, [[1, 'a']], { a: 'one' })
    await publish(ledger, [[1, 'b']], { b: 'another' })
    const { run } = await ledger.ledger.receiveRun({
      pipeline: 'spring',
      sourceName: 'c.zip',
      sourcePath: '/c.zip',
      sourceSha256: randomUUID(),
    })
    const row = { ...aStagedRow(2, aRecipient(9), ledger.ledger.hasher), image: 'c' }
    await ledger.ledger.stageRows(run.id, [row], pictures({ c: 'of a refused run' }))
    expect(await kept(ledger)).toEqual(['of a refused run', 'one'])
    await ledger.ledger.refuseRun(run.id, 'No.')
    expect(await kept(ledger)).toEqual(['one'])
  })

  test('are not removed while others are being stored, so that none goes before its row has come', async () => {
    await using ledger = await openTestLedger()
    await publish(ledger, [[7, 'x']], { x: 'same' })
    const { run } = await ledger.ledger.receiveRun({
      pipeline: 'spring',
      sourceName: 'b.zip',
      sourcePath: '/b.zip',
      sourceSha256: randomUUID(),
    })
    const reading = Promise.withResolvers<void>()
    const go = Promise.withResolvers<void>()
    const row = (n: number, image: string) => ({ ...aStagedRow(n, aRecipient(n), ledger.ledger.hasher), image })
    // The first image is there already, the second one takes its time; meanwhile the only row that has needed the first is done with.
    const staging = ledger.ledger.stageRows(run.id, [row(2, 'a'), row(3, 'b')], async (name) => {
      if (name === 'b') {
        reading.resolve()
        await go.promise
      }
      return { type: 'jpg', bytes: Buffer.from(name === 'a' ? 'same' : 'other') }
    })
    await reading.promise
    await ledger.answer(await ledger.send(), { class: 'accepted' })
    await ledger.scan([aReportItem(aRecipient(7))])
    expect(await ledger.ledger.settleRuns()).toHaveLength(1)
    go.resolve()
    await staging
    expect(await kept(ledger)).toEqual(['other', 'same'])
  })

  test('of a row that failed give way to the one that it comes again with, and are sent by retry; other rows keep theirs', async () => {
    await using ledger = await openTestLedger()
    const people: [number, string][] = [
      [1, 'a'],
      [2, 'b'],
      [3, 'c'],
    ]
    await publish(ledger, people, { a: 'too large', b: 'sent', c: 'waits' })
    await ledger.answer(await ledger.send(1), { class: 'too_large', status: 413, imageBytes: 9 })
    await ledger.answer(await ledger.send(1), { class: 'accepted' })
    await publish(ledger, people, { a: 'small', b: 'other', c: 'other' })
    const { rows } = await ledger.database.query<{ id: number; state: string; hash: string }>(
      `SELECT id, state, encode(image_sha256, 'hex') AS hash FROM issuance ORDER BY id`,
    )
    expect(rows.map(({ state, hash }) => [state, hash])).toEqual([
      ['failed', sha('small')],
      ['requested', sha('sent')],
      ['pending', sha('waits')],
    ])
    await ledger.ledger.retryFailed({ ids: [rows[0]?.id ?? 0] }, { by: 'Ada', why: 'looked it up in the portal' })
    const sent: (string | null)[] = []
    for (let attempt = 0; attempt < 2; attempt++) {
      const id = (await ledger.ledger.prepareAttempt('spring', 1)) ?? 0
      sent.push(...((await ledger.ledger.loadBatch(id))?.images ?? []))
    }
    expect(sent.toSorted()).toEqual([sha('small'), sha('waits')].toSorted())
  })

  test('make batches that are small enough to send', async () => {
    await using ledger = await openTestLedger()
    const megabytes = (n: number, fill: string) => Buffer.alloc(n * 1024 * 1024, fill)
    const images = { a: megabytes(9, 'a'), b: megabytes(4, 'b'), c: megabytes(4, 'c'), d: megabytes(1, 'd') }
    await publish(
      ledger,
      [
        [1, 'a'],
        [2, 'b'],
        [3, 'c'],
        [4, 'd'],
        [5, null],
      ],
      images,
    )
    const sizes: number[] = []
    for (let attempt = 0; attempt < 3; attempt++) {
      const id = (await ledger.ledger.prepareAttempt('spring', 100)) ?? 0
      sizes.push((await ledger.ledger.loadBatch(id))?.recipients.length ?? 0)
    }
    expect(sizes).toEqual([1, 2, 2])
  })
})

describeWithDatabase('another image of somebody known', () => {
  const told = async ({ ledger }: TestLedger, run: string) => {
    const all: (string | null)[] = []
    await ledger.readResultRows(run, ['skipped'], async (rows) => void all.push(...rows.map((row) => row.skipReason)))
    return all
  }
  const compared = async ({ ledger }: TestLedger, n: number, image: string) => {
    const row = aStagedRow(2, aRecipient(n), ledger.hasher)
    const imageSha256 = Buffer.from(sha(image), 'hex')
    return ledger.compareRows(aCourse, [
      { issuanceKey: row.issuanceKey as Buffer, recipient: row.recipient ?? {}, imageSha256 },
    ])
  }
  const fail = async (ledger: TestLedger) => {
    const attempt = await ledger.send()
    await ledger.answer(attempt, { class: 'accepted' })
    await ledger.scan([aReportItem(aRecipient(1), { issued_status: 'Request Failed', credential_id: null })])
    expect(await ledger.states()).toEqual(['failed'])
  }

  test('is a change, under the title of its column, and the same image is none', async () => {
    await using ledger = await openTestLedger()
    await publish(ledger, [[1, 'a']], { a: 'one' })
    expect(await compared(ledger, 1, 'two')).toEqual(['changed'])
    expect(await compared(ledger, 1, 'one')).toEqual(['known'])
    const run = await publish(ledger, [[1, 'b']], { b: 'two' })
    expect(await told(ledger, run)).toEqual([
      'known from row 2 of a.zip, and Photo differs: a correction, which is never issued by itself',
    ])
    expect(await told(ledger, await publish(ledger, [[1, 'b']], { b: 'one' }))).toEqual([
      expect.stringMatching(/^already known/),
    ])
    const both = await publish(ledger, [[1, 'b', 'Byron']], { b: 'two' })
    expect((await told(ledger, both))[0]).toContain('Last Name and Photo differ')
  })

  test('in one file is said, and the first one is taken', async () => {
    await using ledger = await openTestLedger()
    const run = await publish(
      ledger,
      [
        [1, 'a'],
        [1, 'b'],
      ],
      { a: 'one', b: 'two' },
    )
    expect(await told(ledger, run)).toEqual([
      'the same person as row 2 of this file, and Photo differs: only that row is taken',
    ])
    expect((await ledger.ledger.findRun(run))?.changed).toBe(1)
  })

  test('stays with the row while the known one is failed, and goes with its correction', async () => {
    await using ledger = await openTestLedger()
    await publish(ledger, [[1, 'a']], { a: 'one' })
    await fail(ledger)
    const run = await publish(ledger, [[1, 'b', 'Byron']], { b: 'two' })
    expect(await kept(ledger)).toEqual(['one', 'two'])
    const naming = await ledger.ledger.revocations.rowNaming(run, 2, 1)
    expect(naming).toMatchObject({ source: 'a.zip', imageKept: true })
    expect(naming?.image?.toString('hex')).toBe(sha('two'))
    const { recipient, issuanceKey, identityHash, matchHashes } = aStagedRow(
      2,
      aRecipient(1, { 'Last Name': 'Byron' }),
      ledger.ledger.hasher,
    ) as never as Correction
    const correction = { recipient, issuanceKey, identityHash, matchHashes, changedFields: ['Last Name', 'Photo'] }
    const decision = { by: 'ada', why: '' }
    const gone = { ...correction, imageSha256: Buffer.alloc(32, 7) }
    await expect(ledger.ledger.correctFailed(1, gone, decision)).rejects.toThrow('its image is gone')
    expect(await ledger.states()).toEqual(['failed'])
    expect(await ledger.ledger.correctFailed(1, { ...correction, imageSha256: naming?.image ?? null }, decision)).toBe(
      true,
    )
    const batch = await ledger.ledger.loadBatch((await ledger.ledger.prepareAttempt('spring', 10)) ?? 0)
    expect(batch?.images).toEqual([sha('two')])
    expect(batch?.recipients[0]?.['Last Name']).toBe('Byron')
  })

  test('is told in the dry run as in the run where a failed row takes it and nothing else differs', async () => {
    await using ledger = await openTestLedger()
    await publish(ledger, [[1, 'a']], { a: 'one' })
    await fail(ledger)
    expect(await compared(ledger, 1, 'two')).toEqual(['known'])
    expect(await told(ledger, await publish(ledger, [[1, 'b']], { b: 'two' }))).toEqual([
      expect.stringMatching(/^already known/),
    ])
  })
})
