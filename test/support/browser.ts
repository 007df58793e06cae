// Debian's Chromium, driven by playwright-core. A machine without it skips these tests, and fails them if CI is set.

import { existsSync } from 'node:fs'
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

/** The rules of WCAG 2.2, levels A and AA, and what is good practice beside them. */
const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** Returns what keeps people from using the page: the rule and the elements. */
export async function barriersOf(page: Page): Promise<string[]> {
  // The debugger runs it, because the page allows no script but its own.
  await page.evaluate(axe.source)
  return page.evaluate(async (values) => {
    const found = await (globalThis as unknown as { axe: typeof axe }).axe.run({ runOnly: { type: 'tag', values } })
    return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 150)).join(' | ')}`)
  }, tags)
}
