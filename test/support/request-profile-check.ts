// Makes the nightly check of written profiles due now.

import type { Database } from '#src/platform/database/database.ts'

export const requestProfileCheck = (database: Pick<Database, 'query'>) =>
  database.query(
    'UPDATE learning_system SET look_at = clock_timestamp(), look_began_at = NULL, look_asked_at = NULL WHERE look_at IS NOT NULL',
  )
