// ${NAME} in the texts of the configuration file.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: what looks like a forgotten template is what is tested here

import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import { goodEnv, goodFile, goodPipeline, readWritten, refusalOf, uuid } from './written.ts'

const withPipeline = (more: object) => ({ ...goodFile, pipelines: { spring: { ...goodPipeline, ...more } } })

describe('${NAME} in the file', () => {
  test('is replaced from the environment, several times in one text and at any depth', async () => {
    const env = { ...goodEnv, COURSE: uuid, A: 'left', B: 'right' }
    const { file } = await readWritten(
      withPipeline({ course: '${COURSE}', columns: { Email: '${A}-${B}' }, identity: ['${A}'] }),
      env,
    )
    expect(file.pipelines.spring).toMatchObject({ course: uuid, columns: { Email: 'left-right' }, identity: ['left'] })
  })

  test('that is missing is named with its place, each once and all together', async () => {
    const error = await refusalOf(readWritten(withPipeline({ course: '${NO_COURSE}', identity: ['${NO_FIELD}'] })))
    expect(error.faults).toEqual([
      {
        where: 'pipelines.spring.course',
        sentence: 'names ${NO_COURSE}, and the environment has no NO_COURSE',
      },
      {
        where: 'pipelines.spring.identity.0',
        sentence: 'names ${NO_FIELD}, and the environment has no NO_FIELD',
      },
    ])
  })

  test('cannot change the shape of the file', async () => {
    const env = { ...goodEnv, TRICK: 'x\nlog: { level: debug }' }
    const { file } = await readWritten(withPipeline({ identity: ['${TRICK}'] }), env)
    expect(file.log.level).toBe('info')
    expect(file.pipelines.spring?.identity).toEqual(['x\nlog: { level: debug }'])
  })

  test('is not replaced a second time inside what came from the environment', async () => {
    const { file } = await readWritten(withPipeline({ identity: ['${A}'] }), { ...goodEnv, A: '${B}', B: 'no' })
    expect(file.pipelines.spring?.identity).toEqual(['${B}'])
  })

  test('that holds a secret does not show it when the place is wrong for it', async () => {
    const env = { ...goodEnv, PLANTED: 'planted-secret' }
    const error = await refusalOf(
      readWritten(
        {
          service: { environment: '${PLANTED}' },
          pipelines: { spring: { ...goodPipeline, template: '${PLANTED}', correlation: '${PLANTED}' } },
          web: { port: '${PLANTED}' },
          reconcile: { every: '${PLANTED}' },
        },
        env,
      ),
    )
    expect(error.faults).toHaveLength(5)
    expect(inspect(error)).not.toContain('planted-secret')
  })
})
