// Decodes entities, escapes text, and compares comments.

import { describe, expect, test } from 'vitest'
import { decodeEntities, moodleHtml, showsTheSame } from '#src/extensions/lms/moodle/html.ts'

test.each([
  ['Food hygiene – Müller &amp; Søn', 'Food hygiene – Müller & Søn'],
  ['O&#039;Neill', "O'Neill"],
  ['O&#x27;Neill', "O'Neill"],
  ['&lt;b&gt; &quot;x&quot; &apos;y&apos; 0&ndash;100', '<b> "x" \'y\' 0–100'],
  ['a&nbsp;b&mdash;c&hellip;', 'a\u00a0b\u2014c\u2026'],
  ['&#xE000; &#128512; &#x10FFFF; &#xD7FF;', '\ue000 \u{1F600} \u{10FFFF} \ud7ff'],
  // Decoded only once, because the name itself may contain entities.
  ['&amp;amp;', '&amp;'],
  ['R&D; A & B', 'R&D; A & B'],
  ['&constructor; &#0; &#1114112;', '&constructor; &#0; &#1114112;'],
  // Unpaired surrogates, which no database accepts.
  ['&#xD800; &#57343;', '&#xD800; &#57343;'],
])('entities in %s are decoded', (escaped, text) => {
  expect(decodeEntities(escaped)).toBe(text)
})

test('values are escaped in HTML, between tags and in attributes', () => {
  const url = 'https://v.example/?a=1&b="><script>'
  const built = moodleHtml`<p>For ${"O'Neill <b>"}: <a href="${url}">verify</a></p>`
  expect(built.markup).toBe(
    '<p>For O&#39;Neill &#60;b&#62;: <a href="https://v.example/?a=1&#38;b=&#34;&#62;&#60;script&#62;">verify</a></p>',
  )
})

describe('a comment', () => {
  const written = moodleHtml`<p>Issued: <a href="${'https://v.example/?a=1&b=2'}">verify</a></p>`.markup
  test.each([
    ['<p>Issued: <a href="https://v.example/?a=1&amp;b=2">verify</a></p>', true],
    [
      '<div class="no-overflow"><p>Issued:\n <a target="_blank" href=\'https://v.example/?a=1&b=2\'>verify</a></p></div>',
      true,
    ],
    ['<p>Issued: <a href="https://v.example/?a=1&amp;b=3">verify</a></p>', false],
    ['<p>Issued:</p><p><a href = "https://v.example/?a=1&amp;b=2">verify</a></p>', true],
    ['<p>Issued:<a href="https://v.example/?a=1&amp;b=2">ver</a>ify</p>', false],
    ['<p>Issued: verify</p>', false],
    ['<p>Revoked: <a href="https://v.example/?a=1&amp;b=2">verify</a></p>', false],
    ['', false],
  ])('that Moodle shows as %s is the one that was written: %s', (shown, same) => {
    expect(showsTheSame(written, shown)).toBe(same)
  })
})
