// Runs every network fault at every stage of a run, with the queues in PostgreSQL.

import { describeWithDatabase } from '#test/support/database.ts'
import { networkTests } from './network-suite.ts'

describeWithDatabase('with the queues in PostgreSQL, a network fault', () => networkTests('postgres'))
