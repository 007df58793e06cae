// Mutants in config that survive and do no harm.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: code is quoted here

import type { HarmlessByFile } from './harmless-by-file.ts'

export const config: HarmlessByFile = {
  'config/environment.ts': [
    {
      line: "if ([...(URL.parse(redisUrl ?? '')?.searchParams.keys() ?? [])].some((name) => name !== 'db' && name !== 'family'))",
      mutants: [["''", '"Stryker was here!"']],
      why: 'Neither is an address.',
    },
    {
      line: 'if (/[\\s\\p{Cc}]|%(?![0-9a-f]{2})/iu.test(url)) return false',
      mutants: [['/[\\s\\p{Cc}]|%(?![0-9a-f]{2})/iu', '/[\\s\\p{Cc}]|%(?![0-9a-f])/iu']],
      why: 'The decoder refuses it as well.',
    },
    {
      line: "const parameters = URL.parse(url ?? '')?.searchParams",
      mutants: [["''", '"Stryker was here!"']],
      why: 'Neither is an address.',
    },
    {
      line: "const url = URL.parse(text ?? '')",
      mutants: [["''", '"Stryker was here!"']],
      why: 'Neither is an address.',
    },
  ],
  'config/file-reading-settings.ts': [
    {
      line: "return new TextDecoder(label, { fatal: true }).encoding !== 'x-user-defined'",
      mutants: [
        ['{ fatal: true }', '{}'],
        ['true', 'false'],
      ],
      why: 'Only the name of the encoding is read.',
    },
  ],
  'config/fingerprint.ts': [
    {
      line: 'const entries = Object.entries(value).filter(([, each]) => each !== undefined)',
      mutants: [
        ['Object.entries(value).filter(([, each]) => each !== undefined)', 'Object.entries(value)'],
        ['each !== undefined', 'true'],
      ],
      why: 'JSON has no undefined members.',
    },
    {
      line: 'entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, each]) => [key, withSortedKeys(each)]),',
      mutants: [
        ['a < b', 'a <= b'],
        ['a < b', 'a >= b'],
      ],
      why: 'Any order that depends on the names alone is the same for both; no two names are equal.',
    },
  ],
  'config/inbox-folders.ts': [
    {
      line: "return pathFromFolder === '' || !(pathFromFolder === '..' || pathFromFolder.startsWith(`..${sep}`))",
      mutants: [
        ["pathFromFolder === ''", 'false'],
        ["''", '"Stryker was here!"'],
      ],
      why: 'A shortcut: what follows gives the same result.',
    },
  ],
}
