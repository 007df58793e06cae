// Lists the people in a braked run of completions for the operator who decides about it, because there is no file to
// open. Pure.

import type { HeldPerson } from '#src/ledger/runs/rows-from-elsewhere.ts'

const maxShown = 20

const decisionWords: Readonly<Record<HeldPerson['heldAs'], string>> = {
  issue: 'would be issued',
  known: 'known already',
  invalid: 'invalid, not issued',
}

/**
 * Returns a header: the first column shows what the run would do, and the others are all columns that any person fills.
 */
export function heldHeader(people: readonly HeldPerson[]): string[] {
  return ['if approved', ...new Set(people.flatMap(({ cells }) => Object.keys(cells)))]
}

/** Returns the cells of a person under `header`, the header returned by heldHeader. */
export function heldCells({ cells, heldAs }: HeldPerson, header: readonly string[]): string[] {
  return [decisionWords[heldAs], ...header.slice(1).map((title) => cells[title] ?? '')]
}

/** Returns a line for each of the first 20 people, starting with those to whom a credential would be issued. */
export function heldPeopleLines(people: readonly HeldPerson[]): string[] {
  const order = Object.keys(decisionWords)
  const sorted = people.toSorted((a, b) => order.indexOf(a.heldAs) - order.indexOf(b.heldAs))
  const lines = sorted.slice(0, maxShown).map((each) => `    ${decisionWords[each.heldAs]}: ${personWords(each)}`)
  const hiddenPeople = people.length - lines.length
  return hiddenPeople > 0
    ? [...lines, `    and ${hiddenPeople} more; the outbox has all of them (.waiting.csv)`]
    : lines
}

function personWords({ learner, cells }: HeldPerson): string {
  const name = cells.name ?? [cells.firstname, cells.lastname].filter(Boolean).join(' ')
  const day = cells.completed && `completed ${cells.completed}`
  return [`learner ${learner}`, cells.idnumber, name, cells.email, day].filter(Boolean).join(', ')
}
