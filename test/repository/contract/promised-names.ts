// Collects the names that scripts, dashboards and configuration files use, from where the program declares them.

import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Command } from 'commander'
import { referencePage } from '#build/settings-page.ts'
import { environmentRows } from '#config/environment-variables.ts'
import type { Cli } from '#src/cli/cli-context.ts'
import { defineProgram } from '#src/cli/command-line.ts'
import { exitCode } from '#src/cli/exit-code.ts'
import { states } from '#src/domain/credential/state.ts'
import { damageKinds } from '#src/domain/recipient/damage/damage-kinds.ts'
import { fixColumn, outcomeColumns, problemColumns } from '#src/files/tables/added-columns.ts'
import { events } from '#src/platform/log/events.ts'

const root = resolve(import.meta.dirname, '../../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

/** One promise a line, in no particular order. */
export function promisedNames(): string[] {
  return [
    ...commandNames(defineProgram({} as Cli, () => {})),
    ...Object.values(exitCode).map((code) => `exit code ${code}`),
    ...environmentRows.map(
      ([cell = '']) => `variable ${cell.replaceAll('`', '').replace(' *', ', also as NAME_FILE')}`,
    ),
    ...settingNames(),
    ...states.map((state) => `state ${state}`),
    ...outcomeColumns.map((name) => `results column ${name}`),
    ...[...problemColumns, fixColumn].map((name) => `invalid-rows column ${name}`),
    ...matches('src/extensions/certificates/manifest.ts', /^ {2}(\w+): (?:z\.|name)/gm).map(
      (name) => `manifest key ${name}`,
    ),
    ...matches('src/domain/recipient/remedy-of-rule.ts', /^ {2}'?([\w-]+)'?: \(/gm).map((name) => `rule ${name}`),
    ...damageKinds.map(({ rule }) => `rule ${rule}`),
    ...Object.entries(events).map(([name, [level]]) => `log event ${name}, ${level}`),
    ...matches('src/platform/log/events.ts', /^ {2}(\w+)\?: /gm).map((name) => `log field ${name}`),
    ...metricNames(),
    ...matches('docs/events.md', /^\| `((?:type|timestamp|data\.)[\w.]*)` \|/gm).map(
      (name) => `webhook member ${name}`,
    ),
  ]
}

function commandNames(command: Command, path: readonly string[] = []): string[] {
  const name = path.join(' ') || 'credsync'
  const isCommand = command.commands.length === 0
  const taken = command.registeredArguments.map((each) => ` ${each.required ? `<${each.name()}>` : `[${each.name()}]`}`)
  return [
    ...(isCommand ? [`command ${name}${taken.join('')}`] : []),
    ...command.options.map(({ flags, mandatory }) => `option ${name} ${flags}${mandatory ? ', required' : ''}`),
    ...command.commands.flatMap((each) => commandNames(each, [...path, each.name()])),
  ]
}

/** The bounds of numbers and the defaults are no promise, but that a value is a number is one. */
function settingNames(): string[] {
  const rows = [...referencePage().matchAll(/^\| `([^`]+)` +\| (.+?) +\| (.*?) +\| .*\|$/gm)]
  const inFile = rows.filter(([, name = '']) => /^[a-z]/.test(name))
  return inFile.flatMap(([, name = '', type = '', fallback = '']) => {
    const values = [...type.matchAll(/`([^`]+)`/g)].map(([, value]) => `value ${name}: ${value}`)
    const kind = type
      .replace(/`[^`]+`(, )?/g, '…')
      .replace(/…+/g, 'one of')
      .replace(/-?\d+ (or more|to \d+)/g, 'number')
    return [`setting ${name}: ${kind}${fallback === 'required' ? ', required' : ''}`, ...values]
  })
}

/** test/src/web/alarm-rules.test.ts compares the page with what is exported. */
function metricNames(): string[] {
  const rows = [...read('docs/metrics.md').matchAll(/^\| (`credsync_.+?) \| ([\w, ]*)\| /gm)]
  return rows.flatMap(([, first = '', labels = '']) => {
    const [name = '', ...ends] = [...first.matchAll(/`(\w+)`/g)].map(([, each = '']) => each)
    const stem = name.replace(/_[a-z]+$/, '')
    const names = [name, ...ends.map((end) => (end.startsWith('_') ? stem + end : end))]
    return names.map((each) => `metric ${each}{${labels.trim()}}`)
  })
}

function matches(path: string, pattern: RegExp): string[] {
  return [...read(path).matchAll(pattern)].map(([, name = '']) => name)
}
