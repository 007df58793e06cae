// ${NAME} in strings of the configuration file is replaced with the value of the environment variable.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: strings that look like templates are tested here

import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import { goodEnv, goodFile, goodPipeline, readConfiguration, refusalOf, uuid } from './configuration-files.ts'

const withPipeline = (more: object) => ({ ...goodFile, pipelines: { spring: { ...goodPipeline, ...more } } })

describe('${NAME} in the file', () => {
  test('is replaced from the environment, several times in one string and at any depth', async () => {
    const env = { ...goodEnv, COURSE: uuid, A: 'left', B: 'right' }
    const { file } = await readConfiguration(
      withPipeline({ course: '${COURSE}', columns: { Email: '${A}-${B}' }, identity: ['${A}'] }),
      env,
    )
    expect(file.pipelines.spring).toMatchObject({ course: uuid, columns: { Email: 'left-right' }, identity: ['left'] })
  })

  test('is reported with its setting if there is no such variable, together with all others', async () => {
    const error = await refusalOf(
      readConfiguration(withPipeline({ course: '${NO_COURSE}', identity: ['${NO_FIELD}'] })),
    )
    expect(error.faults).toEqual([
      {
        where: 'pipelines.spring.course',
        sentence: 'uses ${NO_COURSE}, but the environment has no NO_COURSE',
      },
      {
        where: 'pipelines.spring.identity.0',
        sentence: 'uses ${NO_FIELD}, but the environment has no NO_FIELD',
      },
    ])
  })

  // SSL_CERT and SSL_CERT_FILE, for one, may mean different things to different programs.
  test('is the variable itself, whatever else the environment has under its name and _FILE', async () => {
    const env = { ...goodEnv, FIELD: 'Email', FIELD_FILE: '/there/is/no/such/file' }
    const { file } = await readConfiguration(withPipeline({ identity: ['${FIELD}'] }), env)
    expect(file.pipelines.spring?.identity).toEqual(['Email'])
  })

  test('cannot change the structure of the file', async () => {
    const env = { ...goodEnv, TRICK: 'x\nlog: { level: debug }' }
    const { file } = await readConfiguration(withPipeline({ identity: ['${TRICK}'] }), env)
    expect(file.log.level).toBe('info')
    expect(file.pipelines.spring?.identity).toEqual(['x\nlog: { level: debug }'])
  })

  test('is not replaced within a value from the environment', async () => {
    const { file } = await readConfiguration(withPipeline({ identity: ['${A}'] }), { ...goodEnv, A: '${B}', B: 'no' })
    expect(file.pipelines.spring?.identity).toEqual(['${B}'])
  })

  test('does not reveal a secret that it stands for, even if the setting is invalid', async () => {
    const env = { ...goodEnv, PLANTED: 'planted-secret' }
    const error = await refusalOf(
      readConfiguration(
        {
          service: { environment: '${PLANTED}' },
          pipelines: { spring: { ...goodPipeline, template: '${PLANTED}', correlation: '${PLANTED}' } },
          web: { port: '${PLANTED}' },
          reconcile: { every: '${PLANTED}' },
        },
        env,
      ),
    )
    expect(error.faults.map(({ where }) => where).sort()).toEqual([
      'pipelines.spring.correlation',
      'pipelines.spring.template',
      'reconcile.every',
      'service.environment',
      'web.port',
    ])
    expect(inspect(error)).not.toContain('planted-secret')
  })
})
