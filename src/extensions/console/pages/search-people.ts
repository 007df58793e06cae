// The search for a person, by exactly what `credsync explain` takes. What was searched for is personal data, so it is
// sent in a form and appears in no address.

import type { Explained } from '#src/ledger/explain.ts'
import { findRecipient } from '#src/ledger/resolve-recipient.ts'
import { rowName, section, stateLabel, table } from '../html/elements.ts'
import { html, type Markup } from '../html/markup.ts'
import { type Answer, type Console, note, page, scopeOf, type Visit } from '../visit.ts'

const maxLength = 320

export async function peoplePage(console: Console): Promise<Answer> {
  return page({ title: 'People', body: searchForm(console, null) })
}

export async function searchPeople(console: Console, visit: Visit): Promise<Answer> {
  const { form, visitor } = visit
  const who = (form.get('who') ?? '').trim()
  if (who === '' || who.length > maxLength)
    return page({ title: 'People', body: searchForm(console, 'Enter whom you are looking for.') }, 422)
  const { ledger } = console.parts
  const scope = scopeOf(visitor)
  const isVisible = ({ pipeline, environment }: { pipeline: string; environment: string }) =>
    environment === ledger.environment && (scope === null || scope.includes(pipeline))
  const all = await findRecipient(ledger, who)
  const [found, waiting] = [all.found.filter(isVisible), all.waiting.filter(isVisible)]
  const count = found.length + waiting.length
  await note(console, visit, 'searched for a person', { detail: `found ${count}` })
  const [only] = found
  if (only && count === 1) return { kind: 'redirect', to: `/people/i${only.id}` }
  if (count === 0) return page({ title: 'People', body: searchForm(console, nobody) }, 404)
  return page({
    title: 'People',
    body: html`${searchForm(console, null)}${found.length > 0 ? section('Found', foundTable(console, found)) : null}${waiting.length > 0 ? section('Completions without a credential', waitingTable(console, waiting)) : null}`,
  })
}

const nobody =
  'Nobody in the ledger matches that. Rows that are invalid, and rows of runs that were refused or are held by the brake, cannot be found this way: look at the page of their run.'

function searchForm({ address }: Console, fault: string | null): Markup {
  return html`<form method="post" action="${address.base}/people" class="card search" role="search">
<label for="who">Who</label>
<p class="note" id="who-note">An e-mail address, contact number, register number, credential id, number of a learner in the learning system, or issuance id such as i42. Only exact matches are found.</p>
${fault !== null && html`<p class="fault" role="alert">${fault}</p>`}
<div class="row"><input id="who" name="who" maxlength="${maxLength}" autocomplete="off" autocapitalize="none" spellcheck="false" required aria-describedby="who-note"><button class="primary">Search</button></div>
</form>`
}

function foundTable({ address, times }: Console, found: readonly Explained[]): Markup {
  return table(
    'Issuances found',
    [rowName('Issuance'), 'State', 'Since', 'Pipeline', 'Source'],
    found.map(({ id, state, stateSince, pipeline, source, row }) => [
      html`<a href="${address.base}/people/i${id}">i${id}</a>`,
      stateLabel(state),
      times.at(stateSince),
      pipeline,
      `row ${row} of ${source}`,
    ]),
  )
}

type Waiting = Awaited<ReturnType<typeof findRecipient>>['waiting']

function waitingTable({ times }: Console, waiting: Waiting): Markup {
  return table(
    'Completions that have no credential yet',
    [rowName('Course'), 'System', 'Completed', 'Received', 'Pipeline'],
    waiting.map(({ course, system, completedAt, foundAt, pipeline }) => [
      course,
      system,
      times.at(completedAt),
      times.at(foundAt),
      pipeline,
    ]),
  )
}
