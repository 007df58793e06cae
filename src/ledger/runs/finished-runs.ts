// Finds runs that ended long ago, so that their files can be removed. Reads the database only.

import type { Database } from '#src/platform/database/database.ts'

interface NamedFile {
  prefix: string
  name: string
}

interface TakenFile extends NamedFile {
  /** When the file was taken from its inbox. */
  at: Date
}

/** SQL: whether run `r` ended at least $3 days ago, and nothing in it is still waiting. */
const isFinished = `coalesce(r.environment = $1
  AND greatest(r.settled_at, r.filed_at, (SELECT max(written_at) FROM write_back w WHERE w.run_id = r.id)) < clock_timestamp() - make_interval(days => $3)
  AND r.settled_at IS NOT NULL AND (NOT r.inbox OR r.filed_at IS NOT NULL)
  AND NOT EXISTS (SELECT FROM write_back w WHERE w.run_id = r.id AND w.written < w.wanted)
  AND NOT EXISTS (SELECT FROM erased_run e WHERE e.run_id = r.id AND e.cleaned_at IS NULL), false)`

const hasPrefix = `r.id BETWEEN (p || '-0000-0000-0000-000000000000')::uuid AND (p || '-ffff-ffff-ffff-ffffffffffff')::uuid`

export function finishedRunStore(db: Database, environment: string) {
  return {
    /**
     * Returns those of the run id prefixes (eight hexadecimal digits, as in file names) whose runs ended at least
     * `days` ago. A prefix is left out if any of its runs is still waiting for a decision, for its results to be
     * written, or for its file to be moved. An exact copy of a list has no run of its own, and counts as ended with the
     * run of the list. For a file that was refused before it had a run, the days count from when it was taken.
     * @param done files in the folder `done`, some of which may be such copies
     * @param refused files in the folder `refused`, some of which may never have had a run
     */
    finishedBefore: async (
      prefixes: readonly string[],
      days: number,
      { done = [], refused = [] }: { done?: readonly NamedFile[]; refused?: readonly TakenFile[] } = {},
    ): Promise<Set<string>> => {
      const { rows } = await db.query<{ prefix: string }>(
        `SELECT p AS prefix FROM unnest($2::text[]) p JOIN run r ON ${hasPrefix} GROUP BY p HAVING bool_and(${isFinished})
         UNION SELECT p FROM unnest($4::text[], $5::text[]) n(p, name) JOIN list_copy c ON regexp_replace(c.path, '^.*[/\\\\]', '') = n.name JOIN run r ON r.id = c.run_id
         WHERE ${isFinished} AND NOT EXISTS (SELECT FROM run r WHERE ${hasPrefix})
         UNION SELECT p FROM unnest($6::text[], $7::text[], $8::timestamptz[]) n(p, name, at)
         GROUP BY p HAVING bool_and(at < clock_timestamp() - make_interval(days => $3)) AND NOT EXISTS (SELECT FROM run r WHERE ${hasPrefix})
           AND NOT bool_or(name IN (SELECT regexp_replace(source_path, '^.*[/\\\\]', '') FROM run WHERE inbox))`,
        [
          ...[environment, prefixes, days, done.map(({ prefix }) => prefix), done.map(({ name }) => name)],
          ...[refused.map(({ prefix }) => prefix), refused.map(({ name }) => name), refused.map(({ at }) => at)],
        ],
      )
      return new Set(rows.map(({ prefix }) => prefix))
    },
  }
}
