// What we were told: the configuration file and the environment become one frozen object, or every fault at once.

import { readFile } from 'node:fs/promises'
import { isAbsolute, resolve } from 'node:path'
import { parse as parseYaml, YAMLParseError } from 'yaml'
import { Secret } from '#src/secret/secret.ts'
import { parseDuration } from '#src/time/duration.ts'
import { placeArchives } from './archive-places.ts'
import { readEnvironment } from './environment.ts'
import { faultsOf } from './faults-of.ts'
import { placeInboxes } from './inbox-places.ts'
import { checkSystems } from './named-systems.ts'
import { type FileSettings, fileSchema } from './schema.ts'
import { SettingsError, type SettingsFault } from './settings-error.ts'

export interface Settings {
  configPath: string
  baseUrl: string
  key: Secret
  secret: Secret
  databaseUrl: Secret | null
  redisUrl: Secret | null
  dataDir: string
  file: FileSettings
}

export interface ReadSettingsOptions {
  env: Readonly<Record<string, string | undefined>>
  /** A path given with --config; relative paths start at `cwd`. */
  configPath?: string | undefined
  cwd: string
}

const defaultPath = 'config/credsync.yaml'

/** @throws SettingsError with every fault of the file and of the environment together */
export async function readSettings(sources: ReadSettingsOptions): Promise<Settings> {
  const faults: SettingsFault[] = []
  const at = (path: string) => (isAbsolute(path) ? path : resolve(sources.cwd, path))
  const configPath = at(sources.configPath ?? defaultPath)
  const environment = await readEnvironment(sources.env, faults)
  const dataDir = at(environment.dataDir)
  const written = await readFileSettings(configPath, sources.env, faults)
  const placed = written && (await placeInboxes(written, at, dataDir, faults))
  const file = placed && (await placeArchives(placed, at, dataDir, faults))
  if (file) checkSystems(file, faults)
  const { baseUrl, key, secret } = environment
  if (faults.length > 0 || !baseUrl || !key || !secret || !file) throw new SettingsError(faults)
  return deepFreeze({
    configPath,
    baseUrl: baseUrl.replace(/\/+$/, ''),
    key: new Secret(key),
    secret: new Secret(secret),
    databaseUrl: environment.databaseUrl ? new Secret(environment.databaseUrl) : null,
    redisUrl: environment.redisUrl ? new Secret(environment.redisUrl) : null,
    dataDir,
    file: environment.logLevel ? { ...file, log: { level: environment.logLevel } } : file,
  })
}

/** Where the ledger is: all that `status` and `explain` need, so they work while the rest of the configuration is being written. */
export async function readStorageSettings(
  sources: ReadSettingsOptions,
): Promise<Pick<Settings, 'databaseUrl' | 'dataDir'>> {
  const faults: SettingsFault[] = []
  const environment = await readEnvironment(sources.env, faults, { storageOnly: true })
  if (faults.length > 0) throw new SettingsError(faults)
  return {
    databaseUrl: environment.databaseUrl ? new Secret(environment.databaseUrl) : null,
    dataDir: resolve(sources.cwd, environment.dataDir),
  }
}

/** Checks settings that were built in code (the demo, tests) by the same rules as a file. */
export function parseFileSettings(input: unknown): FileSettings {
  const result = fileSchema.safeParse(input)
  if (!result.success) throw new SettingsError(result.error.issues.flatMap(faultsOf))
  return result.data
}

export function durationMs(text: string): number {
  const ms = parseDuration(text)
  if (ms === null) throw new SettingsError([{ where: text, sentence: 'is not a duration' }])
  return ms
}

async function readFileSettings(
  path: string,
  env: ReadSettingsOptions['env'],
  faults: SettingsFault[],
): Promise<FileSettings | null> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch {
    faults.push({
      where: path,
      sentence: 'cannot be read. Copy config/credsync.example.yaml there, or name another file with --config',
    })
    return null
  }
  let input: unknown
  try {
    input = parseYaml(text)
  } catch (error) {
    const words =
      error instanceof YAMLParseError ? `${error.code} at line ${error.linePos?.[0].line ?? '?'}` : 'unreadable'
    const tabs =
      error instanceof YAMLParseError && error.code === 'TAB_AS_INDENT' ? '; indent with spaces, not with tabs' : ''
    faults.push({ where: path, sentence: `is not valid YAML (${words})${tabs}` })
    return null
  }
  const missing: SettingsFault[] = []
  const result = fileSchema.safeParse(fillIn(input, env, missing, []))
  faults.push(...missing)
  if (result.success) return result.data
  // What a missing name left empty is one fault, not two.
  const told = new Set(missing.map((fault) => fault.where))
  faults.push(...result.error.issues.flatMap(faultsOf).filter((fault) => !told.has(fault.where)))
  return null
}

/** Replaces ${NAME} in every text of the file. Done after parsing, so a value can't change the shape of the file. */
function fillIn(value: unknown, env: ReadSettingsOptions['env'], faults: SettingsFault[], path: string[]): unknown {
  if (typeof value === 'string')
    return value.replace(/\$\{([A-Z0-9_]+)\}/gi, (_, name: string) => {
      if (env[name] === undefined)
        faults.push({ where: path.join('.'), sentence: `names \${${name}}, and the environment has no ${name}` })
      return env[name] ?? ''
    })
  if (Array.isArray(value)) return value.map((each, index) => fillIn(each, env, faults, [...path, String(index)]))
  if (value && typeof value === 'object')
    return Object.fromEntries(
      Object.entries(value).map(([key, each]) => [key, fillIn(each, env, faults, [...path, key])]),
    )
  return value
}

function deepFreeze<T>(value: T): T {
  if (value && typeof value === 'object' && !Object.isFrozen(value) && !(value instanceof Secret)) {
    Object.freeze(value)
    for (const each of Object.values(value)) deepFreeze(each)
  }
  return value
}
