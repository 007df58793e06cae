// The pages of decisions in a real browser: without barriers, on a narrow page, and with no form in a part that changes.

import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { barriersInAllLooks, describeWithBrowser, launchBrowser } from '#test/support/browser.ts'
import { addressOf, complaintsOf, signedInPage } from '#test/support/console-pages.ts'
import { type Hand, handOf } from '#test/support/hand.ts'
import { type ListsToDecide, openListsToDecide } from './lists-to-decide.ts'

describeWithBrowser('the pages of decisions', () => {
  let lists: ListsToDecide
  let browser: Browser

  beforeAll(async () => {
    lists = await openListsToDecide()
    browser = await launchBrowser()
  })
  afterAll(async () => {
    await browser.close()
    await lists[Symbol.asyncDispose]()
  })

  const brakedId = (name: string) => lists.braked.get(name) ?? ''

  /** The pages with their addresses; those that a form leads to, by what is filled into it. */
  async function decisionPages(): Promise<[path: string, form?: (hand: Hand) => Promise<void>][]> {
    const [held, failed, issued] = [
      await lists.idOf('hold.plain.1@example.org'),
      await lists.idOf('fail.plain@example.org'),
      await lists.idOf('person.1@example.org'),
    ]
    const right = brakedId('right.plain.csv')
    const [change] = await lists.console.world.app.ledger.revocations.waitingChanges()
    return [
      [`/runs/${right}`],
      [`/runs/${right}/approve`],
      [`/runs/${right}/reject`],
      [`/runs/${lists.run}/retry`],
      [`/people/${failed}`],
      [`/people/${failed}/retry`],
      ['/held'],
      [`/held/${held}`],
      [`/held/${held}`, (hand) => hand.press('Decide')],
      [`/held/${issued}`],
      ['/corrections'],
      [`/people/i${change?.issuanceId}/correct?from=${change?.run}:${change?.row}`],
      [`/people/${issued}`],
      [`/people/${issued}/revoke`],
      [`/people/${issued}/correct`],
      [`/people/${issued}/correct`, (hand) => hand.press('Show the difference')],
      [
        `/people/${issued}/correct`,
        async (hand) => {
          await hand.fill('Last Name', 'Byron')
          await hand.press('Show the difference')
        },
      ],
    ]
  }

  test('have no barrier, in light and dark colors and on a phone', async () => {
    const page = await signedInPage(lists.console, browser, { viewport: { width: 1200, height: 900 } })
    const complaints = complaintsOf(page)
    const hand = handOf(page)
    for (const [at, [path, form]] of (await decisionPages()).entries()) {
      await page.goto(addressOf(lists.console, path))
      if (form) {
        // Otherwise the browser keeps an empty form to itself.
        await page.evaluate('for (const form of document.forms) form.noValidate = true')
        await form(hand)
      }
      const letter = String.fromCharCode(97 + at)
      const name = `deciding ${letter} ${path.replace(/[0-9a-f-]{36}/g, '').replace(/\bi\d+/g, '')}`
      expect(await barriersInAllLooks(page, name), name).toEqual([])
    }
    expect(complaints.filter((text) => !/40[49]|422/.test(text))).toEqual([])
  })

  test('are in no part of a page that replaces itself', async () => {
    const page = await signedInPage(lists.console, browser)
    for (const path of ['/', `/runs/${brakedId('right.plain.csv')}`, `/runs/${lists.run}`, '/held']) {
      await page.goto(addressOf(lists.console, path))
      expect(await page.locator('[data-live] form, [data-live] button').count(), path).toBe(0)
    }
    for (const path of ['/overview', `/runs/${lists.run}/progress`]) {
      const answer = await page.request.get(addressOf(lists.console, path))
      expect(await answer.text()).not.toMatch(/<form|<button|<input/)
    }
  })
})
