// The page about oneself: what a person may do, and the person's password.

import { facts, section } from '../html/elements.ts'
import { html, type Markup } from '../html/markup.ts'
import { hashPassword, maxPasswordLength } from '../security/password-hash.ts'
import { passwordFault } from '../security/password-rules.ts'
import { type Answer, type Console, note, page, type Visit } from '../visit.ts'
import { provePassword } from './local-sign-in.ts'
import { newPasswordFields } from './password-link.ts'

interface Notice {
  done?: string
  fault?: string
  status?: number
}

export async function accountPage(
  console: Console,
  visit: Visit,
  { done, fault, status }: Notice = {},
): Promise<Answer> {
  const { name, role, pipelines, isLocal = false } = visit.visitor
  const body = html`${done !== undefined && html`<p class="done" role="status">${done}</p>`}
<div class="card">${facts([
    ['Role', role],
    ['Pipelines', pipelines?.join(', ') ?? 'all'],
  ])}</div>
${isLocal && section('Change your password', passwordForm(console, name, fault), 'This ends your other sessions.')}`
  return page({ title: name, body }, status)
}

function passwordForm({ address }: Console, name: string, fault?: string): Markup {
  return html`${fault !== undefined && html`<p class="fault" role="alert">${fault}</p>`}
<form method="post" action="${address.base}/account/password" class="narrow">
<input type="text" name="username" value="${name}" autocomplete="username" hidden>
<label>Current password<input name="current" type="password" autocomplete="current-password" required maxlength="${maxPasswordLength}"></label>
${newPasswordFields}
<button class="primary">Change the password</button></form>`
}

export async function changePassword(console: Console, visit: Visit): Promise<Answer> {
  const { consolePeople } = console.parts.ledger
  const { visitor, session, form, from } = visit
  const { name, isLocal } = visitor
  if (!isLocal) return { kind: 'missing' }
  const password = form.get('password') ?? ''
  const unfit = passwordFault(password, form.get('again') ?? '', name)
  if (unfit) return accountPage(console, visit, { fault: unfit, status: 422 })
  const proof = await provePassword(console, { name, password: form.get('current') ?? '', from })
  if (proof.hash === null)
    return accountPage(console, visit, { fault: proof.fault, status: proof.wait > 0 ? 429 : 403 })
  if (!(await consolePeople.changePassword(name, proof.hash, await hashPassword(password), session)))
    return accountPage(console, visit, { fault: 'The password has been changed in the meantime.', status: 409 })
  await note(console, visit, 'changed the password')
  return accountPage(console, visit, { done: 'Your password is changed, and your other sessions have ended.' })
}
