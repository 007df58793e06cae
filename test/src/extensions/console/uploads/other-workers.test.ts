// A console in a process of its own: a list is issued with the settings of the workers, and by those who can read it.

import { hostname } from 'node:os'
import { expect, test } from 'vitest'
import { startWorker } from '#jobs/worker.ts'
import { registeredWorkers } from '#src/ledger/workers/worker-registration.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { join } from '#test/support/join-worker.ts'
import { openRehearsed } from '#test/support/rehearsed-list.ts'

describeWithDatabase('a list that workers in other processes would read', () => {
  test('is issued only if all of them have the settings with which it was rehearsed', async () => {
    await using list = await openRehearsed()
    const { app } = list
    const open = { url: list.console.world.databaseUrl, database: app.database }
    const own = { configuration: app.settingsHash, host: hostname() }
    // The console itself, which started first, and a worker that agrees.
    await using _console = await join(open, '1', { ...own, work: ['console'] })
    await using _same = await join(open, '2', { ...own, work: ['intake', 'issue'] })
    const sentence = 'A worker has other settings than this console (host there, process 3, since'
    for (const work of [['intake'], ['issue'], null]) {
      await using _other = await join(open, '3', { host: 'there', work })
      expect((await list.show()).text).toContain(sentence)
      const refused = await list.issue()
      expect([refused.status, refused.text, await list.runs()]).toEqual([409, expect.stringContaining(sentence), []])
    }
    // What does not touch the list may have others.
    await using _archive = await join(open, '4', { host: 'there', work: ['archive', 'web'] })
    expect((await list.show()).text).not.toContain(sentence)
    expect((await list.issue()).headers.location).toBe(`/runs/${(await list.runs())[0]?.id}`)
  })

  test('waits if only the console runs, and the pages say so', async () => {
    await using list = await openRehearsed()
    const open = { url: list.console.world.databaseUrl, database: list.app.database }
    await using _console = await join(open, '1', { host: hostname(), work: ['web', 'console'] })
    expect((await list.show()).text).toContain('No worker that reads lists is running.')
    const overview = async () => (await list.console.ask('/', { cookie: list.cookie })).text
    expect(await overview()).toContain('No worker is running')
    await using _elsewhere = await join(open, '2', {
      host: 'there',
      work: ['intake'],
      configuration: list.app.settingsHash,
    })
    expect((await list.show()).text).toContain('No worker on this machine reads lists. One on another machine (there)')
    expect(await overview()).not.toContain('No worker is running')
    await using _here = await join(open, '3', {
      host: hostname(),
      work: ['intake'],
      configuration: list.app.settingsHash,
    })
    expect((await list.show()).text).not.toMatch(/reads lists/)
  })
  test('is known to wait for one if `start --only console` alone was started', async () => {
    await using list = await openRehearsed()
    await using _console = await startWorker(list.app, ['web', 'console'])
    expect(await registeredWorkers(list.app.database)).toMatchObject([{ work: ['web', 'console'] }])
    expect((await list.show()).text).toContain('No worker that reads lists is running.')
  })
})
