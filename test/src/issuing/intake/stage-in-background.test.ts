// Staging batches of rows while the next batch is read and checked.

import { describe, expect, test } from 'vitest'
import { stageInBackground } from '#src/issuing/intake/stage-in-background.ts'

async function* batchesOf(...batches: number[][]): AsyncGenerator<number[]> {
  yield* batches
}

const unchanged = (batch: number[]) => batch

describe('staging in the background', () => {
  test('stages the batches in order, and counts the rows', async () => {
    const staged: number[][] = []
    const stage = async (rows: readonly number[]) => void staged.push([...rows])
    const check = (batch: number[]) => batch.map((each) => each * 10)
    expect(await stageInBackground(batchesOf([1, 2], [3], []), check, stage)).toBe(3)
    expect(staged).toEqual([[10, 20], [30], []])
  })

  test('checks the next batch while one is being staged, and never stages two at a time', async () => {
    const events: string[] = []
    const check = (batch: number[]) => {
      events.push(`check ${batch}`)
      return batch
    }
    const stage = async (rows: readonly number[]) => {
      events.push(`begin ${rows}`)
      await new Promise((resolve) => setImmediate(resolve))
      events.push(`end ${rows}`)
    }
    await stageInBackground(batchesOf([1], [2], [3]), check, stage)
    expect(events).toEqual([
      'check 1',
      'begin 1',
      'check 2',
      'end 1',
      'begin 2',
      'check 3',
      'end 2',
      'begin 3',
      'end 3',
    ])
  })

  test('rejects with an error from staging, even for the last batch', async () => {
    const refuse = (bad: number) => async (rows: readonly number[]) => {
      if (rows.includes(bad)) throw new Error(`not ${bad}`)
    }
    await expect(stageInBackground(batchesOf([1], [2], [3]), unchanged, refuse(1))).rejects.toThrow('not 1')
    await expect(stageInBackground(batchesOf([1], [2], [3]), unchanged, refuse(3))).rejects.toThrow('not 3')
  })

  test('rejects with an error from reading only after staging has ended', async () => {
    async function* broken() {
      yield [1]
      throw new Error('the file is damaged')
    }
    let ended = false
    const stage = async () => {
      await new Promise((resolve) => setImmediate(resolve))
      ended = true
    }
    await expect(stageInBackground(broken(), unchanged, stage)).rejects.toThrow('the file is damaged')
    expect(ended).toBe(true)
  })
})
