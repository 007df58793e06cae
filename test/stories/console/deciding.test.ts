// Decisions in a real browser, with a worker that carries them out: each journey without JavaScript, and by the
// keyboard alone.

import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { describeWithBrowser, keepPicture, launchBrowser } from '#test/support/browser.ts'
import { addressOf, signedInPage } from '#test/support/console-pages.ts'
import { type Hand, handOf } from '#test/support/hand.ts'
import { until } from '#test/support/until.ts'
import { type ListsToDecide, openListsToDecide, type Way, ways } from './lists-to-decide.ts'

describeWithBrowser('a person can', () => {
  let lists: ListsToDecide
  let browser: Browser

  beforeAll(async () => {
    lists = await openListsToDecide()
    browser = await launchBrowser()
  })
  // An open page keeps asking for what has changed.
  afterEach(() => Promise.all(browser.contexts().map((context) => context.close())))
  afterAll(async () => {
    await browser.close()
    await lists[Symbol.asyncDispose]()
  })

  const brakedId = (name: string) => lists.braked.get(name) ?? ''

  async function journeyPage(way: Way): Promise<{ page: Page; hand: Hand }> {
    const page = await signedInPage(lists.console, browser, { javaScriptEnabled: way !== 'plain' })
    await page.goto(addressOf(lists.console, '/'))
    return { page, hand: handOf(page, way === 'keyboard') }
  }

  const messageOn = (page: Page) => page.getByRole('status').filter({ hasText: /\w/ }).first().textContent()

  /** Waits until the issuance has this state, which its page then shows. */
  async function untilState(page: Page, id: string, state: string): Promise<void> {
    const { issuances } = lists.console.world.app.ledger
    await until(`the state ${state}`, async () => {
      const [found] = await issuances.explain({ id: Number(id.slice(1)) })
      return found?.state === state || `${found?.state}`
    })
    await page.reload()
    expect(await page.locator('.lead .label').first().textContent()).toBe(state)
  }

  async function find(hand: Hand, who: string): Promise<void> {
    await hand.follow('People')
    await hand.fill('Who', who)
    await hand.press('Search')
  }

  test.each(ways)('approve a braked run, which is then issued: %s', async (way) => {
    const { page, hand } = await journeyPage(way)
    await hand.follow(`The brake holds right.${way}.csv`)
    await hand.follow('Approve it')
    await hand.fill('Reason', 'a second cohort')
    await hand.press('Approve and issue')
    await keepPicture(page, `deciding approved ${way}`)
    expect(await messageOn(page)).toContain(
      'is approved. A worker reads it again and issues it, regardless of its size.',
    )
    const { ledger } = lists.console.world.app
    const id = brakedId(`right.${way}.csv`)
    await until('it to be issued', async () => (await ledger.runs.withStates(id))?.states.issued === 6)
    await page.reload()
    expect(await page.getByRole('main').textContent()).toContain('someone: a second cohort')
  })

  test.each(ways)('reject a braked run, of which nothing is issued: %s', async (way) => {
    const { page, hand } = await journeyPage(way)
    await hand.follow(`The brake holds wrong.${way}.csv`)
    await hand.follow('Reject it')
    await hand.fill('Reason', 'the wrong export')
    await hand.press('Reject and issue nothing')
    expect(await messageOn(page)).toContain('is rejected: none of it is issued.')
    expect(await page.getByRole('main').textContent()).toContain('rejected by someone: the wrong export')
  })

  test.each(ways)('resolve a held row: %s', async (way) => {
    const { page, hand } = await journeyPage(way)
    const first = await lists.idOf(`hold.${way}.1@example.org`)
    await hand.follow('Held')
    await hand.follow(`Decide about ${first}`)
    expect(await page.getByRole('table', { name: 'What was sent' }).textContent()).toMatch(
      /Hold\s*Somebody-Else\s*differs/,
    )
    await hand.choose('Sent')
    await hand.fill('Reason', 'found in the portal')
    await hand.press('Decide')
    expect(await messageOn(page)).toContain(`${first} is followed in the report, and nothing is sent.`)
    await untilState(page, first, 'issued')
    expect(await page.locator('.timeline').textContent()).toContain('by: someone, why: found in the portal')
  })

  test.each(ways)(
    'say that a held row was not sent, once the page has shown what is in the report: %s',
    async (way) => {
      const { page, hand } = await journeyPage(way)
      const email = `hold.${way}.2@example.org`
      await hand.follow('Held')
      await hand.follow(`Decide about ${await lists.idOf(email)}`)
      await page.getByRole('table', { name: 'What was sent' }).waitFor()
      await hand.choose('Not sent')
      await hand.fill('Reason', 'the portal shows somebody else')
      await hand.press('Decide')
      expect(await messageOn(page)).toContain('is sent again, as if for the first time, as soon as a worker runs.')
      const sent = () => lists.console.world.sandbox.requests().filter(({ student }) => student.Email === email)
      await until('the second request', () => sent().length === 2)
    },
  )

  test.each(ways)('send a failed row again: %s', async (way) => {
    const { page, hand } = await journeyPage(way)
    await find(hand, `fail.${way}@example.org`)
    await hand.follow('Send again')
    await hand.fill('Reason', 'the service had a bad night')
    await hand.press('Send it again')
    expect(await messageOn(page)).toContain('is sent again, on its own, as soon as a worker runs.')
    const sent = () =>
      lists.console.world.sandbox.requests().filter(({ student }) => student.Email === `fail.${way}@example.org`)
    await until('the second request', () => sent().length === 2)
  })

  test.each(ways)('revoke a credential: %s', async (way) => {
    const { page, hand } = await journeyPage(way)
    await find(hand, `revoke.${way}@example.org`)
    await hand.follow('Revoke')
    expect(await page.getByRole('main').textContent()).toContain('This cannot be undone.')
    await hand.fill('Reason', 'was not there')
    await hand.press('Revoke permanently')
    expect(await messageOn(page)).toContain('is about to be revoked: a worker makes the call within seconds')
    await untilState(page, await lists.idOf(`revoke.${way}@example.org`), 'revoked')
    expect(await page.getByRole('main').textContent()).toContain('requested by someone (was not there)')
  })

  test.each(ways)('correct a credential, after the difference was shown: %s', async (way) => {
    const { page, hand } = await journeyPage(way)
    await find(hand, `correct.${way}@example.org`)
    const corrected = await lists.idOf(`correct.${way}@example.org`)
    await hand.follow('Correct')
    await hand.fill('Last Name', 'Correct')
    await hand.press('Show the difference')
    expect(await page.getByRole('table', { name: 'What changes' }).textContent()).toMatch(
      /Last Name\s*Corect\s*Correct/,
    )
    await hand.fill('Reason', 'misspelled')
    await hand.press('Correct permanently')
    expect(await messageOn(page)).toContain('is revoked first: a worker makes the call within seconds.')
    await untilState(page, corrected, 'revoked')
    const issued = () =>
      lists.console.world.sandbox
        .requests()
        .filter(({ student, revokedAt }) => student.Email === `correct.${way}@example.org` && revokedAt === null)
    await until('the corrected credential', () => issued().some(({ student }) => student['Last Name'] === 'Correct'))
    expect(issued()).toHaveLength(1)
    await page.reload()
    expect(await page.getByText('Replaced by').count()).toBe(1)
  })
})
