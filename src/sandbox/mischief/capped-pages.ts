// Pages that hold fewer records than was asked for, with or without a word about it.

import type { Mischief } from './mischief.ts'

/** `cut` is the page as it is made (its start moves with its size), `told` is what the pager says. */
export function cappedWish<T extends { recordsPerPage: number }>(
  wish: T,
  { cappedPages }: Mischief,
): { cut: T; told: T } {
  if (!cappedPages) return { cut: wish, told: wish }
  const cut = { ...wish, recordsPerPage: Math.min(wish.recordsPerPage, cappedPages.records) }
  return { cut, told: cappedPages.pager === 'wish' ? wish : cut }
}
