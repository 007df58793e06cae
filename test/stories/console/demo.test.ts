// The console of the demo, as the README shows it: from the printed link to the run. With CREDSYNC_TEST_PICTURES=docs/images
// it takes the pictures of the README and of docs/console.md anew.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { describeWithBrowser, launchBrowser } from '#test/support/browser.ts'
import { complaintsOf } from '#test/support/console-pages.ts'
import { runProgram } from '#test/support/run-program.ts'
import { until } from '#test/support/until.ts'

const pictures = process.env.CREDSYNC_TEST_PICTURES
/** Enough for the tables, and little enough to be read at the width of a README. */
const width = 1_120

/** Keeps a picture of the page down to a section. */
async function keepPicture(page: Page, name: string, last: string): Promise<void> {
  if (pictures === undefined) return
  const box = await page.getByRole('region', { name: last }).boundingBox()
  const height = (box?.y ?? 0) + (box?.height ?? 0) + 12
  await page.screenshot({ path: join(pictures, `${name}.png`), fullPage: true, clip: { x: 0, y: 0, width, height } })
}

describeWithBrowser('the console of the demo', () => {
  test('is opened by the link, and shows what was issued', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'credsync-demo-console-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    const demo = runProgram(['demo', '--console'], { CREDSYNC_DATA_DIR: folder })
    onTestFinished(async () => {
      demo.kill('SIGKILL')
      await demo.ended
    })
    let output = ''
    demo.child.stderr?.on('data', (chunk: Buffer) => {
      output += chunk
    })
    const link = () => /^ +(http:\/\/127\.0\.0\.1:\d+\/welcome\S+)$/m.exec(output)?.[1]
    await until('the link', () => (link() !== undefined && output.includes('Ctrl-C ends it.')) || output.slice(-200))

    const browser = await launchBrowser()
    onTestFinished(() => browser.close())
    const page = await browser.newPage({ colorScheme: 'light', viewport: { width, height: 600 } })
    const complaints = complaintsOf(page)
    await page.goto(link() ?? '')
    await page.getByLabel('New password').fill('twelve bicycles and a kite')
    await page.getByLabel('Repeat the password').fill('twelve bicycles and a kite')
    await page.getByRole('button', { name: 'Set the password and sign in' }).click()
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    await page.evaluate('document.activeElement.blur()')
    expect(await page.getByRole('main').textContent()).toMatch(/14 rows of spring-cohort\.csv need attention/)
    await keepPicture(page, 'console-overview', 'The last list of each pipeline')

    await page.getByRole('link', { name: 'spring-cohort.csv', exact: true }).click()
    await page.locator('.sum').waitFor()
    expect(await page.locator('.sum').textContent()).toMatch(/500\s*rows/)
    await keepPicture(page, 'console-run', 'Invalid rows')
    expect(complaints).toEqual([])

    demo.kill('SIGINT')
    expect(await demo.ended).toMatchObject({ code: 0 })
  })
})
