// The inventory of the tables whose rows are about the work, and about erasures. No values of recipients are in them.

import { always, type TableInventory } from './table-inventory.ts'

const work = (holds: string, others: string, kept = always): TableInventory => ({ holds, kept, others })

export const tablesOfWork: Readonly<Record<string, TableInventory>> = {
  erasure: {
    holds: 'people are forgotten',
    kept: always,
    staff: { requested_by: 'who asked for it', reason: 'why; an operator wrote it, and must not name the person' },
    others:
      'id environment kind pipeline requested_at revokes releases recorded_at waits_for events_at events_to waiting_events ended_at',
  },
  erased_issuance: {
    holds: 'an issuance of somebody who is forgotten',
    kept: `${always}; the hashes until the person is released`,
    pseudonymous: { name_hash: 'keyed hash of the folded name', occurrence_hash: 'keyed hash of the occurrence' },
    others:
      'issuance_id erasure_id environment course_uuid identity_fields name_fields occurrence_fields emptied_at released_at',
  },
  erased_identifier: {
    holds: 'an identifier of somebody who is forgotten',
    kept: `${always}, or until the person is released`,
    pseudonymous: { hash: 'keyed hash of an address, number or identity value' },
    others: 'issuance_id',
  },
  erased_row: work(
    'an invalid or skipped row that is forgotten apart from any issuance',
    'run_id row_number erasure_id emptied_at',
  ),
  erased_completion: work('a completion of somebody who is forgotten', 'completion_id erasure_id trace_id emptied_at'),
  erased_trace: {
    holds: 'by what somebody is recognized of whom only such a row or a completion was forgotten',
    kept: `${always}, or until the person is released`,
    pseudonymous: {
      identity_hash: 'keyed hash of the identity',
      name_hash: 'keyed hash of the folded name',
      occurrence_hash: 'keyed hash of the occurrence',
    },
    others: 'id erasure_id environment course_uuid run_id row_number completion_id identity_fields occurrence_fields',
  },
  erased_trace_identifier: {
    holds: 'an identifier of such a row or completion, or all of its cells',
    kept: `${always}, or until the person is released`,
    pseudonymous: { hash: 'keyed hash of an address, number or identity value, or of the whole row' },
    others: 'trace_id is_whole',
  },
  erased_run: work(
    'a list whose files are written again without somebody who is forgotten',
    'run_id erasure_id cleaned_at',
  ),
  expiring_issuance: work(
    'an issuance of a list whose retention has ended',
    'issuance_id looked_at',
    'until it is emptied, or a newer list names it',
  ),
  console_person: {
    holds: 'somebody who signs in to the console',
    kept: 'until removed',
    staff: { name: 'the name for signing in', password: 'a scrypt hash', added_by: 'who added the person' },
    others: 'environment role pipelines link_hash link_ends_at added_at',
  },
  console_session: {
    holds: 'a session in the console',
    kept: 'at most 12 hours, and until the next sign-in',
    staff: { name: 'who signed in' },
    others: 'token_hash environment role pipelines began_at seen_at',
  },
  console_act: {
    holds: 'what somebody did or looked at in the console',
    kept: `${always}; sign-ins, looks and downloads for console.keepDays, if that is set`,
    staff: { by: 'who did it' },
    others: 'id environment at act run_id issuance_id detail',
  },
  run: {
    holds: 'one reading of a list',
    kept: always,
    staff: {
      approved_by: 'who released it from the brake',
      approved_why: 'why; an operator wrote it',
      rejected_by: 'who refused it',
      rejected_why: 'why; an operator wrote it',
    },
    pseudonymous: {
      source_sha256: 'hash of the whole list',
      source_name: 'the name of the file, which its sender chose: it must not name people',
      source_path: 'where the file was',
      notices: 'remarks about the file, with up to five names of images that no row uses: they must not name people',
    },
    others: `id environment pipeline course_uuid format header state rows invalid skipped accepted read_rows refusal
      results_path invalid_path received_at published_at settled_at asked_at inbox filed_at known changed gone last_list
      braked_at would_accept usual braked_because approved_at rejected_at corrects separator adopts adopting missed_at
      shown waits_because waits_since beyond_day summarized_at reopened_at ping changes_compared refusal_noted_at
      expired_at`,
  },
  run_count: work('how many rows of a list are in a state', 'run_id state rows surplus'),
  list_copy: {
    holds: 'an exact copy of a list that came again',
    kept: `${always}, or until another file has its name`,
    pseudonymous: { path: 'where the file was' },
    others: 'run_id environment pipeline at',
  },
  write_back: work(
    'the results of a list that are to be written',
    'id run_id target wanted written asked_at written_at problem',
  ),
  inbox_look: {
    holds: 'when a folder was last looked at',
    kept: always,
    pseudonymous: { left_lying: 'the names of files that cannot be taken' },
    others:
      'environment pipeline last_due_at looked_at files files_at again_at missed_at missed caught_up_at problem asked_at',
  },
  archive: work(
    'a folder of certificates',
    'environment pipeline folder watched used_folder kept problem tries due_at asked_at',
  ),
  course: work(
    'what is known about a course',
    `environment course_uuid certificate_name batch_limit paused_until pause_reason canary_since first_list
      first_list_shows trouble_level paused_since paused_after_trouble`,
  ),
  course_probe: work(
    'what a probe found out with invented recipients, never in production',
    'environment course_uuid probed_at findings',
  ),
  learning_system: work(
    'when a learning system is asked, and what stands in the way',
    `environment system due_at sweep_at asked_at tries problem polled_at swept_at watched away_since away_because
      schedule look_at look_began_at look_asked_at`,
  ),
  scan: work(
    'one reading of the report',
    'id environment since started_at ended_at complete pages items claimed unknown problem',
  ),
  poller: work('when the report is read next', 'environment deep_due_at due_at asked_at'),
  credential_watch: work(
    'when issued credentials are checked next',
    `environment due_at asked_at sorted_at round_began_at position page_records all_wanted_at all_done_at ended_at way
      issued looked_since`,
  ),
  claim_counter: work('the number of the last claim', 'environment number era stopped token token_before'),
  claim: work('one claim', 'environment number token era attempt_id revocation_id at'),
  sending_stop: {
    holds: 'why and since when nothing is sent',
    kept: always,
    staff: { ended_by: 'who ended it', ended_why: 'why; an operator wrote it' },
    others: 'id environment since reason ended_at',
  },
  notice: work(
    'what somebody is to know',
    'id environment key kind pipeline facts since opened_at reminded_at recovered_at',
    '90 days after it is over',
  ),
  notice_change: {
    holds: 'a change that one recipient of messages is to read',
    kept: 'as the notice',
    staff: { recipient: 'the address of a member of the staff, or the name of a hook' },
    others: 'id notice_id change facts at message_id',
  },
  notice_message: {
    holds: 'a message to the staff',
    kept: '90 days',
    staff: { recipient: 'the address of a member of the staff, or the name of a hook' },
    others: 'id environment words created_at due_at tries problem failing_since delivered_at is_short given_up_at',
  },
  notice_watch: work('since when something is observed', 'environment subject terms since'),
  obstacle: work(
    'what keeps a worker from its work',
    'environment subject detail since seen_at until error',
    'until it is over',
  ),
  worker: {
    holds: 'a process that works on the ledger',
    kept: 'while it runs',
    staff: { host: 'the name of the computer', pid: 'the number of the process' },
    others: 'environment configuration backend started_at lock seen_at store work',
  },
  service_address: work('which environment an address belongs to', 'base_url environment first_used'),
  ledger: work('the ledger itself; hash_key is the secret key of all hashes', 'only_row id hash_key created_at'),
  migration: work('a version of the tables', 'name applied_at sha256'),
  lifecycle_step: work('a step that the states allow', 'from_state to_state'),
}
