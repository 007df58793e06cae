// What a person does on a page: follows links, fills in fields, presses buttons; with the mouse, or by the keyboard alone.

import type { Page } from 'playwright-core'

export interface Hand {
  follow(link: string): Promise<void>
  fill(label: string, text: string): Promise<void>
  choose(label: string): Promise<void>
  press(button: string): Promise<void>
}

export const handOf = (page: Page, usesKeyboard = false): Hand => (usesKeyboard ? keyboardOn(page) : mouseOn(page))

/** Does what leads to another page, and waits for that page. */
async function leave(page: Page, act: () => Promise<void>): Promise<void> {
  const next = page.waitForEvent('load')
  await act()
  await next
}

function mouseOn(page: Page): Hand {
  return {
    follow: (name) => leave(page, () => page.getByRole('link', { name, exact: true }).first().click()),
    fill: (name, text) => page.getByLabel(name, { exact: true }).fill(text),
    choose: (name) => page.getByRole('radio', { name }).first().check(),
    press: (name) => leave(page, () => page.getByRole('button', { name, exact: true }).click()),
  }
}

/** More often than this nobody presses a key to get to the end of a page. */
const mostSteps = 150

function keyboardOn(page: Page): Hand {
  /** Goes on to the next element until one is found, as a person does who sees where the focus is. */
  async function goTo(what: string, isFound: (focused: Focused) => boolean): Promise<void> {
    for (let step = 0; step < mostSteps; step++) {
      await page.keyboard.press('Tab')
      const focused = (await page.evaluate(focusedElement)) as Focused | null
      if (focused && isFound(focused)) {
        if (!focused.isVisible) throw new Error(`The focus is on ${what}, but nobody sees it.`)
        return
      }
    }
    throw new Error(`The keyboard does not get to ${what}.`)
  }
  const pressEnter = () => leave(page, () => page.keyboard.press('Enter'))
  return {
    async follow(name) {
      await goTo(name, (focused) => focused.tag === 'A' && focused.text === name)
      await pressEnter()
    },
    async fill(name, text) {
      await goTo(name, (focused) => ['INPUT', 'TEXTAREA'].includes(focused.tag) && focused.labels.includes(name))
      await page.keyboard.press('ControlOrMeta+A')
      await page.keyboard.type(text)
    },
    async choose(name) {
      await goTo(name, (focused) => focused.type === 'radio')
      for (let step = 0; step < mostSteps; step++) {
        await page.keyboard.press(step === 0 ? 'Space' : 'ArrowDown')
        const focused = (await page.evaluate(focusedElement)) as Focused | null
        if (focused?.isChecked && focused.labels.some((label) => label.startsWith(name))) return
      }
      throw new Error(`The keyboard does not choose ${name}.`)
    },
    async press(name) {
      await goTo(name, (focused) => focused.tag === 'BUTTON' && focused.text === name)
      await pressEnter()
    },
  }
}

interface Focused {
  tag: string
  type: string
  text: string
  labels: string[]
  isChecked: boolean
  isVisible: boolean
}

/** Runs in the page. */
const focusedElement = `(() => {
  const element = document.activeElement
  if (!element || element === document.body) return null
  const words = (each) => each.textContent.replace(/\\s+/g, ' ').trim()
  const box = element.getBoundingClientRect()
  const style = getComputedStyle(element)
  return {
    tag: element.tagName, type: element.type ?? '', text: words(element),
    labels: [...(element.labels ?? [])].map(words),
    isChecked: element.checked === true,
    isVisible: box.width > 0 && style.outlineStyle !== 'none',
  }
})()`
