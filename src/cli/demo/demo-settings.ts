// The settings of a demo: the sandbox as the service, a data folder, and a database that belongs to demos.

import type { FileSettings } from '#config/schema.ts'
import type { Settings } from '#config/settings.ts'
import type { Sandbox } from '#sandboxes/service/open-sandbox.ts'
import { pipelineName } from '#src/extensions/lms/commands/demo-campus.ts'
import { Secret } from '#src/platform/secret.ts'

/** The data folder, and the database if it is not the embedded one. */
export type DemoStorage = Pick<Settings, 'dataDir' | 'databaseUrl'>

export function demoSettings(
  sandbox: { url: string; key: string; secret: string },
  storage: DemoStorage,
  file: FileSettings,
): Settings {
  return {
    configPath: 'built into the demo',
    baseUrl: sandbox.url,
    key: new Secret(sandbox.key),
    secret: new Secret(sandbox.secret),
    redisUrl: null,
    ...storage,
    file,
  }
}

/** The pipeline of `demo --lms`, which issues the completions of one course of the system `campus`. */
export function campusPipeline(sandbox: Sandbox, code: string, target: object): object {
  const [course] = sandbox.courses
  if (!course) throw new Error('The sandbox has no course.')
  return {
    pipelines: {
      [pipelineName]: {
        course: course.uuid,
        template: course.templateUuid,
        badgeTemplate: course.badgeTemplateUuid,
        source: { system: 'campus', course: code },
        columns: { Email: 'email', 'Primary Value': { value: 'Email' } },
        options: { publicLink: true },
        writeBack: [target],
      },
    },
    reconcile: { every: '500ms', slowest: '2s' },
    web: { port: 0 },
  }
}
