// The page on which people sign in.

import { html, type Markup } from '../html/markup.ts'
import type { Answer, Console, OpenVisit } from '../visit.ts'

interface SignInForm {
  fault?: string
  name?: string
  /** Where to go afterwards. */
  to: string
}

/** Where a person wanted to go. Only a path of the console: a link must not lead elsewhere after the sign-in. */
export function placeAfter(text: string | null): string {
  return text !== null && /^\/(?![/\\])[\w./?&=%+~:-]*$/.test(text) && !text.startsWith('/sign-') ? text : '/'
}

export function signInForm(console: Console, { fault, name = '', to }: SignInForm, status = 200): Answer {
  const { auth } = console.settings
  const { base } = console.address
  const provider =
    auth.oidc &&
    html`<p><a class="primary button" href="${base}/sign-in/oidc?to=${encodeURIComponent(to)}">Sign in with your organization</a></p>`
  return {
    kind: 'page',
    status,
    title: 'Sign in',
    body: html`<div class="card narrow">${fault !== undefined && html`<p class="fault" role="alert">${fault}</p>`}
${provider ?? null}${auth.oidc && auth.local ? html`<p class="or">or</p>` : null}${auth.local ? localForm(base, name, to) : null}
${auth.local || auth.oidc ? null : html`<p>Open the console through the proxy of your organization, which signs you in.</p>`}</div>`,
  }
}

function localForm(base: string, name: string, to: string): Markup {
  return html`<form method="post" action="${base}/sign-in">
<input type="hidden" name="to" value="${to}">
<label>Name<input name="name" value="${name}" autocomplete="username" autocapitalize="none" spellcheck="false" required maxlength="100"></label>
<label>Password<input name="password" type="password" autocomplete="current-password" required maxlength="200"></label>
<button class="primary">Sign in</button></form>
<p class="note">No password yet, or forgotten? An administrator can send you a link: <code>credsync console user add</code>.</p>`
}

export async function signInPage(console: Console, { query, visitor }: OpenVisit): Promise<Answer> {
  const to = placeAfter(query.get('to'))
  return visitor ? { kind: 'redirect', to } : signInForm(console, { to })
}
