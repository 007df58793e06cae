// A list that is issued while something fails: whether it was issued, and by whom, is one thing in the ledger, and every
// page says what is true.

import { stat, writeFile } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { removeOldUploads, uploadMs } from '#src/extensions/console/uploads/remove-old-uploads.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { openRecordedLog } from '#test/support/recorded-log.ts'
import { openRehearsed } from '#test/support/rehearsed-list.ts'
import { describeWithSmallDisk } from '#test/support/small-disk.ts'

describeWithDatabase('a list that is issued', () => {
  test('has no run without an issuer', async () => {
    await using list = await openRehearsed()
    await list.app.database.query(
      `CREATE FUNCTION credsync.fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no'; END $$;
       CREATE TRIGGER fails BEFORE INSERT ON credsync.console_act FOR EACH ROW WHEN (NEW.act = 'issued a list') EXECUTE FUNCTION credsync.fail()`,
    )
    expect((await list.issue()).status).toBe(503)
    expect(await list.runs()).toEqual([])
    expect((await list.show()).text).toContain('Issue 3 credentials')
    await list.app.database.query('DROP TRIGGER fails ON credsync.console_act')
    const { headers } = await list.issue()
    const [run, ...others] = await list.runs()
    expect([headers.location, others]).toEqual([`/runs/${run?.id}`, []])
    expect(await list.issuers()).toEqual([{ by: 'registrar', run: run?.id, why: null }])
  })

  test('is known as issued after a kill that came right after its run', async () => {
    await using list = await openRehearsed()
    const { ledger } = list.app
    const { pipeline, name: sourceName, sha256: sourceSha256 } = list.upload
    const source = { pipeline, sourceName, sourcePath: list.uploads.pathOf(list.upload), sourceSha256 }
    const receive = () => ledger.issuedLists.receive(source, { upload: list.id, by: 'ada' }, list.console.now())
    const { run } = await receive()
    expect(await receive()).toMatchObject({ run: { id: run.id }, resumed: true })

    for (const answer of [
      await list.issue(),
      await list.show(),
      await list.act('rehearse').then(list.show),
      await list.act('discard'),
    ])
      expect(answer.headers.location).toBe(`/runs/${run.id}`)
    expect(await list.uploads.rehearsalOf(list.id)).toMatchObject({ kind: 'finished' })
    await removeOldUploads(list.app, list.uploads, new Date(list.console.now().getTime() + 9 * uploadMs))
    expect((await stat(list.uploads.pathOf(list.upload))).size).toBe(list.upload.bytes)
    expect(await list.uploads.rehearsalOf(list.id)).toBeNull()
    expect(await list.runs()).toHaveLength(1)
    expect(await list.issuers()).toEqual([{ by: 'ada', run: run.id, why: null }])
  })

  test('leads to its run if the answer of the database is lost', async () => {
    const log = openRecordedLog()
    await using list = await openRehearsed({ log, databaseProxy: losingTheAnswer })
    const { headers } = await list.issue()
    const [run] = await list.runs()
    expect(headers.location).toBe(`/runs/${run?.id}`)
    expect(log.fieldsOf('fault')).toEqual([{ where: 'uploads', error: expect.any(String) }])
    expect(await list.issuers()).toEqual([{ by: 'registrar', run: run?.id, why: null }])
  })

  describeWithSmallDisk('on a disk that is full', () => {
    test('leads to its run', async () => {
      await using list = await openRehearsed({ disk: true })
      const fill = async () => {
        for (let at = 0; at < 20; at++) await writeFile(join(list.console.world.folder, 'uploads', `${at}`), '')
      }
      await expect(fill()).rejects.toThrow('ENOSPC')
      const { headers } = await list.issue()
      const [run] = await list.runs()
      expect(headers.location).toBe(`/runs/${run?.id}`)
      expect(await list.issuers()).toEqual([{ by: 'registrar', run: run?.id, why: null }])
      expect((await list.show()).headers.location).toBe(`/runs/${run?.id}`)
    })
  })
})

/** A proxy to the database, which loses the answer to the statement that ends the transaction in which a list is issued. */
async function losingTheAnswer(url: string): Promise<string> {
  const target = new URL(url)
  const server = createServer((client) => {
    const database = connect(Number(target.port), target.hostname)
    let [issues, ends] = [false, false]
    client.on('data', (bytes) => {
      const text = bytes.toString('latin1')
      issues ||= text.includes('INSERT INTO console_act') && text.includes('issued a list')
      ends ||= issues && text.includes('COMMIT')
      database.write(bytes)
    })
    database.on('data', (bytes) => (ends ? client.destroy() : client.write(bytes)))
    for (const [one, other] of [
      [client, database],
      [database, client],
    ] as const)
      one.on('error', () => {}).on('close', () => other.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const through = new URL(url)
  through.hostname = '127.0.0.1'
  through.port = String((server.address() as { port: number }).port)
  return through.href
}
