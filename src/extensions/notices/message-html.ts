// A message as an HTML page for mail programs, from the same words as its text. Readable in light and dark. Pure.

import { footer, type MessageWords, messageIntro, moreLine } from './compose-message.ts'

/** Mail programs ignore most CSS, but keep `style` attributes, and simple rules of a `style` element. */
const styles = `
:root { color-scheme: light dark; supported-color-schemes: light dark; }
body { margin: 0; padding: 24px 16px; background: #f4f5f7; color: #1c2024; font: 16px/1.5 system-ui, -apple-system, "Segoe UI", sans-serif; }
.page { max-width: 640px; margin: 0 auto; }
.part { background: #ffffff; border: 1px solid #d9dde2; border-left: 4px solid #b3541e; border-radius: 6px; padding: 12px 16px; margin: 12px 0; }
.part.recovered { border-left-color: #2b7a3d; }
.part.withdrawn { border-left-color: #59636e; }
.part.summary { border-left-color: #2f5fb3; }
h2 { font-size: 16px; margin: 0 0 4px; }
p { margin: 4px 0; }
code { font-family: ui-monospace, Consolas, monospace; font-size: 0.875em; }
a { color: #2f5fb3; }
.foot { color: #59636e; font-size: 13px; }
@media (prefers-color-scheme: dark) {
  body { background: #16191d; color: #e6e8eb; }
  .part { background: #20252b; border-color: #3a424b; border-left-color: #e08a52; }
  .part.recovered { border-left-color: #62bb77; }
  .part.withdrawn { border-left-color: #9aa4ae; }
  .part.summary { border-left-color: #86aef0; }
  a { color: #86aef0; }
  .foot { color: #9aa4ae; }
}`

export function messageHtml({ subject, sections, more, link, environment }: MessageWords): string {
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width">',
    '<meta name="color-scheme" content="light dark">',
    `<title>${escapeHtml(subject)}</title>`,
    `<style>${styles}\n</style>`,
    '</head>',
    '<body><div class="page">',
    `<p>${messageIntro}</p>`,
    ...sections.map(
      ({ kind, change, title, lines }) =>
        `<div class="part ${kind === 'summary' ? 'summary' : change}">\n<h2>${withCode(title)}</h2>\n${lines
          .map((line) => `<p>${withCode(line)}</p>\n`)
          .join('')}</div>`,
    ),
    ...(more > 0 ? [`<p>${withCode(moreLine(more, sections.length))}</p>`] : []),
    ...(link === null ? [] : [`<p><a href="${escapeHtml(link)}">${escapeHtml(link)}</a></p>`]),
    `<p class="foot">${withCode(footer(environment))}</p>`,
    '</div></body>',
    '</html>',
    '',
  ].join('\n')
}

function withCode(text: string): string {
  return escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>')
}

function escapeHtml(text: string): string {
  const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? '')
}
