// The templates of the console. Everything that is put into one is escaped, unless it is itself a template: there is no
// other way to write markup, and a test bans those of the package (docs/decisions/0090-console.md).

import { html as hono } from 'hono/html'

type Template = ReturnType<typeof hono>
/** Markup, or text that is escaped when it is put into a template. Null and false show nothing. */
export type Markup = Template | string | number | null | false | readonly Markup[]

export const html = (strings: TemplateStringsArray, ...values: readonly unknown[]): Template => hono(strings, ...values)

/** Only an address of the web becomes a link: one that came from elsewhere could run code. Pure. */
export function outsideLink(address: string, text: string): Markup {
  if (URL.parse(address)?.protocol !== 'https:') return html`${text}`
  return html`<a href="${address}" rel="noreferrer noopener" target="_blank">${text}<span class="unseen"> (opens a new tab)</span></a>`
}
