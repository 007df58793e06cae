// The console in a real browser: from the first sign-in to the results of a list, with and without JavaScript, on a narrow
// page, without barriers, and under a path behind a reverse proxy.

import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { startWorker, type Worker } from '#jobs/worker.ts'
import { invitePerson } from '#src/extensions/console/sign-in/invite-person.ts'
import { hashFile } from '#src/files/tables/hash-file.ts'
import { barriersInAllLooks, describeWithBrowser, launchBrowser } from '#test/support/browser.ts'
import { addressOf, complaintsOf, inviteOperator, signedInPage } from '#test/support/console-pages.ts'
import { type ConsoleWorld, openConsoleWorld } from '#test/support/console-world.ts'
import { until } from '#test/support/until.ts'
import { peopleCsv } from '#test/support/world.ts'

const password = 'twelve bicycles and a kite'

describeWithBrowser('the console in a browser', () => {
  let console: ConsoleWorld
  let worker: Worker | null
  let browser: Browser
  let run: string
  let braked: string

  beforeAll(async () => {
    console = await openConsoleWorld({
      console: { timeZone: 'Europe/Berlin' },
      morePipelines: (first) => ({
        autumn: { ...first, brake: { rows: 10 }, expect: { by: '06:00', days: 'mon-fri' } },
      }),
    })
    worker = await startWorker(console.world.app)
    browser = await launchBrowser()
    const special = ['reject.me@example.org,Ann,Reject', 'hold.me@example.org,Bob,Hold', 'nobody,Cy,Invalid', '']
    run = await console.world.receive('spring.csv', `${peopleCsv(30)}${special.join('\n')}`)
    await console.world.app.queues.enqueue('intake', { runId: run })
    const { ledger } = console.world.app
    await until('every row to rest', async () => (await ledger.runs.find(run))?.settledAt !== null, { everyMs: 200 })
    await handIn('unreadable.csv', 'spring', 'a,a\n"')
    braked = await handIn('autumn.csv', 'autumn', peopleCsv(40, 500))
    const state = async (id: string) => (await ledger.runs.find(id))?.state
    await until('the brake to hold it', async () => (await state(braked)) === 'braked')
  })
  // An open page keeps asking for what has changed.
  afterEach(() => Promise.all(browser.contexts().map((context) => context.close())))
  afterAll(async () => {
    await browser.close()
    await worker?.stop()
    await console[Symbol.asyncDispose]()
  })

  async function handIn(name: string, pipeline: string, text: string): Promise<string> {
    const path = join(console.world.folder, name)
    await writeFile(path, text)
    const source = { pipeline, sourceName: name, sourcePath: path, sourceSha256: await hashFile(path) }
    const received = await console.world.app.ledger.runs.receive(source)
    await console.world.app.queues.enqueue('intake', { runId: received.run.id })
    return received.run.id
  }

  const address = (path: string) => addressOf(console, path)
  const invited = (name: string) => inviteOperator(console, name)

  async function setPassword(page: Page, link: string): Promise<void> {
    await page.goto(link)
    await page.getByLabel('New password').fill(password)
    await page.getByLabel('Repeat the password').fill(password)
    await page.getByRole('button', { name: 'Set the password and sign in' }).click()
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
  }

  async function walk(context: BrowserContext, name: string): Promise<void> {
    const page = await context.newPage()
    const complaints = complaintsOf(page)
    await setPassword(page, await invited(name))
    await page.getByRole('link', { name: 'Runs', exact: true }).click()
    await page.getByRole('link', { name: 'spring.csv' }).click()
    expect(await page.locator('.sum').textContent()).toMatch(
      /33\s*rows\s*=\s*32\s*accepted[\s\S]*\+\s*1\s*invalid[\s\S]*\+\s*0\s*skipped/,
    )
    expect(await page.getByRole('table', { name: 'States of' }).textContent()).toMatch(/issued\s*30/)
    const download = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Results', exact: true }).click()
    const file = await readFile(await (await download).path(), 'utf8')
    expect(file.split('\n').filter((line) => line.includes(',issued,'))).toHaveLength(30)

    await page.getByRole('link', { name: 'People', exact: true }).click()
    await page.getByLabel('Who').fill('person.7@example.org')
    await page.getByRole('button', { name: 'Search' }).click()
    await page.getByRole('heading', { name: 'Ada7 Lovelace' }).waitFor()
    expect(await page.locator('.timeline').textContent()).toContain('issued')
    expect(await page.locator('time').first().getAttribute('title')).toMatch(/UTC$/)

    await page.getByRole('link', { name: 'Held', exact: true }).click()
    expect(await page.getByRole('main').textContent()).toContain('Decide')
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await page.goBack()
    await page.reload()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    expect(complaints).toEqual([])
  }

  test('is walked from the link to the results and out again', async () => {
    await walk(await browser.newContext(), 'ada')
  })

  test('is walked without JavaScript', async () => {
    await walk(await browser.newContext({ javaScriptEnabled: false }), 'grace')
  })

  test('is used by the keyboard alone', async () => {
    const page = await (await browser.newContext()).newPage()
    await page.goto(await invited('joan'))
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key)
    }
    await press('Tab')
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to the content')
    await press('Enter', 'Tab')
    await page.keyboard.type(password)
    await press('Tab')
    await page.keyboard.type(password)
    await press('Enter')
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    await press('Tab', 'Enter', 'Tab')
    expect(await page.evaluate('document.activeElement.tagName')).toBe('A')
  })

  test('shows what a run becomes while the page is open', async () => {
    const page = await signedInPage(console, browser)
    const later = await console.world.receive('later.csv', peopleCsv(20, 100))
    await page.goto(address(`/runs/${later}`))
    await page.clock.install()
    await console.world.app.queues.enqueue('intake', { runId: later })
    const issued = page.getByRole('row', { name: /^issued 20/ })
    await until('the page to show it', async () => {
      await page.clock.runFor(3_000)
      return (await issued.count()) === 1
    })
    // It will not change any more, so nothing is asked for again.
    const asked: string[] = []
    page.on('request', (each) => asked.push(each.url()))
    await page.clock.runFor(30_000)
    expect(asked).toEqual([])
  })

  const everyPage = () => [
    '/',
    '/runs',
    '/runs?state=refused',
    `/runs/${run}`,
    `/runs/${braked}`,
    '/people',
    '/people/i1',
    '/held',
    '/log',
    '/account',
    '/nothing',
  ]

  test('has no barrier on any page, in light and dark colors and on a phone, and fits on paper', async () => {
    const page = await signedInPage(console, browser)
    const complaints = complaintsOf(page)
    const link = await invited('margaret')
    for (const path of everyPage()) {
      await page.goto(address(path))
      expect(await barriersInAllLooks(page, path), path).toEqual([])
    }
    expect(complaints.filter((text) => !text.includes('404'))).toEqual([])
    const stranger = await (await browser.newContext()).newPage()
    for (const url of [link, address('/welcome?link=over'), address('/sign-in')]) {
      await stranger.goto(url)
      expect(await barriersInAllLooks(stranger, 'sign-in'), url).toEqual([])
    }
    await stranger.getByLabel('Name').fill('nobody')
    await stranger.getByLabel('Password').fill('wrong')
    await stranger.getByRole('button', { name: 'Sign in' }).click()
    await stranger.getByRole('alert').waitFor()
    expect(await barriersInAllLooks(stranger, 'refused')).toEqual([])
    await page.goto(address(`/runs/${run}`))
    await page.emulateMedia({ media: 'print' })
    expect(await page.getByRole('navigation').isVisible()).toBe(false)
    expect(await page.locator('.sum').isVisible()).toBe(true)
  })

  test('works under a path behind a reverse proxy', async () => {
    let port = 0
    const proxy = createServer((incoming, outgoing) => {
      const path = incoming.url?.replace(/^\/credsync/, '') || '/'
      const { method, headers } = incoming
      incoming.pipe(
        request({ host: '127.0.0.1', port, path, method, headers }, (answer) => {
          outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
          answer.pipe(outgoing)
        }),
      )
    }).listen(0, '127.0.0.1')
    await once(proxy, 'listening')
    const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/credsync`
    await using behind = await openConsoleWorld({ console: { url } })
    port = behind.port
    const page = await (await browser.newContext()).newPage()
    const complaints = complaintsOf(page)
    await setPassword(
      page,
      `${url}${await invitePerson(behind.world.app, { name: 'ada', role: 'operator', pipelines: null }, 'test')}`,
    )
    for (const name of ['Runs', 'Upload', 'People', 'Held', 'Log', 'Overview']) {
      await page.getByRole('link', { name, exact: true }).click()
      await page.getByRole('heading', { name, level: 1 }).waitFor()
      expect(page.url().startsWith(url)).toBe(true)
    }
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    expect(complaints).toEqual([])
    proxy.closeAllConnections()
    proxy.close()
  })
})
