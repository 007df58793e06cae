// The page about oneself: where a person is signed in, and the person's password.

import { facts, label, rowName, section, table } from '../html/elements.ts'
import { html, type Markup } from '../html/markup.ts'
import { hashPassword, maxPasswordLength } from '../security/password-hash.ts'
import { passwordFault } from '../security/password-rules.ts'
import { type Answer, type Console, page, type Visit } from '../visit.ts'
import { provePassword } from './local-sign-in.ts'
import { newPasswordFields } from './password-link.ts'

interface Told {
  done?: string
  fault?: string
  status?: number
}

export async function accountPage(console: Console, visit: Visit): Promise<Answer> {
  return shownAccount(console, visit, {})
}

async function shownAccount(console: Console, { visitor, session }: Visit, told: Told): Promise<Answer> {
  const { parts, address, times } = console
  const own = session ? await parts.ledger.consoleSessions.ofSamePerson(session, parts.clock.now()) : []
  const rows = own.map(({ beganAt, seenAt, isThis }) => [
    times.at(beganAt),
    times.at(seenAt),
    isThis ? label('this one', 'good') : null,
  ])
  const others = html`<form method="post" action="${address.base}/account/sessions"><button>End the others</button></form>`
  const { role, pipelines } = visitor
  const body = html`${told.done !== undefined && html`<p class="done" role="status">${told.done}</p>`}
<div class="card">${facts([
    ['Role', role],
    ['Pipelines', pipelines?.join(', ') ?? 'all'],
  ])}</div>
${section(
  'Where you are signed in',
  session
    ? html`${table('Your sessions', [rowName('Since'), 'Last used', 'Session'], rows)}${own.length > 1 && others}`
    : html`<p class="nothing">The proxy of your organization signs you in with each page.</p>`,
)}
${own.some(({ isLocal }) => isLocal) && section('Change your password', passwordForm(console, visitor.name, told.fault), 'This ends your other sessions.')}`
  return page({ title: visitor.name, body }, told.status)
}

function passwordForm({ address }: Console, name: string, fault?: string): Markup {
  return html`${fault !== undefined && html`<p class="fault" role="alert">${fault}</p>`}
<form method="post" action="${address.base}/account/password" class="narrow">
<input type="text" name="username" value="${name}" autocomplete="username" hidden>
<label>Current password<input name="current" type="password" autocomplete="current-password" required maxlength="${String(maxPasswordLength)}"></label>
${newPasswordFields}
<button class="primary">Change the password</button></form>`
}

export async function changePassword(console: Console, visit: Visit): Promise<Answer> {
  const { ledger, clock } = console.parts
  const { visitor, session, form, from } = visit
  const { name } = visitor
  const isLocal =
    session && (await ledger.consoleSessions.ofSamePerson(session, clock.now())).some((own) => own.isLocal)
  if (!isLocal) return { kind: 'missing' }
  const password = form.get('password') ?? ''
  const unfit = passwordFault(password, form.get('again') ?? '', name)
  if (unfit) return shownAccount(console, visit, { fault: unfit, status: 422 })
  const proof = await provePassword(console, { name, password: form.get('current') ?? '', from })
  if (proof.hash === null)
    return shownAccount(console, visit, { fault: proof.fault, status: proof.wait > 0 ? 429 : 403 })
  if (!(await ledger.consolePeople.changePassword(name, proof.hash, await hashPassword(password), session)))
    return shownAccount(console, visit, { fault: 'The password was changed meanwhile.', status: 409 })
  await ledger.consoleActs.note({ by: name, act: 'changed the password' }, clock.now())
  return shownAccount(console, visit, { done: 'Your password is changed, and your other sessions have ended.' })
}

export async function endOtherSessions(console: Console, visit: Visit): Promise<Answer> {
  const { ledger, clock } = console.parts
  if (!visit.session) return { kind: 'missing' }
  await ledger.consoleSessions.endOthers(visit.session)
  await ledger.consoleActs.note({ by: visit.visitor.name, act: 'ended the other sessions' }, clock.now())
  return shownAccount(console, visit, { done: 'Your other sessions have ended.' })
}
