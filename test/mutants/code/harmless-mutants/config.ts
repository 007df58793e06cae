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
  'config/check-system-references.ts': [
    {
      line: 'reportingSystem !== null &&',
      mutants: [['reportingSystem !== null', 'true']],
      why: 'A target that needs no learners of a system has no `system`.',
    },
  ],
  'config/generated-files.ts': [
    {
      line: "`| ${widths.map((width, column) => (cells[column] ?? '').padEnd(width)).join(' | ')} |`",
      mutants: [["''", '"Stryker was here!"']],
      why: 'Each row has as many cells as the head.',
    },
    {
      line: "const meaning = node.description ?? (node.const === undefined ? '' : 'Selects these settings.')",
      mutants: [
        ['node.const === undefined', 'false'],
        ["''", '"Stryker was here!"'],
      ],
      why: 'Only constants have no description.',
    },
    {
      line: "if (node.oneOf) return `group, by its ${node.oneOf.every(({ properties }) => properties?.to) ? 'to' : 'type'}`",
      mutants: [
        ['node.oneOf.every(({ properties }) => properties?.to)', 'node.oneOf.some(({ properties }) => properties?.to)'],
      ],
      why: 'One member tells all forms of a group apart.',
    },
  ],
  'config/notify-settings.ts': [
    {
      line: 'const names = addresses.map((each) => String(each).toLowerCase())',
      mutants: [['String(each).toLowerCase()', 'String(each).toUpperCase()']],
      why: 'Neither distinguishes the case.',
    },
  ],
  'config/plain-addresses-in-file.ts': [
    {
      line: "return addressKey ? plainHttpAddresses(`systems.${name}.${addressKey}`, system[addressKey] ?? '') : []",
      mutants: [["''", '"Stryker was here!"']],
      why: 'Neither is an address.',
    },
    {
      line: "plainHttpAddresses(`notify.to.${name}.${way}`, recipient[way] ?? ''),",
      mutants: [["''", '"Stryker was here!"']],
      why: 'Neither is an address.',
    },
    {
      line: "...plainHttpAddresses('notify.smtp.tokenUrl', notify.smtp.tokenUrl ?? ''),",
      mutants: [["''", '"Stryker was here!"']],
      why: 'Neither is an address.',
    },
    {
      line: "? plainHttpAddresses(`pipelines.${name}.writeBack.${index}.${addressKey}`, target[addressKey] ?? '')",
      mutants: [["''", '"Stryker was here!"']],
      why: 'Neither is an address.',
    },
    {
      line: "const stringOrEmpty = z.string().catch('')",
      mutants: [["''", '"Stryker was here!"']],
      why: 'Neither is an address.',
    },
    {
      line: ".catch({ writeBack: [], heartbeat: '' })",
      mutants: [["''", '"Stryker was here!"']],
      why: 'Neither is an address.',
    },
    {
      line: "const noConsole = { url: '', auth: { oidc: { issuer: '' } } }",
      mutants: [["''", '"Stryker was here!"']],
      why: 'Neither is an address.',
    },
    {
      line: "auth: z.object({ oidc: z.object({ issuer: stringOrEmpty }).catch({ issuer: '' }) }).catch(noConsole.auth),",
      mutants: [["''", '"Stryker was here!"']],
      why: 'Neither is an address.',
    },
    {
      line: "heartbeat: z.object({ url: stringOrEmpty }).catch({ url: '' }),",
      mutants: [["''", '"Stryker was here!"']],
      why: 'Neither is an address.',
    },
    {
      line: ".catch({ systems: {}, pipelines: {}, notify: { smtp: {}, to: {} }, heartbeat: { url: '' }, console: noConsole })",
      mutants: [["''", '"Stryker was here!"']],
      why: 'Neither is an address.',
    },
  ],
  'config/schema-lookup.ts': [
    {
      line: 'let previousRow = Array.from({ length: b.length + 1 }, (_, column) => column)',
      mutants: [['b.length + 1', 'b.length - 1']],
      why: 'Changes only distances of more than two, which count as none.',
    },
  ],
  'config/settings.ts': [
    {
      line: "error instanceof YAMLParseError ? `${error.code} at line ${error.linePos?.[0].line ?? '?'}` : 'unreadable'",
      mutants: [["'?'", '""']],
      why: 'The parser always knows the line.',
    },
    {
      line: "const used = new Set([...text.matchAll(/\\$\\{([A-Z0-9_]+)\\}/gi)].map(([, name = '']) => name))",
      mutants: [["''", '"Stryker was here!"']],
      why: 'The group is in every match.',
    },
    {
      line: "return env[name] ?? ''",
      mutants: [["''", '"Stryker was here!"']],
      why: 'Of such a setting, only the missing variable is reported.',
    },
  ],
}
