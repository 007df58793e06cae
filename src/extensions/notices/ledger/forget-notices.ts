// Removes what nobody needs any more: messages to recipients who are no longer configured, and notices that ended long
// ago with their messages. Writes the database.

import type { Database } from '#src/platform/database/database.ts'
import { isPending } from './notice-messages.ts'

const maxNotices = 1_000

export function noticeRetention(db: Database, environment: string) {
  return {
    /**
     * Forgets what waits for recipients other than these, if it is older than `before`, and that messages to them
     * failed. @returns their names
     */
    forgetOtherRecipients: (recipients: readonly string[], before: Date): Promise<string[]> =>
      db.transaction(async (sql) => {
        const others = async <Row extends object = { recipient: string }>(text: string, ...values: unknown[]) =>
          (await sql.query<Row>(text, [environment, recipients, ...values])).rows
        // Locked, so that none of them is delivered by another worker before it is deleted.
        const waiting = await others<{ id: string }>(
          `SELECT id FROM notice_message WHERE environment = $1 AND recipient <> ALL($2) AND ${isPending} AND created_at < $3
           ORDER BY id FOR UPDATE`,
          before,
        )
        const ids = waiting.map(({ id }) => id)
        const found = [
          ...(await others(
            `DELETE FROM notice_change c USING notice n WHERE n.id = c.notice_id AND n.environment = $1 AND c.recipient <> ALL($2)
               AND ((c.message_id IS NULL AND c.at < $3) OR c.message_id = ANY($4::uuid[])) RETURNING c.recipient`,
            ...[before, ids],
          )),
          ...(await others(
            'DELETE FROM notice_message WHERE environment = $1 AND recipient <> ALL($2) AND id = ANY($3::uuid[]) RETURNING recipient',
            ids,
          )),
          ...(await others(
            `UPDATE notice_message SET failing_since = NULL
             WHERE environment = $1 AND recipient <> ALL($2) AND NOT (${isPending}) AND failing_since IS NOT NULL RETURNING recipient`,
          )),
        ]
        return [...new Set(found.map(({ recipient }) => recipient))]
      }),
    /** Deletes some of the notices that ended before this, and messages from before this that no notice refers to. */
    prune: (before: Date): Promise<void> =>
      db.transaction(async (sql) => {
        // What somebody has not read yet stays.
        const { rows } = await sql.query<{ id: number }>(
          `SELECT id FROM notice n WHERE environment = $1 AND recovered_at < $2
             AND NOT EXISTS (SELECT FROM notice_change c LEFT JOIN notice_message m ON m.id = c.message_id
                             WHERE c.notice_id = n.id AND m.delivered_at IS NULL AND m.given_up_at IS NULL)
           ORDER BY recovered_at LIMIT ${maxNotices}`,
          [environment, before],
        )
        const ids = rows.map(({ id }) => id)
        await sql.query('DELETE FROM notice_change WHERE notice_id = ANY($1)', [ids])
        await sql.query('DELETE FROM notice WHERE id = ANY($1)', [ids])
        await sql.query(
          `DELETE FROM notice_message m WHERE environment = $1 AND created_at < $2 AND NOT (${isPending})
             AND NOT EXISTS (SELECT FROM notice_change c WHERE c.message_id = m.id)`,
          [environment, before],
        )
      }),
  }
}
