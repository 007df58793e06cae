// The page behind the link that an administrator makes: a local user sets a password there, once.

import { hashOfToken } from '#src/extensions/console/security/session-cookie.ts'
import { html } from '../html/markup.ts'
import { hashPassword, maxPasswordLength, minPasswordLength } from '../security/password-hash.ts'
import { passwordFault } from '../security/password-rules.ts'
import { type Answer, type Console, type OpenVisit, page } from '../visit.ts'
import { beginSession } from './local-sign-in.ts'

/** The path of a link, without the base. */
export const linkPath = (token: string) => `/welcome?link=${token}`

export async function welcomePage(console: Console, { query }: OpenVisit): Promise<Answer> {
  return linkForm(console, query.get('link') ?? '')
}

export const newPasswordFields = html`<label for="password">New password</label>
<p class="note" id="password-note">${String(minPasswordLength)} characters or more. A sentence is easy to remember and hard to guess.</p>
<input id="password" name="password" type="password" autocomplete="new-password" required minlength="${String(minPasswordLength)}" maxlength="${String(maxPasswordLength)}" aria-describedby="password-note">
<label>Repeat the password<input name="again" type="password" autocomplete="new-password" required maxlength="${String(maxPasswordLength)}"></label>`

async function linkForm(console: Console, link: string, fault?: string): Promise<Answer> {
  const { ledger, clock } = console.parts
  const name = console.settings.auth.local
    ? await console.lookUp(() => ledger.consolePeople.byLink(hashOfToken(link), clock.now()))
    : null
  if (name === null) return usedUp(console)
  return page(
    {
      title: 'Set your password',
      body: html`<div class="card narrow"><p>Welcome, <strong>${name}</strong>.</p>
${fault !== undefined && html`<p class="fault" role="alert">${fault}</p>`}
<form method="post" action="${console.address.base}/welcome">
<input type="hidden" name="link" value="${link}">
<input type="text" name="username" value="${name}" autocomplete="username" hidden>
${newPasswordFields}
<button class="primary">Set the password and sign in</button></form></div>`,
    },
    fault === undefined ? 200 : 422,
  )
}

const usedUp = ({ address }: Console): Answer =>
  page(
    {
      title: 'This link has expired',
      body: html`<div class="card narrow"><p>A link can be used once, within an hour. If you have set your password with it, <a href="${address.base}/sign-in">sign in</a>. Otherwise ask an administrator for a new one: <code>credsync console user add</code>.</p></div>`,
    },
    410,
  )

export async function setPassword(console: Console, { form }: OpenVisit): Promise<Answer> {
  const { ledger, clock } = console.parts
  const link = form.get('link') ?? ''
  const password = form.get('password') ?? ''
  const hash = hashOfToken(link)
  // Looked up first, because hashing a password is slow, and somebody without a link must not make this worker do it.
  // Tries are not limited: nobody guesses a link, and a good one must not fail because of old ones from the same
  // address.
  const invited = console.settings.auth.local
    ? await console.lookUp(() => ledger.consolePeople.byLink(hash, clock.now()))
    : null
  if (invited === null) return usedUp(console)
  const fault = passwordFault(password, form.get('again') ?? '', invited)
  if (fault) return linkForm(console, link, fault)
  const hashed = await hashPassword(password)
  const name = await ledger.consolePeople.useLink(hash, hashed, clock.now())
  if (name === null) return usedUp(console)
  const cookie = await beginSession(console, name, { password: hashed })
  if (cookie === null) return usedUp(console)
  await ledger.consoleActs.note({ by: name, act: 'set a password and signed in' }, clock.now())
  return { kind: 'redirect', to: '/', cookie }
}
