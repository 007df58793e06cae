// Debian's Chromium, driven by playwright-core. A machine without it skips these tests, and fails them if CI is set.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import axe from 'axe-core'
import { type Browser, chromium, type Page } from 'playwright-core'
import { describeWithDatabase } from './database.ts'
import { reportMissingServer } from './describe-with-redis.ts'

const executablePath = process.env.CREDSYNC_TEST_CHROMIUM ?? '/usr/bin/chromium'

/** Runs the suite if there are a browser and a database. */
export function describeWithBrowser(name: string, suite: () => void): void {
  if (existsSync(executablePath)) describeWithDatabase(name, suite)
  else reportMissingServer(name, 'Chromium', 'CREDSYNC_TEST_CHROMIUM')
}

export function launchBrowser(): Promise<Browser> {
  // Its sandbox needs privileges that containers do not have, and does not run as root.
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] })
}

/** A folder for pictures of each page, to be looked at. */
const pictures = process.env.CREDSYNC_TEST_PICTURES

export async function keepPicture(page: Page, name: string): Promise<void> {
  if (pictures === undefined) return
  await page.screenshot({ path: join(pictures, `${name.replace(/[^a-z]+/g, '-')}.png`), fullPage: true })
}

/** The rules of WCAG 2.2, levels A and AA, and what is good practice beside them. */
const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** Returns what keeps people from using the page: the rule and the elements. */
export async function barriersOf(page: Page, rules: string[] = []): Promise<string[]> {
  // The debugger runs it, because the page allows no script but its own.
  if (await page.evaluate('!globalThis.axe')) await page.evaluate(axe.source)
  const runOnly: axe.RunOnly = rules.length > 0 ? { type: 'rule', values: rules } : { type: 'tag', values: tags }
  return page.evaluate(async (runOnly) => {
    const found = await (globalThis as unknown as { axe: typeof axe }).axe.run({ runOnly })
    return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 150)).join(' | ')}`)
  }, runOnly)
}

const narrow = { width: 320, height: 640 }

/** Returns the page's barriers: every rule in light colors, then what may differ in dark colors and on a phone. */
export async function barriersInAllLooks(page: Page, name: string): Promise<string[]> {
  const usual = page.viewportSize() ?? { width: 1280, height: 720 }
  await keepPicture(page, `${name} light`)
  const inLight = await barriersOf(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  await keepPicture(page, `${name} dark`)
  const inDark = await barriersOf(page, ['color-contrast'])
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize(narrow)
  await keepPicture(page, `${name} narrow`)
  const onPhone = await barriersOf(page, ['target-size'])
  const width = await page.evaluate('document.documentElement.scrollWidth')
  await page.setViewportSize(usual)
  return [
    ...inLight,
    ...inDark.map((barrier) => `in dark colors: ${barrier}`),
    ...onPhone.map((barrier) => `on a phone: ${barrier}`),
    ...(width === narrow.width ? [] : [`${width} pixels wide on a phone`]),
  ]
}
