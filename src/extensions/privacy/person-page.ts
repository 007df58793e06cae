// Renders what is held of a person as a page that explains it. Contains no script, and loads nothing. Pure.

import type { PersonData } from '#src/extensions/privacy/ledger/person-data.ts'

export interface PersonExport extends PersonData {
  /** Ids of records that share an address or a number with the person and may be of somebody else. */
  leftOut: { issuances: readonly number[]; rows: readonly { run: string; row: number }[]; completions: number }
  /** Names within the folder. */
  files: readonly string[]
  /** Certificates that are recorded and could not be copied. */
  missingFiles: readonly string[]
}

export function personPage(person: PersonExport, writtenAt: Date): string {
  const { issuances, rows, completions, events, files } = person
  const sections = [
    section(
      'Credentials and requests',
      'One entry for each credential that was requested or is recorded, with every step. The data under “recipient” went to the credential service.',
      issuances.map(({ id, ...facts }) => table(`i${id}`, facts)),
    ),
    section(
      'Rows of lists',
      'Each row of a list that names this person, as it was received.',
      rows.map(({ list, row, header, cells, ...facts }) => {
        const titled = Object.fromEntries(cells.map((cell, at) => [`${header?.[at] ?? 'column'} (${at + 1})`, cell]))
        return table(`Row ${row} of ${list}`, { ...facts, cells: titled })
      }),
    ),
    section(
      'Completions',
      'What a learning system said about completed courses.',
      completions.map(({ id, ...facts }) => table(`Completion ${id}`, facts)),
    ),
    section(
      'Events of learning systems',
      'Messages of learning systems about this person alone, as they were received.',
      events.map(({ id, ...facts }) => table(`Event d${id}`, facts)),
    ),
    section(
      'Files',
      'Certificates and images.',
      files.map((file) => `<p><a href="${html(encodeURI(file))}">${html(file)}</a></p>`),
    ),
    section(
      'What is not in this folder',
      '',
      notShown(person).map((sentence) => `<p>${html(sentence)}</p>`),
    ),
  ]
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>What credsync holds of one person</title>
<style>body{font:16px/1.5 sans-serif;max-width:60em;margin:2em auto;padding:0 1em}table{border-collapse:collapse;margin:1em 0;width:100%}th,td{border:1px solid #999;padding:.2em .5em;text-align:left;vertical-align:top;overflow-wrap:anywhere}th{width:14em}pre{white-space:pre-wrap;margin:0}</style>
</head>
<body>
<h1>What credsync holds of one person</h1>
<p>Written on ${html(writtenAt.toISOString())}. credsync turns course results into digital credentials. This page shows what it has recorded; <code>data.json</code> has the same for programs.</p>
${sections.join('\n')}
</body>
</html>
`
}

function notShown({ leftOut, sharedEvents, missingFiles }: PersonExport): string[] {
  const ids = leftOut.issuances.map((id) => `i${id}`)
  const rows = leftOut.rows.map(({ run, row }) => `${run}:${row}`)
  return [
    'Keyed hashes of addresses, numbers and names, by which the same person is recognized. They cannot be read.',
    'What was written about whole batches of people, and who made a decision.',
    'The results of lists, which repeat the rows above; backups and logs; what the credential service, the learning system and senders of lists keep.',
    ...(ids.length > 0 ? [`${ids.join(', ')}: same address, number or identity, maybe somebody else.`] : []),
    ...(rows.length > 0 ? [`Rows ${rows.join(', ')}: same address or number, maybe somebody else.`] : []),
    ...(leftOut.completions > 0
      ? [`${leftOut.completions} completions with the same address or number, maybe of somebody else.`]
      : []),
    ...sharedEvents.map(
      ({ id, system, receivedAt }) =>
        `Event d${id} of ${system}, received on ${receivedAt.toISOString()}: it names other people as well and was left out.`,
    ),
    ...missingFiles.map((file) => `${file}: recorded, but not readable now.`),
  ]
}

function section(title: string, intro: string, parts: readonly string[]): string {
  return `<h2>${html(title)}</h2>\n<p>${html(intro)}</p>\n${parts.length > 0 ? parts.join('\n') : '<p>Nothing.</p>'}`
}

/** Lists and records within a record have a line for each of their parts. */
function table(title: string, facts: Readonly<Record<string, unknown>>): string {
  const lines = Object.entries(facts).flatMap(([name, value]) => {
    if (Array.isArray(value)) return value.map((each) => [name, each] as const)
    const isRecord = typeof value === 'object' && value !== null && !(value instanceof Date)
    return isRecord
      ? Object.entries(value).map(([key, each]) => [`${name}: ${key}`, each] as const)
      : [[name, value] as const]
  })
  const shown = lines
    .filter(([, value]) => value !== null && value !== undefined && value !== '')
    .map(([name, value]) => `<tr><th>${html(name)}</th><td><pre>${html(textOf(value))}</pre></td></tr>`)
  return `<table>\n<caption>${html(title)}</caption>\n${shown.join('\n')}\n</table>`
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  return value instanceof Date ? value.toISOString() : JSON.stringify(value, null, 1)
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Escapes text. What no page can contain becomes a replacement character. */
const html = (text: string) =>
  text
    .toWellFormed()
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g, '\ufffd')
    .replace(/[&<>"']/g, (character) => entities[character] ?? '')
