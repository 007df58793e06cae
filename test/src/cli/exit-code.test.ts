// The exit code of each error, which calling scripts rely on.

import { describe, expect, test } from 'vitest'
import { SettingsError } from '#config/read-variable.ts'
import { NotDurableError } from '#src/check/check-durability.ts'
import { RedisUnsuitableError } from '#src/check/startup-checks.ts'
import { exitCode, exitCodeOf, UsageError } from '#src/cli/exit-code.ts'
import { DownloadFolderError } from '#src/extensions/certificates/download-folder-error.ts'
import { CourseFileError } from '#src/extensions/courses/read-course-file.ts'
import { SourceError } from '#src/files/tables/source-error.ts'
import { FileNotWrittenError } from '#src/files/tables/write-new-file.ts'
import { ServiceRefusedError } from '#src/issuer/classify-read.ts'
import { CourseInputError } from '#src/issuer/courses/course-body.ts'
import { BaseUrlError } from '#src/issuer/http/base-url.ts'
import { WireError } from '#src/issuer/read-shape.ts'
import { ServiceUnreachableError } from '#src/issuer/service-unreachable-error.ts'
import { KeysRefusedError } from '#src/issuer/tokens/token-calls.ts'
import { RefusedDecisionError } from '#src/issuing/decisions/refused-decision-error.ts'
import { CorrectionError } from '#src/issuing/intake/propose-correction.ts'
import { PlanError } from '#src/issuing/intake/row-check.ts'
import { CourseUnknownError } from '#src/issuing/pipelines/course-cache.ts'
import { PipelineUnknownError } from '#src/issuing/pipelines/pipelines.ts'
import { UploadSheetError } from '#src/issuing/upload/check-sheet.ts'
import { SendingStoppedError } from '#src/ledger/attempts/sending-stopped-message.ts'
import { MarkUnreadableError } from '#src/ledger/mark/open-mark.ts'
import { LedgerTooNewError, MigrationChangedError } from '#src/ledger/migrate.ts'
import { RowMovedError } from '#src/ledger/operator-decision.ts'
import { EnvironmentMixedError } from '#src/ledger/service-address.ts'
import { DatabaseRefusedError, DatabaseUnreachableError } from '#src/platform/database/database-error.ts'
import { EmbeddedPostgresError } from '#src/platform/database/embedded-error.ts'
import { QueueUnreachableError } from '#src/platform/queue/answer-within.ts'
import { ClockSkewError } from '#src/platform/queue/clock-skew.ts'
import { RedisRefusedError, RedisUnreachableError } from '#src/platform/redis/redis-error.ts'

describe('an exit code', () => {
  test('has the number that scripts rely on', () => {
    expect(exitCode).toEqual({ ok: 0, fault: 1, usage: 2, needsPerson: 3, service: 4, timeout: 5, interrupted: 130 })
  })

  // Built from the real classes: a renamed class without an entry would count as an internal error.
  test.each([
    new SettingsError([]),
    new UsageError('x'),
    new PipelineUnknownError('x'),
    new SourceError('empty', 'a.csv', 'x'),
    new UploadSheetError(['x']),
    new CourseUnknownError('x'),
    new CourseFileError('x', []),
    new CourseInputError([]),
    new EnvironmentMixedError('x'),
    new DatabaseUnreachableError('x'),
    new DatabaseRefusedError('x', { what: 'y', next: 'z' }),
    new BaseUrlError('x'),
    new PlanError([]),
    new CorrectionError('x'),
    new RefusedDecisionError('x'),
    new RowMovedError(1),
    new FileNotWrittenError('x'),
    new DownloadFolderError('x'),
    new QueueUnreachableError('x', 'y'),
    new RedisUnreachableError('x', 'y'),
    new RedisRefusedError('x', 'y'),
    new RedisUnsuitableError([]),
    new EmbeddedPostgresError({ what: 'x', where: '/y', next: 'z' }),
    new ClockSkewError(90_000),
    new LedgerTooNewError([]),
    new MigrationChangedError([]),
    new MarkUnreadableError('x', new Error('y')),
    new NotDurableError('x'),
    new ServiceRefusedError(404, 'field-list', ''),
    new ServiceRefusedError(422, 'course-detail', ''),
  ])('is 2 for $name', (error) => {
    expect(exitCodeOf(error)).toBe(2)
  })

  test('is 3 if only an operator can allow sending again', () => {
    const stop = { environment: 'production', since: new Date(0), reason: 'x' }
    expect(exitCodeOf(new SendingStoppedError({ id: 1, ...stop }))).toBe(3)
  })

  test.each([
    new ServiceUnreachableError('token', 'ECONNREFUSED', 4),
    new KeysRefusedError(401),
    new WireError('token', '(whole answer)', 'not JSON'),
    new ServiceRefusedError(403, 'field-list', ''),
    new ServiceRefusedError(404, 'token', ''),
  ])('is 4 for $name', (error) => {
    expect(exitCodeOf(error)).toBe(4)
  })

  test.each([
    new Error('x'),
    new TypeError('x'),
    'a text',
    null,
    undefined,
    Object.assign(new Error('x'), { name: 'constructor' }),
  ])('is 1 for unclassified errors: %s', (error) => {
    expect(exitCodeOf(error)).toBe(1)
  })
})
