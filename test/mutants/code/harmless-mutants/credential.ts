// Mutants in src/domain/credential that survive and do no harm.

import type { HarmlessByFile } from './harmless-by-file.ts'

export const credential: HarmlessByFile = {
  'src/domain/credential/differing-values.ts': [
    {
      line: "return role === 'email' ? plain.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()) : plain",
      mutants: [['/[A-Z]+/g', '/[A-Z]/g']],
      why: 'Replaces letter by letter, with the same result.',
    },
    {
      line: ".filter((name) => withoutIdleMarks(fresh[name] ?? '').trim() !== '')",
      mutants: [["''", '"Stryker was here!"']],
      why: 'The fallback cannot occur; the compiler requires it.',
    },
    {
      line: ".filter((name) => comparableValue(name, fresh[name] ?? '') !== comparableValue(name, known[name] ?? ''))",
      mutants: [["''", '"Stryker was here!"']],
      why: 'The names are those of `fresh`; a field that `known` lacks differs from any text.',
    },
  ],
  'src/domain/credential/identity-hasher.ts': [
    {
      line: "roleOfName(name) === 'phone' ? normalizePhone(fields[name] ?? '') : normalizeEmail(fields[name] ?? ''),",
      mutants: [["''", '"Stryker was here!"']],
      why: 'The fallback cannot occur; the compiler requires it.',
    },
    {
      line: ".flatMap((name) => [name, normalizeText(occurrence[name] ?? '')])",
      mutants: [["''", '"Stryker was here!"']],
      why: 'The fallback cannot occur; the compiler requires it.',
    },
  ],
  'src/domain/credential/person-hashes.ts': [
    {
      line: "override readonly name = 'IdentityError'",
      mutants: [["'IdentityError'", '""']],
      why: 'Only the name of an error class.',
    },
    {
      line: 'if (error instanceof IdentityError) return null',
      mutants: [['error instanceof IdentityError', 'true']],
      why: 'No other error can be thrown here.',
    },
    {
      line: "const dial = normalizePhone(recipient[keyWithRole(Object.keys(recipient), 'dial code') ?? ''] ?? '')",
      mutants: [["''", '"Stryker was here!"']],
      why: 'A text without digits is an empty number.',
    },
  ],
  'src/domain/credential/person-index.ts': [
    {
      line: 'constructor(nameFields: readonly string[], occurrence: readonly string[] = []) {',
      mutants: [['[]', '["Stryker was here"]']],
      why: 'All records get the same text for a field that none of them has.',
    },
    {
      line: 'if (others.length === 0) return null',
      mutants: [['others.length === 0', 'false']],
      why: 'A shortcut: what follows gives the same result.',
    },
    {
      line: "const valueWithRole = (role: 'email' | 'phone' | 'dial code') => recipient[keyWithRole(keys, role) ?? ''] ?? ''",
      mutants: [["''", '"Stryker was here!"']],
      why: 'No record has a field of this name.',
    },
    {
      line: "const numbers = number === '' ? [] : [number, ...(dial === '' ? [] : [dial + number])]",
      mutants: [
        ["dial === ''", 'false'],
        ["''", '"Stryker was here!"'],
      ],
      why: 'The same number twice is one key.',
    },
    {
      line: "foldedName(this.#nameFields.map((field) => recipient[field] ?? '')),",
      mutants: [["''", '"Stryker was here!"']],
      why: 'All records get the same text for a field that they lack.',
    },
    {
      line: "...this.#occurrence.map((field) => normalizeText(recipient[field] ?? '')),",
      mutants: [["''", '"Stryker was here!"']],
      why: 'All records get the same text for a field that they lack.',
    },
  ],
  'src/domain/credential/report-status.ts': [
    {
      line: "const plain = (label ?? '').toLowerCase().replace(/[\\s\\-_]/g, '')",
      mutants: [["''", '"Stryker was here!"']],
      why: 'Neither is a label of the service.',
    },
  ],
  'src/domain/credential/same-person.ts': [
    {
      line: "const nameOf = (recipient: Recipient) => foldedName(comparison.nameFields.map((field) => recipient[field] ?? ''))",
      mutants: [["''", '"Stryker was here!"']],
      why: 'Both records get the same text for a field that they lack.',
    },
  ],
}
