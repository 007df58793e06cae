// The query for what is stuck: archives, inboxes, results files and deliveries.

/**
 * SQL: a line for each trouble of a pipeline. `isWatched` is false once nothing is configured that could end it.
 * Parameters: the environment, the pipelines with an inbox, and pipeline and name of each target.
 */
export const troublesSql = `
  SELECT 'archive' AS subject, pipeline, problem, NULL::timestamptz AS since, watched AS "isWatched" FROM archive WHERE environment = $1 AND problem IS NOT NULL
  UNION ALL SELECT 'inbox', pipeline, problem, NULL, pipeline = ANY($2) FROM inbox_look WHERE environment = $1 AND problem IS NOT NULL
  UNION ALL SELECT 'results', r.pipeline, count(*) || ' results files are waiting to be written', min(r.settled_at), true
    FROM (SELECT run_id, written_at FROM write_back WHERE written < wanted) w CROSS JOIN LATERAL (SELECT * FROM run WHERE id = w.run_id OFFSET 0) r
    WHERE r.environment = $1 AND r.settled_at < clock_timestamp() - interval '1 hour'
      AND coalesce(w.written_at, '-infinity') < clock_timestamp() - interval '1 hour' GROUP BY r.pipeline
  UNION ALL SELECT 'delivery', pipeline, sum(waiting) FILTER (WHERE watched = any_watched) || ' outcomes wait until a learning system accepts them; \`credsync events\` says why',
      min(since) FILTER (WHERE watched = any_watched), any_watched
    FROM (SELECT *, bool_or(watched) OVER (PARTITION BY pipeline) AS any_watched FROM (
      SELECT i.pipeline, (i.pipeline, d.target) IN (SELECT * FROM unnest($3::text[], $4::text[])) AS watched, count(*) AS waiting, min(d.wanted_at) AS since
      FROM (SELECT issuance_id, target, wanted_at FROM delivery WHERE state = 'pending' AND refused) d
      CROSS JOIN LATERAL (SELECT environment, pipeline FROM issuance WHERE id = d.issuance_id OFFSET 0) i WHERE i.environment = $1 GROUP BY 1, 2) w) d
    GROUP BY pipeline, any_watched
  ORDER BY 1, 2`
