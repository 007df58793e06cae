// What is put into a page is escaped, and times are shown in the zone of the console.

import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { html, outsideLink } from '#src/extensions/console/html/markup.ts'
import { asSentence, sentence } from '#src/extensions/console/html/sentences.ts'
import { openTimes } from '#src/extensions/console/html/times.ts'

const shown = async (markup: unknown) => String(await html`${markup}`)

describe('markup', () => {
  test('escapes text, in content and in attributes, and nests', async () => {
    const evil = `"><script>alert('x')</script>&`
    const item = html`<li title="${evil}">${evil}</li>`
    const text = '&quot;&gt;&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&amp;'
    expect(await shown(html`<ul>${[item, null, false]}</ul>`)).toBe(`<ul><li title="${text}">${text}</li></ul>`)
  })

  test('makes links of web addresses only', async () => {
    expect(await shown(outsideLink('https://verify.example/1', 'Open'))).toContain('href="https://verify.example/1"')
    for (const address of ['javascript:alert(1)', 'http://verify.example', 'data:text/html,x', 'no address'])
      expect(await shown(outsideLink(address, 'Open'))).toBe('Open')
  })

  test('has no way around it', () => {
    const folder = resolve(import.meta.dirname, '../../../../../src/extensions/console')
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => /\.(ts|js)$/.test(name))
    expect(files.length).toBeGreaterThan(20)
    const hatch =
      /\braw\s*[(`]|\{[^}]*\braw\b[^}]*\} from|hono\/(?!html')|innerHTML|outerHTML|insertAdjacentHTML|document\.write|isEscaped/
    expect(files.filter((name) => hatch.test(readFileSync(join(folder, name), 'utf8')))).toEqual([])
  })
})

describe('a sentence of a command', () => {
  const times = openTimes('Europe/Berlin')

  test('shows commands as code and times in the zone of the console', async () => {
    const line = 'Waits since 2026-07-01 22:30 UTC; run `credsync check` <now>'
    expect(await shown(sentence(line, times))).toBe(
      'Waits since <time datetime="2026-07-01T22:30:00.000Z" title="2026-07-01 22:30:00 UTC">2 Jul 2026, 00:30</time>; run <code>credsync check</code> &lt;now&gt;',
    )
  })

  test('is one line without control characters', async () => {
    expect(await shown(sentence('a\u202Eb\r\nc', times))).toBe('a b c')
  })

  test('keeps what only looks like a time', async () => {
    expect(await shown(sentence('2026-99-99 22:30 UTC', times))).toBe('2026-99-99 22:30 UTC')
  })

  test('begins with a capital and ends with a stop', () => {
    expect(asSentence('it is held')).toBe('It is held.')
    expect(asSentence('Is it?')).toBe('Is it?')
    expect(asSentence('i42 is held')).toBe('i42 is held.')
  })
})
