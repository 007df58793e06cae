// Sabotaged versions of inboxes, files, certificates, the report and the assembly of the app.

import type { Sabotage } from '../sabotage.ts'

export const filesAndIssuingSabotages: readonly Sabotage[] = [
  {
    name: 'settles unknown outcomes although items of the report look alike',
    file: 'src/issuing/reconcile/resolve-unconfirmed.ts',
    find: 'if (!scan.complete || !scan.distinguishable)',
    replace: 'if (!scan.complete)',
    caughtBy: { tests: 'test/src/issuing/reconcile/resolve-unconfirmed.test.ts', title: 'cannot be distinguished' },
  },
  {
    name: 'always gives the part file of a text the same name',
    file: 'src/files/inbox/write-text-safely.ts',
    find: 'randomUUID()',
    replace: 'randomUUID.length',
    caughtBy: { tests: 'test/src/files/inbox/write-text-safely.test.ts', title: 'left by a killed writer' },
  },
  {
    name: 'is healthy although a queue worker no longer takes jobs',
    file: 'src/platform/queue/stored-queues.ts',
    find: 'if (this.#stopped || [...this.#workers.values()].some((worker) => !worker.isRunning())) return false',
    replace: 'if (this.#stopped) return false',
    caughtBy: { tests: 'test/src/platform/queue/health.test.ts', title: 'has stopped taking jobs' },
  },
  {
    name: 'reads one row more than the limit allows',
    file: 'src/files/tables/csv/number-rows.ts',
    find: 'if (row > limits.rows)',
    replace: 'if (row > limits.rows + 1)',
    caughtBy: { tests: 'test/src/files/tables/corpus/corpus.test.ts', title: 'has more rows than the limit' },
  },
  {
    name: 'exits as if the service had answered when the only download failed',
    file: 'src/issuing/certificates/fetch-all.ts',
    find: 'unavailable || (outagesInRow > 0 && answers === 0)',
    replace: 'unavailable',
    caughtBy: {
      tests: 'test/src/issuing/certificates/fetch-all.test.ts',
      title: 'does not call an unavailable service for every certificate',
    },
  },
  {
    name: 'takes a changed file for the certificate that it has stored',
    file: 'src/issuing/certificates/manifest.ts',
    find: 'return sha256 === file.sha256 ? file : null',
    replace: 'return sha256 === null ? null : file',
    caughtBy: {
      tests: 'test/src/issuing/certificates/fetch-all.test.ts',
      title: 'requests again only files that are missing, have changed',
    },
  },
  {
    name: 'leaves half a certificate behind when it is interrupted',
    file: 'src/issuing/certificates/part-file.ts',
    find: `signal.addEventListener('abort', removeNow, { once: true })`,
    replace: `signal.removeEventListener('abort', removeNow)`,
    caughtBy: {
      tests: 'test/src/issuing/certificates/fetch-all.test.ts',
      title: 'leaves no partial file when it is interrupted',
    },
  },
  {
    name: 'follows the link of another credential whose id begins in the same way',
    file: 'src/issuing/certificates/certificate-download.ts',
    find: 'items.find((item) => item.credential_id === id)',
    replace: 'items.find((item) => item.credential_id?.startsWith(id))',
    caughtBy: {
      tests: 'test/src/issuing/certificates/certificate-download.test.ts',
      title: 'is not followed, and the refusal by the download endpoint is reported',
    },
  },
  {
    name: 'makes a new archive where the disk of the old one is not mounted',
    file: 'src/issuing/certificates/open-archives.ts',
    find: 'if (usedFolder === folder)',
    replace: 'if (usedFolder === dirname(folder))',
    caughtBy: {
      tests: 'test/stories/issuing/archive-certificates.test.ts',
      title: 'never a folder that was already used',
    },
  },
  {
    name: 'counts a scan that is exactly five minutes late as missed',
    file: 'src/files/inbox/when-to-scan.ts',
    find: 'now.getTime() - first.getTime() > lateMs',
    replace: 'now.getTime() - first.getTime() >= lateMs',
    caughtBy: {
      tests: 'test/src/files/inbox/when-to-scan.test.ts',
      title: 'counts as missed if it is more than five minutes late',
    },
  },
  {
    name: 'takes the marker of the next file of the same name',
    file: 'src/files/inbox/open-inbox.ts',
    find: ' || (await nullIfMissing(lstat(join(folder, name))))',
    replace: '',
    caughtBy: {
      tests: 'test/src/files/inbox/open-inbox.test.ts',
      title: 'also moves a marker that a kill left behind',
    },
  },
  {
    name: 'does not recognize a name whose accents are encoded in another way',
    file: 'src/files/inbox/matching-name.ts',
    find: `text.normalize('NFC').toLowerCase()`,
    replace: 'text.toLowerCase()',
    caughtBy: {
      tests: 'test/src/files/inbox/file-names.test.ts',
      title: 'is recognized however its accents are encoded',
    },
  },
  {
    name: 'lists only nineteen of the files that it does not take',
    file: 'src/files/inbox/files-not-taken.ts',
    find: 'sorted.slice(0, maxExamples)',
    replace: 'sorted.slice(0, maxExamples - 1)',
    caughtBy: {
      tests: 'test/src/files/inbox/files-not-taken.test.ts',
      title: 'are listed in order, at most twenty of them',
    },
  },
  {
    name: 'puts a second prefix before the name of a file that comes back',
    file: 'src/files/inbox/taken-name.ts',
    find: '(originalName(name) ?? name)',
    replace: 'name',
    caughtBy: {
      tests: 'test/src/files/inbox/file-names.test.ts',
      title: 'has the time and eight characters before the original name',
    },
  },
  {
    name: 'leaves the marker of a finished file in processing',
    file: 'src/files/inbox/move-taken-file.ts',
    find: 'if (marker !== null) await nullIfMissing(renameOver(from + marker, to + marker))',
    replace: '',
    caughtBy: {
      tests: 'test/src/files/inbox/move-taken-file.test.ts',
      title: 'a refused file is moved to `refused` with its marker',
    },
  },
  {
    name: 'takes a file whose time is in the future without waiting for it',
    file: 'src/files/inbox/settle-tracker.ts',
    find: 'nowMs - state.mtimeMs >= this.#settleMs',
    replace: 'Math.abs(nowMs - state.mtimeMs) >= this.#settleMs',
    caughtBy: {
      tests: 'test/src/files/inbox/open-inbox.test.ts',
      title: 'starts waiting again whenever the file has changed',
    },
  },
  {
    name: 'sends rows again although `reconcile.resend` is off',
    file: 'src/app/tuning.ts',
    find: 'resends: reconcile.resend ? invitations.resends : 0',
    replace: 'resends: invitations.resends',
    caughtBy: { tests: 'test/src/app/tuning.test.ts', title: 'a row is sent again automatically at most' },
  },
  {
    name: 'lets other accounts list its data directory',
    file: 'src/app/storage.ts',
    find: 'const dataDirMode = 0o711',
    replace: 'const dataDirMode = 0o755',
    caughtBy: {
      tests: 'test/src/app/storage.test.ts',
      title: 'the data directory lets other accounts pass but not list it',
    },
  },
  {
    name: 'lets a short command wait for a Redis that refuses writes',
    file: 'src/app/request-limits.ts',
    find: 'await redis.run(tryWriting, [writtenKey], [])',
    replace: '',
    caughtBy: { tests: 'test/src/app/request-limits.test.ts', title: 'makes a short command use its own slots' },
  },
  {
    name: 'forgets which environment a service address belongs to',
    file: 'src/app/app.ts',
    find: 'await pinServiceAddress(database, { baseUrl, environment, formerAddresses })',
    replace: '',
    caughtBy: {
      tests: 'test/src/cli/probe.test.ts',
      title: 'refuses an address that the ledger has used as production',
    },
  },
  {
    name: 'follows no link of a certificate unless hosts are configured',
    file: 'src/issuing/certificates/certificate-download.ts',
    find: 'return hosts.length > 0 ? hosts : [new URL(settings.baseUrl).host]',
    replace: 'return hosts',
    caughtBy: {
      tests: 'test/src/issuing/certificates/certificate-download.test.ts',
      title: 'or to the host of the service if none is configured',
    },
  },
  {
    name: 'refuses folders that the administrator has made',
    file: 'src/files/inbox/worker-folder.ts',
    find: ' || found.uid === 0) return null',
    replace: ') return null',
    caughtBy: {
      tests: 'test/src/files/inbox/hostile-droppers.test.ts',
      title: 'is refused, unless that account is root',
    },
  },
  {
    name: 'pads a number in a format that pads only some',
    file: 'src/files/tables/xlsx/number-format.ts',
    find: "if (conditional) return { shows: 'number', forms: [] }",
    replace: '',
    caughtBy: {
      tests: 'test/src/files/tables/corpus/corpus.test.ts',
      title: 'a number that its format pads in one way or another',
    },
  },
  {
    name: 'asks for pages of a size that the service no longer accepts, for hours',
    file: 'src/issuer/page-size.ts',
    find: 'const acceptedForMs = 5 * 60_000',
    replace: 'const acceptedForMs = 5 * 60_000_000',
    caughtBy: {
      tests: 'test/stories/issuing/large-pages-refused.test.ts',
      title: 'gets smaller pages once the accepted size is five minutes old',
    },
  },
  {
    name: 'does not count credentials that the report of one page lost',
    file: 'src/issuing/reconcile/watch-issued.ts',
    find: 'else if (isWhole) await markUnseenMissing(tools, startedAt)',
    replace: '',
    caughtBy: {
      tests: 'test/stories/issuing/revoked-in-the-portal.test.ts',
      title: 'stays issued and is counted the next day in a report of one page',
    },
  },
  {
    name: 'takes a file of the same size for unchanged although it was written again',
    file: 'src/files/inbox/settle-tracker.ts',
    find: ' && one.mtimeMs === other.mtimeMs',
    replace: '',
    caughtBy: { tests: 'test/src/files/inbox/settle-tracker.test.ts', title: 'starts anew' },
  },
  {
    name: 'fetches certificates for an archive that was removed from the configuration',
    file: 'src/ledger/archives.ts',
    find: 'WHERE a.environment = $1 AND a.watched AND a.due_at',
    replace: 'WHERE a.environment = $1 AND a.due_at',
    caughtBy: { tests: 'test/src/ledger/archives.test.ts', title: 'has nothing fetched until it is configured again' },
  },
  {
    name: 'skips a missed check of issued credentials when it is restarted',
    file: 'src/ledger/report/watching.ts',
    find: 'due_at = least(credential_watch.due_at, excluded.due_at)',
    replace: 'due_at = excluded.due_at',
    caughtBy: { tests: 'test/src/ledger/report/watching.test.ts', title: 'stays due if it was missed' },
  },
  {
    name: 'takes Ren? for a name',
    file: 'src/domain/recipient/damage/kinds-in-names.ts',
    find: '/[?？]/',
    replace: String.raw`/[?？]\p{L}/u`,
    caughtBy: { tests: 'test/src/domain/recipient/misread-letters.test.ts', title: 'a question mark' },
  },
  {
    name: 'stores any file of less than half a gigabyte as a certificate',
    file: 'src/issuing/certificates/fetch-certificate.ts',
    find: 'const defaultMaxBytes = 50_000_000',
    replace: 'const defaultMaxBytes = 500_000_000',
    caughtBy: { tests: 'test/src/issuing/certificates/fetch-all.test.ts', title: 'refuses a file over 50 MB' },
  },
  {
    name: 'reports an image as shared although the row of the second person is refused',
    file: 'src/issuing/intake/images-in-file.ts',
    find: 'if (!identityHash || violations) return',
    replace: 'if (!identityHash) return',
    caughtBy: { tests: 'test/src/issuing/intake/image-check.test.ts', title: 'or if one of them is rejected' },
  },
]
