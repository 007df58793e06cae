// Pages of a console in a browser: signed in, and watched for complaints.

import type { Browser, Page } from 'playwright-core'
import { invitePerson } from '#src/extensions/console/sign-in/invite-person.ts'
import type { ConsoleWorld } from './console-world.ts'

/** What the browser complained about, such as a script or style that the page does not allow. */
export function complaintsOf(page: Page): string[] {
  const complaints: string[] = []
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(String(error)))
  return complaints
}

export const addressOf = ({ port }: ConsoleWorld, path: string): string => `http://127.0.0.1:${port}${path}`

/** The address of a link by which an operator sets a password. */
export async function inviteOperator(console: ConsoleWorld, name: string): Promise<string> {
  return addressOf(console, await invitePerson(console.world.app, { name, role: 'operator', pipelines: null }, 'test'))
}

/** A page whose visitor has signed in as an operator. */
export async function signedInPage(
  console: ConsoleWorld,
  browser: Browser,
  options: Parameters<Browser['newContext']>[0] = {},
): Promise<Page> {
  const context = await browser.newContext(options)
  const [name = '', value = ''] = (await console.signedIn('operator', { name: 'someone' })).split('=')
  await context.addCookies([{ name, value, url: addressOf(console, '/') }])
  return context.newPage()
}
