// A list in a real browser: uploaded, rehearsed, issued, watched and downloaded; with and without JavaScript, by the
// keyboard, on a narrow page, without barriers.

import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { startWorker, type Worker } from '#jobs/worker.ts'
import { openUploads } from '#src/extensions/console/uploads/open-uploads.ts'
import { barriersInAllLooks, describeWithBrowser, launchBrowser } from '#test/support/browser.ts'
import { addressOf, complaintsOf } from '#test/support/console-pages.ts'
import { type ConsoleWorld, openConsoleWorld } from '#test/support/console-world.ts'
import { until } from '#test/support/until.ts'
import { peopleCsv } from '#test/support/world.ts'

describeWithBrowser('a list in a browser', () => {
  let console: ConsoleWorld
  let worker: Worker | null
  let browser: Browser

  beforeAll(async () => {
    console = await openConsoleWorld({
      console: { timeZone: 'Europe/Berlin' },
      morePipelines: (first) => ({ autumn: { ...first, brake: { rows: 10 } } }),
    })
    worker = await startWorker(console.world.app)
    browser = await launchBrowser()
  })
  // An open page keeps asking for what has changed, and would keep the focus that the keyboard needs.
  afterEach(() => Promise.all(browser.contexts().map((context) => context.close())))
  afterAll(async () => {
    await browser.close()
    await worker?.stop()
    await console[Symbol.asyncDispose]()
  })

  const address = (path: string) => addressOf(console, path)

  async function contextOf(
    role: 'registrar' | 'operator',
    options: Parameters<Browser['newContext']>[0] = {},
  ): Promise<BrowserContext> {
    const context = await browser.newContext(options)
    const [name = '', value = ''] = (await console.signedIn(role, { name: 'grace' })).split('=')
    await context.addCookies([{ name, value, url: address('/') }])
    return context
  }

  async function fileWith(name: string, content: string): Promise<string> {
    const path = join(console.world.folder, name)
    await writeFile(path, content)
    return path
  }

  /** Waits for the rehearsal, as a person does for whom the page does not do so. */
  async function rehearsed(page: Page, byHand: boolean): Promise<void> {
    const outcome = page.getByRole('heading', { name: 'What it would do' })
    await until('the rehearsal', async () => {
      if ((await outcome.count()) === 1) return true
      if (byHand) await page.getByRole('link', { name: 'Refresh' }).click()
      return false
    })
  }

  async function walk(context: BrowserContext, from: number, { byHand = false } = {}): Promise<void> {
    const page = await context.newPage()
    const complaints = complaintsOf(page)
    await page.goto(address('/'))
    await page.getByRole('link', { name: 'Upload', exact: true }).click()
    await page
      .getByLabel('File')
      .setInputFiles(await fileWith(`spring-${from}.csv`, `${peopleCsv(30, from)}nobody,Cy,Invalid\n`))
    await page.getByRole('button', { name: 'Upload and rehearse' }).click()
    await page.getByRole('heading', { name: `spring-${from}.csv` }).waitFor()
    await rehearsed(page, byHand)
    expect(await page.locator('.sum').textContent()).toMatch(/31\s*rows\s*=\s*30\s*new[\s\S]*\+\s*1\s*invalid/)
    const first = page.getByRole('table', { name: 'The first people' })
    expect(await first.textContent()).not.toContain(`person.${from}@example.org`)
    await page.getByRole('button', { name: 'Show them unmasked' }).click()
    await page.getByText('Your access is recorded in the log').waitFor()
    expect(await first.textContent()).toContain(`person.${from}@example.org`)

    await page.getByRole('button', { name: `Issue 30 credentials` }).click()
    await page.waitForURL(/\/runs\//)
    const issued = page.getByRole('row', { name: /^issued 30/ })
    await until(
      'every credential to be issued',
      async () => {
        if (byHand) await page.reload()
        return (await issued.count()) === 1
      },
      { everyMs: 200 },
    )
    await page.reload()
    const download = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Results', exact: true }).click()
    const file = await readFile(await (await download).path(), 'utf8')
    expect(file.split('\n').filter((line) => line.includes(',issued,'))).toHaveLength(30)
    expect(complaints).toEqual([])
  }

  test('is uploaded, rehearsed, issued, watched and downloaded', async () => {
    await walk(await contextOf('registrar'), 100)
  })

  test('is uploaded, rehearsed, issued, watched and downloaded without JavaScript', async () => {
    await walk(await contextOf('registrar', { javaScriptEnabled: false }), 200, { byHand: true })
  })

  test('is uploaded and issued by the keyboard alone', async () => {
    const page = await (await contextOf('registrar')).newPage()
    const files = await fileWith('keys.csv', peopleCsv(2, 300))
    let chosen = false
    // The dialog of the system is no part of the page. It is caught from the start, because on a busy machine the
    // browser may begin to catch dialogs only after it has opened one.
    page.on('filechooser', async (chooser) => {
      await chooser.setFiles(files)
      chosen = true
    })
    await page.goto(address('/upload'))
    const focus = () => page.evaluate('document.activeElement.id || document.activeElement.textContent')
    const tabTo = async (name: string) => {
      for (let at = 0; at < 40 && (await focus()) !== name; at++) await page.keyboard.press('Tab')
      expect(await focus()).toBe(name)
    }
    await tabTo('list')
    await page.keyboard.press('Enter')
    await until('the file to be chosen', () => chosen, { ms: 60_000 })
    await tabTo('Upload and rehearse')
    await page.keyboard.press('Enter')
    await rehearsed(page, false)
    await tabTo('Issue 2 credentials')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/runs\//)
  })

  test('waits on the page of lists while its tab is closed', async () => {
    const context = await contextOf('registrar')
    const page = await context.newPage()
    await page.goto(address('/upload'))
    await page.getByLabel('File').setInputFiles(await fileWith('closed.csv', peopleCsv(3, 400)))
    await page.getByRole('button', { name: 'Upload and rehearse' }).click()
    await page.getByRole('heading', { name: 'closed.csv' }).waitFor()
    await page.close()
    const next = await context.newPage()
    await next.goto(address('/upload'))
    await next.getByRole('link', { name: 'closed.csv' }).click()
    await rehearsed(next, true)
    await next.getByRole('button', { name: 'Discard this list' }).click()
    await next.getByRole('heading', { name: 'Upload', level: 1 }).waitFor()
    expect(await next.getByRole('link', { name: 'closed.csv' }).count()).toBe(0)
  })

  /** Lists in every state: rehearsed, held by the brake, unreadable, failed, under way, and one that somebody changed. */
  async function everyState(): Promise<[string, string][]> {
    const cookie = await console.signedIn('operator', { name: 'ada' })
    const uploads = openUploads(console.world.settings.dataDir)
    const header = 'e_mail,First Name,Last Name,Shoe size,A very long title of a column that nobody needs'
    const rows = Array.from({ length: 40 }, (_, n) => `p.${n}@example.org,Ada${n},Lovelace,${n},x`)
    const contents: [string, string, string][] = [
      [
        'rehearsed',
        'spring',
        `${peopleCsv(5, 100)}${peopleCsv(20, 500).split('\n').slice(1).join('\n')}nobody,Cy,Invalid\n,,\nx@example.org,,Anonymous\n`,
      ],
      ['braked', 'autumn', [header, ...rows, ''].join('\n')],
      ['unreadable', 'spring', 'colour,size\nred,2\n'],
      ['failed', 'spring', peopleCsv(1, 600)],
      ['under-way', 'spring', peopleCsv(1, 601)],
    ]
    const found: [string, string][] = []
    for (const [name, pipeline, content] of contents) {
      const upload = { fields: { pipeline }, file: { name: `${name}.csv`, content } }
      const path = String((await console.ask('/upload', { cookie, upload })).headers.location)
      const id = path.replace('/upload/', '')
      await until(
        'the rehearsal',
        async () => ![undefined, 'under way'].includes((await uploads.rehearsalOf(id))?.kind),
      )
      const sentence = 'The service did not answer within 30 s. Try again.'
      if (name === 'failed') await uploads.keepRehearsal(id, { kind: 'failed', sentence })
      if (name === 'under-way') await uploads.keepRehearsal(id, { kind: 'under way', tries: 1, because: [] })
      const rehearsal = await uploads.rehearsalOf(id)
      const because = ['Other rows of this course have come into the ledger.']
      if (name === 'braked' && rehearsal?.kind === 'finished')
        await uploads.keepRehearsal(id, { ...rehearsal, because })
      found.push([name, path])
    }
    return [...found, ['lists', '/upload'], ['elsewhere', '/upload/00000000-0000-4000-8000-000000000000']]
  }

  test('has no barrier in any state, in light and dark colors and on a phone', async () => {
    const pages = await everyState()
    const context = await contextOf('operator')
    // A page each: what is under way reloads itself, which would abort going to the next.
    for (const [name, path] of pages) {
      const each = await context.newPage()
      const complaints = complaintsOf(each)
      await each.goto(address(path))
      expect(await barriersInAllLooks(each, `upload ${name}`), name).toEqual([])
      expect(complaints.filter((text) => !text.includes('404'))).toEqual([])
      await each.close()
    }
    const page = await context.newPage()
    const complaints = complaintsOf(page)
    await page.goto(address(pages[0]?.[1] ?? ''))
    await page.getByRole('button', { name: 'Show them unmasked' }).click()
    await page.getByText('Your access is recorded in the log').waitFor()
    expect(await barriersInAllLooks(page, 'upload unmasked')).toEqual([])
    expect(complaints.filter((text) => !text.includes('404'))).toEqual([])
  })
})
