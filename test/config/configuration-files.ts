// Writes configuration files to temporary folders for tests, and reads them with a valid environment.

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { SettingsError, type SettingsFault } from '#config/read-variable.ts'
import { type ReadSettingsOptions, readSettings, type Settings } from '#config/settings.ts'

export const uuid = '8d7c2b54-6f0e-4a1d-9b3c-5e2f7a9d0c11'

export const goodEnv: Readonly<Record<string, string>> = {
  CREDSYNC_BASE_URL: 'https://service.example',
  CREDSYNC_KEY: 'key-of-the-test',
  CREDSYNC_SECRET: 'secret-of-the-test',
}

export const goodPipeline = { course: uuid, template: uuid, badgeTemplate: uuid }
export const goodFile = { service: { environment: 'development' }, pipelines: { spring: goodPipeline } }

export async function testFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'credsync-config-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** Writes `file` (YAML text, or an object as JSON, which is also YAML) and reads it with the environment `env`. */
export async function readConfiguration(
  file: string | object,
  env: ReadSettingsOptions['env'] = goodEnv,
  folder?: string,
): Promise<Settings> {
  const cwd = folder ?? (await testFolder())
  await writeFile(join(cwd, 'given.yaml'), typeof file === 'string' ? file : JSON.stringify(file))
  return readSettings({ env, cwd, configPath: 'given.yaml' })
}

/** Returns the error with which an invalid configuration is refused. */
export async function refusalOf(reading: Promise<unknown>): Promise<SettingsError> {
  const error = await reading.then(
    () => null,
    (fault: unknown) => fault,
  )
  if (error instanceof SettingsError) return error
  throw new Error('The configuration was accepted, or refused with another error.', { cause: error })
}

/** Returns the messages about one setting. */
export function sentencesAbout(error: SettingsError, where: string): string[] {
  return error.faults.filter((fault: SettingsFault) => fault.where === where).map((fault) => fault.sentence)
}
