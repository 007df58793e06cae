// Tests the settings of faults: off by default, changed while the sandbox runs.

import { describe, expect, test } from 'vitest'
import type { Faults } from '#sandboxes/service/faults/faults.ts'
import { people, visitCore } from '#test/sandboxes/service/core-visitor.ts'

describe('faults', () => {
  test('are changed while the sandbox runs, part by part, and ended', async () => {
    const { core, invite } = await visitCore({ faults: { tooLarge: { recipients: 1 } } })
    core.injectFaults({ html502: { before: 1 } })
    expect(await invite('a@example.org')).toBe(502)
    core.injectFaults({ html502: undefined })
    expect(await invite('a@example.org')).toBe(200)
    expect(await invite(...people(2))).toBe(413)
    core.clearFaults()
    expect(await invite(...people(2))).toBe(200)
  })

  test('do not affect another sandbox', async () => {
    const faults: Faults = {}
    const [one, other] = [await visitCore({ faults }), await visitCore({ faults })]
    one.core.injectFaults({ html502: { before: 1 } })
    expect(await other.invite('a@example.org')).toBe(200)
    expect(faults).toEqual({})
  })
})
