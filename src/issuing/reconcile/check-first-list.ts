// Checks before the first list of a course whether the report shows credentials of the course that this ledger does not
// know, and describes them for the operator. Searches for the name of the course, and for some of the people on the
// list. A search counts as working only if its results prove it. Calls the service and reads the database.

import type { IdentityRule } from '#src/domain/credential/person-hashes.ts'
import { foldedText } from '#src/domain/credential/person-index.ts'
import type { Issuer } from '#src/issuer/issuer.ts'
import type { ReportItem } from '#src/issuer/wire-shapes.ts'
import type { Ledger } from '#src/ledger/ledger.ts'
import { type Inquiry, openInquiry, type ReportAnswer } from './first-list-inquiry.ts'
import { itemsOfEachPerson, type PersonKey, personKeys, type Recipient, showsValue } from './first-list-keys.ts'
import { readItem } from './read-report-item.ts'

export interface FirstListTools {
  issuer: Pick<Issuer, 'reportPages' | 'courseDetail' | 'listCourses'>
  ledger: Pick<Ledger, 'hasher'> & {
    report: Pick<Ledger['report'], 'findClaims'>
    probes: Pick<Ledger['probes'], 'find'>
    adoptions: Pick<Ledger['adoptions'], 'othersCalled'>
    firstList: Pick<Ledger['firstList'], 'status'>
  }
  pageSize: number
}

export interface FirstListQuestion {
  course: string
  /** A sample of the list; empty if there is no list yet. */
  people: readonly Recipient[]
  correlation: IdentityRule['correlation']
}

/** The maximum number of people on a list who are searched for. */
export const maxPeopleSearched = 20

/**
 * @returns a sentence that explains to the operator what the report shows and what to do, without personal data. Null
 * if the report shows nothing that could belong to the course, or if this ledger has already sent to the course or
 * adopted it, or an operator has decided
 * @throws any error from calling the service; the answer is then unknown
 */
export async function checkFirstList(tools: FirstListTools, question: FirstListQuestion): Promise<string | null> {
  const status = await tools.ledger.firstList.status(question.course)
  if (status === 'settled') return null
  return status === 'unknown' ? await askReport(tools, question) : status.shows
}

async function askReport(tools: FirstListTools, question: FirstListQuestion): Promise<string | null> {
  const inquiry = openInquiry(tools.issuer, tools.pageSize)
  const newest = await inquiry.newest()
  if (newest.complete && (await unknownItems(tools, newest.items)).length === 0) return null
  const name = await inquiry.nameOf(question.course)
  const sentence = await itemsWithCourseName(tools, inquiry, { name, newest })
  if (sentence !== null || question.people.length === 0) return sentence
  const people = { ...question, name }
  if (newest.complete) return await reportUnknown(tools, inquiry, people, allHolders(question, newest.items))
  for (const key of personKeys(question.correlation, await echoesOf(tools, question.course))) {
    const holders = await holdersBy(inquiry, key, question.people, newest)
    if (holders) return await reportUnknown(tools, inquiry, people, holders)
  }
  // No key has proved searchable, so as much of the report is read as the remaining calls allow.
  const pages = await inquiry.walk()
  const found = await reportUnknown(tools, inquiry, people, allHolders(question, pages.items))
  return found ?? (pages.complete ? null : cannotSearchSentence)
}

/** Returns the items that this ledger does not know. */
async function unknownItems({ ledger }: FirstListTools, items: readonly ReportItem[]): Promise<ReportItem[]> {
  const read = items.map((item) => ({ item, ...readItem(item, ledger.hasher) }))
  const claims = await ledger.report.findClaims(read.flatMap(({ key, fingerprint }) => [key, fingerprint]))
  return read.filter(({ key, fingerprint }) => !claims.has(key) && !claims.has(fingerprint)).map(({ item }) => item)
}

/**
 * Searches for items with the name of the course. Finding none proves nothing, because the report may use another name.
 */
async function itemsWithCourseName(
  tools: FirstListTools,
  inquiry: Inquiry,
  { name, newest }: { name: string | null; newest: ReportAnswer },
): Promise<string | null> {
  if (name === null) return null
  const search = newest.complete ? null : await inquiry.search({ certificate_name: name })
  const hasName = (item: ReportItem) => foldedText(item.certificate_name ?? '') === foldedText(name)
  for (const answer of [search, newest]) {
    if (answer === null) continue
    const items = (await unknownItems(tools, answer.items)).filter(hasName)
    if (items.length === 0) continue
    // If all items on the page match, the service's total counts only matching items.
    const counted = items.length === answer.items.length ? answer.total : null
    return sameNameSentence(name, counted ?? items.length, counted === null && !answer.complete)
  }
  return null
}

interface Holders {
  /** The number of people who were searched for. */
  searched: number
  /** The items of each person who has an item. */
  itemsByPerson: ReportItem[][]
}

function allHolders({ people, correlation }: FirstListQuestion, items: readonly ReportItem[]): Holders {
  return { searched: people.length, itemsByPerson: itemsOfEachPerson(items, personKeys(correlation, []), people) }
}

/** @returns null if the service does not search by the key, or if nothing proves that it does */
async function holdersBy(
  inquiry: Inquiry,
  { key, valuesOf }: PersonKey,
  people: readonly Recipient[],
  newest: ReportAnswer,
): Promise<Holders | null> {
  const searchFor = async (values: readonly string[]) => {
    const found: ReportItem[] = []
    for (const value of values) {
      const answer = await inquiry.search({ [key]: value })
      if (!answer?.items.every((item) => showsValue(item, key, values))) return null
      found.push(...answer.items)
    }
    return found
  }
  const known = newest.items.find((item) => showsValue(item, key, [item[key] ?? '']))
  const wanted = people.map(valuesOf).filter((values) => values.length > 0)
  if (!known || wanted.length === 0) return null
  // Tests the search with a person who is certainly in the report. If the search misses this person, it may miss
  // anyone.
  if (!(await searchFor([known[key] ?? '']))?.length) return null
  // It is not documented whether the search is case-sensitive, and some lists are written in capitals.
  const hasCapitals = wanted.flat().some((value) => value !== value.toLowerCase())
  const caseSensitive = hasCapitals && !(await searchFor([(known[key] ?? '').toUpperCase()]))?.length
  const holders: Holders = { searched: 0, itemsByPerson: [] }
  for (const personValues of wanted) {
    const values = caseSensitive
      ? [...new Set(personValues.flatMap((value) => [value, value.toLowerCase()]))]
      : personValues
    if (inquiry.callsLeft() < values.length) break
    const items = await searchFor(values)
    if (items === null) return null
    holders.searched++
    if (items.length > 0) holders.itemsByPerson.push(items)
  }
  return holders
}

/**
 * Describes the people who have unknown credentials. People who have only credentials of other courses are not
 * reported, because many courses have the same participants.
 */
async function reportUnknown(
  tools: FirstListTools,
  inquiry: Inquiry,
  { course, name }: { course: string; name: string | null },
  { searched, itemsByPerson }: Holders,
): Promise<string | null> {
  const unknown = await unknownItems(tools, itemsByPerson.flat())
  const names = [...new Set(unknown.map((item) => item.certificate_name || null))]
  const possible = new Set<string | null>()
  for (const each of names) if (!(await isOtherCourse(tools, inquiry, each, { course, name }))) possible.add(each)
  const mayBeOfCourse = (item: ReportItem) => unknown.includes(item) && possible.has(item.certificate_name || null)
  const holders = itemsByPerson.filter((items) => items.some(mayBeOfCourse)).length
  return holders === 0 ? null : alreadyIssuedSentence({ holders, searched, names: [...possible] })
}

/**
 * Returns whether a name in the report certainly belongs to another course: the ledger has seen the other course under
 * this name, or another course of the account has this name.
 */
async function isOtherCourse(
  { ledger }: FirstListTools,
  inquiry: Inquiry,
  certificate: string | null,
  own: { course: string; name: string | null },
): Promise<boolean> {
  if (certificate === null) return false
  if (own.name !== null && foldedText(own.name) === foldedText(certificate)) return false
  if ((await ledger.adoptions.othersCalled(certificate, own.course)).length > 0) return true
  return (await inquiry.courses()).some(
    ({ course_uuid: uuid, course_name: called }) =>
      uuid !== own.course && foldedText(called ?? '') === foldedText(certificate),
  )
}

async function echoesOf({ ledger }: FirstListTools, course: string) {
  const echoes = (await ledger.probes.find(course))?.findings.echoes
  return echoes && 'found' in echoes ? echoes.found : []
}

/**
 * Describes items that have the name of the course, for the operator who decides. Contains no personal data.
 * @param more whether there may be more items than were counted
 */
export function sameNameSentence(name: string, items: number, more: boolean): string {
  return `The report already shows ${more ? 'at least ' : ''}${items} ${items === 1 ? 'credential' : 'credentials'} called “${plain(name)}”; ${nextStep}`
}

/**
 * Describes people on the list who have credentials, for the operator who decides. Contains no personal data.
 * @param findings.names the certificate names of these credentials; null for an item without a name
 */
export function alreadyIssuedSentence(findings: {
  holders: number
  searched: number
  names: readonly (string | null)[]
}): string {
  const { holders, searched, names } = findings
  const known = names.filter((name) => name !== null).slice(0, maxNames)
  const credentials =
    known.length > 0
      ? `credentials called ${known.map((name) => `“${plain(name)}”`).join(', ')}, a name that no other course has`
      : 'credentials without a name'
  return `The report already shows ${credentials}, for ${holders} of the ${searched} people on this list who were searched for; ${nextStep}`
}

export const cannotSearchSentence =
  'Whether the report already shows people on this list cannot be determined: the service does not search the report for people, and the report is too long to read completely; run `credsync adopt` first, or `credsync approve RUN` if no one else has issued for this course.'

const nextStep = 'run `credsync adopt` first, or `credsync approve RUN` if these credentials belong to another course.'
const maxNames = 3

/**
 * Removes line breaks and control characters from a name, because it comes from the service and is shown on terminals.
 */
function plain(name: string): string {
  return name
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, 100)
}
