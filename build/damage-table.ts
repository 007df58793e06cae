// Writes the table of kinds of damage for docs/files.md. Pure.

import type { DamageKind } from '#src/domain/recipient/damage/damage-kind.ts'
import { damageKinds } from '#src/domain/recipient/damage/damage-kinds.ts'

const uses: Readonly<Record<DamageKind['use'], string>> = {
  any: 'any text',
  text: 'any text',
  name: 'a name',
  address: 'an address',
  'birth date': 'a date of birth',
}

/** Returns the table in Markdown, with a line break at its end. */
export function damageTable(): string {
  const rows = damageKinds.map(
    ({ rule, use, title, catches, passes, neverRests }) =>
      `| \`${rule}\`${neverRests ? ' \\*' : ''} | ${uses[use]} | ${title} | ${shown(catches)} | ${shown(passes)} |`,
  )
  return `${['| rule | in | what is found | for example | and not |', '|---|---|---|---|---|', ...rows].join('\n')}\n`
}

function shown(examples: readonly string[]): string {
  return examples
    .slice(0, 3)
    .map((example) => `\`${visible(example)}\``)
    .join(' ')
}

/** Escapes invisible characters, and what would end a cell of the table. */
function visible(text: string): string {
  return text
    .replace(/[\p{C}\u00a0]/gu, (sign) => `\\u${(sign.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`)
    .replaceAll('|', '\\|')
}
