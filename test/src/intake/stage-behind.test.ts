import { describe, expect, test } from 'vitest'
import { stageBehind } from '#src/intake/stage-behind.ts'

async function* batchesOf(...batches: number[][]): AsyncGenerator<number[]> {
  yield* batches
}

const asTheyAre = (batch: number[]) => batch

describe('staging behind the reading', () => {
  test('stages every batch in its order, and counts the rows', async () => {
    const staged: number[][] = []
    const stage = async (rows: readonly number[]) => void staged.push([...rows])
    const check = (batch: number[]) => batch.map((each) => each * 10)
    expect(await stageBehind(batchesOf([1, 2], [3], []), check, stage)).toBe(3)
    expect(staged).toEqual([[10, 20], [30], []])
  })

  test('checks the next batch while one is under way, and has never two under way', async () => {
    const told: string[] = []
    const check = (batch: number[]) => {
      told.push(`check ${batch}`)
      return batch
    }
    const stage = async (rows: readonly number[]) => {
      told.push(`begin ${rows}`)
      await new Promise((resolve) => setImmediate(resolve))
      told.push(`end ${rows}`)
    }
    await stageBehind(batchesOf([1], [2], [3]), check, stage)
    expect(told).toEqual(['check 1', 'begin 1', 'check 2', 'end 1', 'begin 2', 'check 3', 'end 2', 'begin 3', 'end 3'])
  })

  test('throws what staging throws, also of the last batch', async () => {
    const refuse = (bad: number) => async (rows: readonly number[]) => {
      if (rows.includes(bad)) throw new Error(`not ${bad}`)
    }
    await expect(stageBehind(batchesOf([1], [2], [3]), asTheyAre, refuse(1))).rejects.toThrow('not 1')
    await expect(stageBehind(batchesOf([1], [2], [3]), asTheyAre, refuse(3))).rejects.toThrow('not 3')
  })

  test('throws what the reading throws, once nothing is under way any more', async () => {
    async function* broken() {
      yield [1]
      throw new Error('the file is damaged')
    }
    let ended = false
    const stage = async () => {
      await new Promise((resolve) => setImmediate(resolve))
      ended = true
    }
    await expect(stageBehind(broken(), asTheyAre, stage)).rejects.toThrow('the file is damaged')
    expect(ended).toBe(true)
  })
})
