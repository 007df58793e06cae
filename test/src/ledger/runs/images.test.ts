// Images in the ledger: they are stored with the rows that name them, returned with their batch, and deleted when no
// row with them can be sent any longer.

import { createHash, randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Correction } from '#src/ledger/revocations/revocation.ts'
import type { StoredImage } from '#src/ledger/runs/images.ts'
import type { StagedRow } from '#src/ledger/runs/intake.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { aCourse, aRecipient, aReportItem, aStagedRow } from '#test/support/domain-objects.ts'
import { prepareOne } from '#test/support/prepare-one.ts'
import { openTestLedger, type TestLedger } from '#test/support/test-ledger.ts'

const sha = (text: string | Buffer) => createHash('sha256').update(text).digest('hex')
const imageReader =
  (images: Record<string, string | Buffer>) =>
  async (name: string): Promise<StoredImage> => {
    const bytes = images[name]
    if (bytes === undefined) throw new Error(`no ${name}`)
    return { type: 'png', bytes: Buffer.from(bytes) }
  }

/** Publishes people with their images. @returns the id of the run */
async function publish(
  { ledger }: TestLedger,
  people: [n: number, image: string | null, lastName?: string][],
  images: Record<string, string | Buffer>,
): Promise<string> {
  const source = { pipeline: 'spring', sourceName: 'a.zip', sourcePath: '/a.zip', sourceSha256: randomUUID() }
  const { run } = await ledger.runs.receive(source)
  const rows: StagedRow[] = people.map(([n, image, lastName], index) => ({
    ...aStagedRow(index + 2, aRecipient(n, lastName ? { 'Last Name': lastName } : {}), ledger.hasher),
    image,
  }))
  await ledger.intake.stage(run.id, rows, imageReader(images))
  const publication = { courseUuid: aCourse, format: 'csv', header: ['e_mail'], notices: [], imageColumn: 'Photo' }
  await ledger.intake.publish(run.id, publication, rows.length)
  return run.id
}

async function storedImages({ database }: TestLedger): Promise<string[]> {
  const { rows } = await database.query<{ bytes: Buffer }>('SELECT bytes FROM image ORDER BY bytes')
  return rows.map(({ bytes }) => bytes.toString())
}

describeWithDatabase('images of recipients', () => {
  test('are stored once for each content, and returned with their batch in the order of its rows', async () => {
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
    expect(await storedImages(ledger)).toEqual(['one', 'two'])
    const attempt = (await prepareOne(ledger.ledger, 'spring', 10)) ?? 0
    const batch = await ledger.ledger.attempts.load(attempt)
    expect(batch?.images).toEqual([sha('one'), null, sha('two'), sha('one')])
    expect(batch?.recipients.map((recipient) => recipient['First Name'])).toEqual(['Ada1', 'Ada2', 'Ada3', 'Ada4'])
    const found = await ledger.ledger.images.read([sha('two'), sha('two'), sha('unknown')])
    expect([...found]).toEqual([[sha('two'), { type: 'png', bytes: Buffer.from('two') }]])
  })

  test('are all stored with their rows, or none of them', async () => {
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
    expect(await storedImages(ledger)).toEqual([])
    expect(await ledger.queryOne('SELECT count(*) AS staged FROM staged_row')).toEqual({ staged: 0 })
  })

  test('are required: a row that names an image is not staged without a reader for images', async () => {
    await using ledger = await openTestLedger()
    const rows = [{ ...aStagedRow(2, aRecipient(1), ledger.ledger.hasher), image: 'a' }]
    await expect(ledger.ledger.intake.stage(randomUUID(), rows)).rejects.toThrow('there is no reader for images')
  })

  test('are deleted when the run settles, except what a failed row may still need', async () => {
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
    expect(await ledger.ledger.runs.settle()).toEqual([])
    expect(await storedImages(ledger)).toEqual(['one', 'two'])
    await ledger.scan([aReportItem(aRecipient(1))])
    expect(await ledger.states()).toEqual(['issued', 'failed'])
    expect(await ledger.ledger.runs.settle()).toHaveLength(1)
    expect(await storedImages(ledger)).toEqual(['two'])
    // The hash of the image stays recorded after the image is deleted.
    expect(
      await ledger.queryOne(`SELECT encode(image_sha256, 'hex') AS image FROM issuance WHERE row_number = 2`),
    ).toEqual({
      image: sha('one'),
    })
  })

  test('of known rows, or of a refused run, are not kept', async () => {
    await using ledger = await openTestLedger()
    await publish(ledger, [[1, 'a']], { a: 'one' })
    await publish(ledger, [[1, 'b']], { b: 'another' })
    const { run } = await ledger.ledger.runs.receive({
      pipeline: 'spring',
      sourceName: 'c.zip',
      sourcePath: '/c.zip',
      sourceSha256: randomUUID(),
    })
    const row = { ...aStagedRow(2, aRecipient(9), ledger.ledger.hasher), image: 'c' }
    await ledger.ledger.intake.stage(run.id, [row], imageReader({ c: 'of a refused run' }))
    expect(await storedImages(ledger)).toEqual(['of a refused run', 'one'])
    await ledger.ledger.runs.refuse(run.id, 'No.')
    expect(await storedImages(ledger)).toEqual(['one'])
  })

  test('are not deleted while others are being stored, so that no image is deleted before its row is stored', async () => {
    await using ledger = await openTestLedger()
    await publish(ledger, [[7, 'x']], { x: 'same' })
    const { run } = await ledger.ledger.runs.receive({
      pipeline: 'spring',
      sourceName: 'b.zip',
      sourcePath: '/b.zip',
      sourceSha256: randomUUID(),
    })
    const reading = Promise.withResolvers<void>()
    const continueReading = Promise.withResolvers<void>()
    const row = (n: number, image: string) => ({ ...aStagedRow(n, aRecipient(n), ledger.ledger.hasher), image })
    // While the second image is still being read, the only other row whose image has the content of the first is
    // settled.
    const staging = ledger.ledger.intake.stage(run.id, [row(2, 'a'), row(3, 'b')], async (name) => {
      if (name === 'b') {
        reading.resolve()
        await continueReading.promise
      }
      return { type: 'jpg', bytes: Buffer.from(name === 'a' ? 'same' : 'other') }
    })
    await reading.promise
    await ledger.answer(await ledger.send(), { class: 'accepted' })
    await ledger.scan([aReportItem(aRecipient(7))])
    expect(await ledger.ledger.runs.settle()).toHaveLength(1)
    continueReading.resolve()
    await staging
    expect(await storedImages(ledger)).toEqual(['other', 'same'])
  })

  test('of a failed row are replaced by those of a later list and sent by retry; other rows keep theirs', async () => {
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
    await ledger.ledger.decisions.retry({ ids: [rows[0]?.id ?? 0] }, { by: 'Ada', why: 'looked it up in the portal' })
    const sent: (string | null)[] = []
    for (let attempt = 0; attempt < 2; attempt++) {
      const id = (await prepareOne(ledger.ledger, 'spring', 1)) ?? 0
      sent.push(...((await ledger.ledger.attempts.load(id))?.images ?? []))
    }
    expect(sent.toSorted()).toEqual([sha('small'), sha('waits')].toSorted())
  })

  test('limit the size of a batch', async () => {
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
    for (const id of await ledger.ledger.attempts.prepare('spring', 100, { batches: 9 }))
      sizes.push((await ledger.ledger.attempts.load(id))?.recipients.length ?? 0)
    expect(sizes).toEqual([1, 2, 2])
  })
})

describeWithDatabase('a different image of a known person', () => {
  const skipReasons = async ({ ledger }: TestLedger, run: string) => {
    const all: (string | null)[] = []
    await ledger.writeBacks.readRows(
      run,
      ['skipped'],
      async (rows) => void all.push(...rows.map((row) => row.skipReason)),
    )
    return all
  }
  const compared = async ({ ledger }: TestLedger, n: number, image: string) => {
    const row = aStagedRow(2, aRecipient(n), ledger.hasher)
    const imageSha256 = Buffer.from(sha(image), 'hex')
    return ledger.knownRows.compare(aCourse, [
      { issuanceKey: row.issuanceKey as Buffer, recipient: row.recipient ?? {}, imageSha256 },
    ])
  }
  const failRow = async (ledger: TestLedger) => {
    const attempt = await ledger.send()
    await ledger.answer(attempt, { class: 'accepted' })
    await ledger.scan([aReportItem(aRecipient(1), { issued_status: 'Request Failed', credential_id: null })])
    expect(await ledger.states()).toEqual(['failed'])
  }

  test('is reported as a change under the title of its column, and the same image is not', async () => {
    await using ledger = await openTestLedger()
    await publish(ledger, [[1, 'a']], { a: 'one' })
    expect(await compared(ledger, 1, 'two')).toEqual(['changed'])
    expect(await compared(ledger, 1, 'one')).toEqual(['known'])
    const run = await publish(ledger, [[1, 'b']], { b: 'two' })
    expect(await skipReasons(ledger, run)).toEqual([
      'known from row 2 of a.zip, and Photo differs: a correction, which is never issued automatically',
    ])
    expect(await skipReasons(ledger, await publish(ledger, [[1, 'b']], { b: 'one' }))).toEqual([
      expect.stringMatching(/^already known/),
    ])
    const both = await publish(ledger, [[1, 'b', 'Byron']], { b: 'two' })
    expect((await skipReasons(ledger, both))[0]).toContain('Last Name and Photo differ')
  })

  test('is stored with the row while the known row is failed, and is sent with the correction', async () => {
    await using ledger = await openTestLedger()
    await publish(ledger, [[1, 'a']], { a: 'one' })
    await failRow(ledger)
    const run = await publish(ledger, [[1, 'b', 'Byron']], { b: 'two' })
    expect(await storedImages(ledger)).toEqual(['one', 'two'])
    const naming = await ledger.ledger.revocations.namingRow(run, 2, 1)
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
    await expect(ledger.ledger.decisions.correct(1, gone, decision)).rejects.toThrow('its image was deleted')
    expect(await ledger.states()).toEqual(['failed'])
    expect(
      await ledger.ledger.decisions.correct(1, { ...correction, imageSha256: naming?.image ?? null }, decision),
    ).toBe(true)
    const batch = await ledger.ledger.attempts.load((await prepareOne(ledger.ledger, 'spring', 10)) ?? 0)
    expect(batch?.images).toEqual([sha('two')])
    expect(batch?.recipients[0]?.['Last Name']).toBe('Byron')
  })
})
