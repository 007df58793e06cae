// The parts of which pages are made: sections, tables, lists of facts, labels of states. Pure.

import { type State, states as stateNames } from '#src/domain/credential/state.ts'
import { html, type Markup } from './markup.ts'

/** A part of a page with a heading. */
export function section(title: string, content: Markup, note: Markup = null): Markup {
  const id = `s-${title.toLowerCase().replace(/[^a-z0-9]+/g, '-')}`
  return html`<section aria-labelledby="${id}" class="card"><h2 id="${id}">${title}</h2>${note && html`<p class="note">${note}</p>`}${content}</section>`
}

/** A column is its title, unless it has numbers or names the row. */
export type TableColumn = string | { title: string; kind: 'numbers' | 'names' }

/** Numbers are aligned to the right. */
export const numbers = (title: string): TableColumn => ({ title, kind: 'numbers' })
/** The column that names the row. */
export const rowName = (title: string): TableColumn => ({ title, kind: 'names' })

/**
 * A table. On a narrow page each row becomes a block in which every cell has its title, so the roles are written out:
 * a table that is not displayed as one loses them.
 */
export function table(caption: string, columns: readonly TableColumn[], rows: readonly (readonly Markup[])[]): Markup {
  const heads = columns.map((column) => (typeof column === 'string' ? { title: column, kind: null } : column))
  const style = (kind: string | null) => kind === 'numbers' && html` class="number"`
  return html`<table role="table"><caption class="unseen">${caption}</caption>
<thead role="rowgroup"><tr role="row">${heads.map(({ title, kind }) => html`<th role="columnheader" scope="col"${style(kind)}>${title}</th>`)}</tr></thead>
<tbody role="rowgroup">${rows.map(
    (cells) =>
      html`<tr role="row">${heads.map(({ title, kind }, at) =>
        kind === 'names'
          ? html`<th role="rowheader" scope="row" data-title="${title}">${cells[at]}</th>`
          : html`<td role="cell" data-title="${title}"${style(kind)}>${cells[at]}</td>`,
      )}</tr>`,
  )}</tbody></table>`
}

/** Names and values, one below the other. Facts without a value are left out. */
export function facts(list: readonly (readonly [name: string, value: Markup])[]): Markup {
  const shown = list.filter(([, value]) => value !== null && value !== false && value !== '')
  return html`<dl class="facts">${shown.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`
}

/** A number with its thousands separated. */
export const figure = (value: number): string => value.toLocaleString('en-GB')

export type Tone = 'good' | 'open' | 'warn' | 'bad' | 'calm'

/** A word with a color that says the same. */
export const label = (word: string, tone: Tone): Markup => html`<span class="label ${tone}">${word}</span>`

const stateTones: Readonly<Record<State, Tone>> = {
  pending: 'open',
  sending: 'open',
  unconfirmed: 'warn',
  requested: 'open',
  in_progress: 'open',
  issued: 'good',
  rejected: 'bad',
  failed: 'bad',
  held: 'warn',
  revoked: 'calm',
}

export const stateLabel = (state: State): Markup => label(state, stateTones[state])

export type Part = readonly [name: string, count: number, className: string]

/** One bar whose parts are as long as their counts. */
export function bar(parts: readonly Part[], describedAs: string): Markup {
  const total = parts.reduce((sum, [, count]) => sum + count, 0)
  if (total === 0) return null
  let from = 0
  const drawn = parts
    .filter(([, count]) => count > 0)
    .map(([, count, className]) => {
      const x = from
      from += (count / total) * 1_000
      return html`<rect class="part ${className}" x="${x.toFixed(2)}" width="${Math.max(from - x, 2).toFixed(2)}" height="10" y="0"></rect>`
    })
  return html`<svg class="bar" viewBox="0 0 1000 10" preserveAspectRatio="none" role="img" aria-label="${describedAs}">${drawn}</svg>`
}

/** The number of rows as a sum, with a bar of its terms. */
export function rowSum(rows: number, terms: readonly { name: string; count: number; remark: string }[]): Markup {
  const described = terms.map(({ name, count }) => `${count} ${name}`).join(', ')
  return html`<div class="sum"><div class="term total"><span class="count">${figure(rows)}</span><span class="name">${rows === 1 ? 'row' : 'rows'}</span></div>
${terms.map(({ name, count, remark }, at) => html`<div class="term"><span class="sign" aria-hidden="true">${at === 0 ? '=' : '+'}</span><span class="count">${figure(count)}</span><span class="name">${name}</span><span class="remark">${remark}</span></div>`)}</div>
${bar(
  terms.map(({ name, count }) => [name, count, name]),
  `${figure(rows)} ${rows === 1 ? 'row' : 'rows'}: ${described}`,
)}`
}

/** The rows of each state, in the order in which a row reaches them. */
export function stateParts(counts: Partial<Record<State, number>>): Part[] {
  return stateNames.map((state) => [state, counts[state] ?? 0, `state-${state}`] as const)
}

export const nothing = (words: string): Markup => html`<p class="nothing">${words}</p>`

export interface Callout {
  tone: 'warn' | 'bad'
  title: Markup
  detail: Markup
  href: string | undefined
}

type MakeCallout = (title: Markup, detail?: Markup, href?: string) => Callout
export const bad: MakeCallout = (title, detail = null, href) => ({ tone: 'bad', title, detail, href })
export const warning: MakeCallout = (title, detail = null, href) => ({ tone: 'warn', title, detail, href })

/** What needs attention, each with where to go. */
export function callouts(items: readonly Callout[]): Markup {
  return html`<ul class="callouts">${items.map(
    ({ tone, title, detail, href }) =>
      html`<li class="${tone}"><p class="title">${href === undefined ? title : html`<a href="${href}">${title}</a>`}</p>${detail && html`<p>${detail}</p>`}</li>`,
  )}</ul>`
}
