// Whose batch comes next: each pipeline in its turn, so that a list of three people does not wait behind one of a hundred thousand.

/**
 * Takes from each that still has something, as often in a round as its share says (default 1), until `room` were taken.
 * @param take false when there was nothing (more) to be had
 */
export async function inTurns<Each extends { share?: number }>(
  waiting: readonly Each[],
  room: number,
  take: (each: Each) => Promise<boolean>,
): Promise<void> {
  let left = room
  let round = waiting
  while (left > 0 && round.length > 0) {
    const next: Each[] = []
    for (const each of round) {
      let turns = Math.min(each.share ?? 1, left)
      while (turns > 0 && (await take(each))) {
        turns--
        left--
      }
      if (turns === 0) next.push(each)
    }
    round = next
  }
}
