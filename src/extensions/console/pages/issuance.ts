// What became of one row for one person, from the ledger's history. A visitor who may not see names sees only its
// states. Every view is recorded.

import { revocationFact, surplusAdvice } from '#src/extensions/console/html/revocation-status.ts'
import { asSentence, sentence } from '#src/extensions/console/html/sentences.ts'
import type { SignedIn } from '#src/extensions/console/ledger/sessions.ts'
import type { Explained, HistoryLine } from '#src/ledger/explain.ts'
import type { Revocation } from '#src/ledger/revocations/revocation.ts'
import { facts, label, section, stateLabel } from '../html/elements.ts'
import { html, type Markup, outsideLink } from '../html/markup.ts'
import { nameOf, sentFields, sentRecipients } from '../html/recipient.ts'
import { type Answer, type Console, decides, note, page, revokes, seesNames, type Visit } from '../visit.ts'

export async function issuancePage(console: Console, visit: Visit, life: Explained): Promise<Answer> {
  const { ledger } = console.parts
  const { visitor } = visit
  const { id, run } = life
  const names = seesNames(visitor)
  await note(console, visit, names ? 'looked at a person' : 'looked at the states of an issuance', {
    issuance: id,
    run,
  })
  const last = names && life.credentialId !== null ? await ledger.revocations.lastOf(life.credentialId) : null
  const recipient = names ? (await sentRecipients(ledger, [id])).get(id) : null
  return page({
    title: nameOf(recipient) ?? `i${id}`,
    back: { href: '/people', text: 'People' },
    lead: html`${stateLabel(life.state)} <span class="remark">i${id}, ${life.pipeline}</span>`,
    body: html`${section('Current state', html`${nowFacts(console, life, { names, last, ...(await besideOf(console, id)) })}${decisionLinks(console, life, visitor)}`)}
${names && section('What is sent', sentFields(recipient), 'The fields of the course, as they were sent or will be.')}
${section('What happened', timeline(console, life, names))}`,
  })
}

/** What this visitor may decide about it now. */
function decisionLinks(
  { address }: Console,
  { id, state, forgotten, correctedBy }: Explained,
  visitor: SignedIn,
): Markup {
  if (forgotten !== null || !decides(visitor)) return null
  const link = (to: string, text: string) => html`<a class="button" href="${address.base}${to}">${text}</a> `
  const mayRevoke = revokes(visitor) && state === 'issued'
  const mayCorrect = revokes(visitor) && ['issued', 'failed', 'revoked'].includes(state) && correctedBy === null
  const links = [
    state === 'held' && link(`/held/i${id}`, 'Decide'),
    state === 'failed' && link(`/people/i${id}/retry`, 'Send again'),
    mayRevoke && link(`/people/i${id}/revoke`, 'Revoke'),
    mayCorrect && link(`/people/i${id}/correct`, 'Correct'),
  ]
  return links.some(Boolean) && html`<p class="actions">${links}</p>`
}

function forgottenFact({ forgotten }: Explained): [string, Markup] {
  if (!forgotten) return ['Forgotten', null]
  const { kind, day } = forgotten
  return kind === 'request'
    ? ['Forgotten', `on ${day}: the data are deleted, or will be`]
    : ['Expired', `on ${day}: the data are deleted, because the retention of its lists ended`]
}

/** What is known of the issuance apart from its own history. */
async function besideOf({ parts: { ledger } }: Console, id: number) {
  return {
    completion: (await ledger.completions.ofIssuances([id])).get(id) ?? null,
    deliveries: (await ledger.deliveries.ofIssuances([id])).get(id) ?? [],
    archived: (await ledger.archives.ofIssuances([id])).get(id) ?? null,
  }
}

type Beside = Awaited<ReturnType<typeof besideOf>>

function nowFacts(
  console: Console,
  life: Explained,
  { names, last, completion, deliveries, archived }: Beside & { names: boolean; last: Revocation | null },
): Markup {
  const { times, address } = console
  const other = (id: number | null) => id !== null && html`<a href="${address.base}/people/i${id}">i${id}</a>`
  return facts([
    ['State', html`${stateLabel(life.state)} since ${times.at(life.stateSince)}`],
    ['Because', life.reason !== null && names && sentence(asSentence(life.reason), times)],
    ['Waits for', life.pauseReason !== null && sentence(asSentence(life.pauseReason), times)],
    ['Credential', names && life.credentialId],
    ['Verifier', names && life.verifierLink !== null && outsideLink(life.verifierLink, 'Open the credential')],
    forgottenFact(life),
    ['Revocation', last && revocationFact(last, times)],
    ['Issued on', life.issueDate],
    ['Valid until', life.validTill],
    ['Revoked on', life.revokedDate],
    ['Replaces', other(life.corrects)],
    ['Replaced by', other(life.correctedBy)],
    ['Status in the report', life.reportStatus],
    [
      'Surplus items',
      life.surplusItems > 0 &&
        html`${life.surplusItems}: the report shows more than one item for this person. ${sentence(surplusAdvice, times)}`,
    ],
    ['Source', html`<a href="${address.base}/runs/${life.run}">${life.source}</a>, row ${life.row}`],
    [
      'Also in',
      life.alsoIn.length > 0 &&
        html`<ul class="plain">${life.alsoIn.map(({ run, source, row, changedFields }) => html`<li><a href="${address.base}/runs/${run}">${source}</a>, row ${row}: skipped, because the person is already known${changedFields ? `, with other data: ${changedFields.join(', ')}` : ''}</li>`)}</ul>`,
    ],
    [
      'Completed',
      completion &&
        html`${completion.course} in ${completion.system}, ${times.at(completion.completedAt)}; received ${times.at(completion.foundAt)}`,
    ],
    [
      'Delivered',
      deliveries.length > 0 &&
        html`<ul class="plain">${deliveries.map(({ target, wanted, state, at, problem }) => html`<li>${target}: ${wanted}, ${state} ${times.at(at)}${problem && names ? html`. ${sentence(problem, times)}` : null}</li>`)}</ul>`,
    ],
    ['Certificate', names && archived !== null && (archived.file ?? `not archived: ${archived.problem}`)],
  ])
}

function timeline({ times }: Console, { history }: Explained, names: boolean): Markup {
  return html`<ol class="timeline">${history.map(
    (line) =>
      html`<li><p class="when">${times.exactly(line.at)}</p><p>${asSentence(line.event)} ${step(line)}</p>${names ? evidence(line) : null}</li>`,
  )}</ol>`
}

function step({ from, to }: HistoryLine): Markup {
  if (to === null || from === to) return null
  return html`<span class="step">${from && html`${stateLabel(from)}<span aria-hidden="true"> → </span><span class="unseen"> to </span>`}${stateLabel(to)}</span>`
}

function evidence({ attempt, evidence: known }: HistoryLine): Markup {
  const shown = Object.entries(known ?? {}).filter(([, value]) => value !== null && value !== '')
  if (shown.length === 0 && attempt === null) return null
  return html`<p class="evidence">${attempt !== null && html`${label(`call ${attempt}`, 'calm')} `}${shown.map(([name, value], at) => `${at > 0 ? ', ' : ''}${name}: ${String(value)}`)}</p>`
}
