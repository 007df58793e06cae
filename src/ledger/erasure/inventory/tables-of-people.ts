// The inventory of the tables whose rows are about people: lists, issuances, learning systems.

import { always, type TableInventory } from './table-inventory.ts'

const untilEmptied = `${always}; its personal data until they are forgotten`
const masked = 'addresses and long numbers are masked, a name may be left'

export const tablesOfPeople: Readonly<Record<string, TableInventory>> = {
  issuance: {
    holds: 'one recipient of one list, with a state',
    kept: untilEmptied,
    personal: {
      recipient: {
        holds: 'the values of all fields: name, address, dates, whatever the course asks for',
        why: 'it is sent to the service, compared with the credential report and with later lists',
        emptied: 'NULL',
      },
      reason: {
        holds: `a sentence about the state, which may quote the service (${masked})`,
        why: 'the results file and the commands explain the state',
        emptied: 'NULL, or a sentence without values',
      },
      evidence: {
        holds: `what the last step was based on, with what the service wrote (${masked})`,
        why: 'it is copied to the history',
        emptied: 'values are removed, ids and labels stay',
      },
    },
    pseudonymous: {
      issuance_key: 'keyed hash of course, identity and occurrence: nobody is issued twice',
      identity_hash: 'keyed hash of the identity',
      image_sha256: 'hash of the image that was sent; NULL once the person is forgotten',
      entity_uuid: 'the id of the report item',
      credential_id: 'the id of the credential, which anybody may look up at the service',
      verifier_link: 'the link to the credential',
      issue_date: 'as the report shows it',
      valid_till: 'as the report shows it',
      revoked_date: 'as the report shows it',
    },
    others: `id environment course_uuid run_id row_number pipeline state state_since event attempt_id due_at first_sent_at
      last_sent_at resends batch_cap looks last_look_at report_status report_seen_at decided_at surplus_items
      controlled_looks corrects archive_due_at adopted_as open_attempt`,
  },
  issuance_match: {
    holds: 'a value by which the report may show a recipient, as a keyed hash',
    kept: `${always}; removed if the person is released`,
    pseudonymous: { hash: 'keyed hash of an address, number or identity value' },
    others: 'issuance_id',
  },
  issuance_identity: {
    holds: 'an identity by which an issuance is found',
    kept: `${always}; removed if the person is released`,
    pseudonymous: { identity_hash: 'keyed hash of the identity' },
    others: 'issuance_id',
  },
  history: {
    holds: 'one step of an issuance',
    kept: untilEmptied,
    personal: {
      evidence: {
        holds: `what the step was based on: ids, labels, what the service wrote (${masked}), what an operator wrote`,
        why: '`credsync explain` shows it, and decisions can be traced',
        emptied: 'values are removed, ids and labels stay',
      },
    },
    others: 'id issuance_id at event from_state to_state attempt_id',
  },
  run_row: {
    holds: 'one row of a list, as it was read',
    kept: untilEmptied,
    personal: {
      cells: {
        holds: 'the row, unchanged',
        why: 'the results file shows the list again; the next list is compared with it',
        emptied: 'an empty list',
      },
      raw: { holds: 'cells that were no text in the workbook', why: 'as for cells', emptied: 'NULL' },
      violations: {
        holds: 'what is wrong with an invalid row, with the values',
        why: 'the invalid-rows file says what to do',
        emptied: 'the rules stay, without values and sentences',
      },
      reason: {
        holds: 'why a row was skipped or refused, which may quote values',
        why: 'the results file shows it',
        emptied: 'a sentence without values',
      },
    },
    pseudonymous: { image_sha256: 'hash of the image that the row names; NULL once the person is forgotten' },
    others: 'run_id row_number outcome issuance_id changed_fields change_over forgotten_at',
  },
  staged_row: {
    holds: 'one row of a list that is being read',
    kept: 'until the list is published, held or refused: minutes',
    personal: {
      cells: { holds: 'as in run_row', why: 'a list is taken completely or not at all', emptied: 'deleted' },
      raw: { holds: 'as in run_row', why: 'as for cells', emptied: 'deleted' },
      violations: { holds: 'as in run_row', why: 'as for cells', emptied: 'deleted' },
      recipient: { holds: 'as in issuance', why: 'as for cells', emptied: 'deleted' },
    },
    pseudonymous: {
      issuance_key: 'as in issuance',
      identity_hash: 'as in issuance',
      match_hashes: 'as in issuance_match',
      image_sha256: 'as in issuance',
    },
    others: 'run_id row_number forgotten_as forgotten_by forgotten_trace',
  },
  image: {
    holds: 'an image of a recipient',
    kept: 'until no row that may still be sent needs it',
    personal: {
      bytes: { holds: 'the image', why: 'it is sent to the service', emptied: 'deleted' },
    },
    pseudonymous: { sha256: 'hash of the image' },
    others: 'type stored_at',
  },
  revocation: {
    holds: 'a credential that is to be revoked, and what takes its place',
    kept: untilEmptied,
    personal: {
      correction: {
        holds: 'the recipient of the corrected credential, until that is an issuance',
        why: 'the corrected credential is issued once the old one is revoked',
        emptied: 'NULL',
      },
      words: { holds: `what the service wrote (${masked})`, why: '`credsync explain` shows it', emptied: 'NULL' },
    },
    pseudonymous: { credential_id: 'the id of the credential' },
    staff: {
      by: 'who revoked',
      why: 'why; an operator wrote it',
      correction_by: 'who corrected, if another revocation came first',
      correction_why: 'why; an operator wrote it',
    },
    others: `id environment issuance_id state changed_fields corrected_as correction_at wanted_at sending_at deadline_at ended_at outcome
      http_status error_code looked_at doubt due_at asked_at`,
  },
  completion: {
    holds: 'a learner completed a course',
    kept: untilEmptied,
    personal: {
      learner: {
        holds: 'the id of the learner in the learning system, which may be an address',
        why: 'a completion is taken once, and outcomes are delivered to the right learner',
        emptied: '`forgotten:` and a keyed hash',
      },
      cells: {
        holds: 'what the system says about the learner',
        why: 'it becomes a row of a list',
        emptied: 'an empty object',
      },
    },
    others: `id environment system pipeline course completed_at found_at found_by state occasion run_id row_number
      refused_by compared_at event_id held_as`,
  },
  inbound_event: {
    holds: 'an inbound event, as it was received',
    kept: `${always}; body and headers until retentionDays after it was processed (90 by default)`,
    personal: {
      body: { holds: 'the event', why: 'it is processed, and again after a fault was fixed', emptied: 'NULL' },
      headers: {
        holds: 'the headers of the request, without those that authenticate the sender',
        why: 'signatures are checked with them',
        emptied: 'an empty object',
      },
    },
    pseudonymous: {
      key: 'the same for an exact resend: a hash of the body, or of the id that the sender chose',
      digest: 'hash of the content',
      voids: 'the key of the event that it voids',
    },
    others: 'id environment system arrived_at state due_at processed_at problem',
  },
  delivery: {
    holds: 'what a target in a learning system is told about a credential',
    kept: always,
    personal: {
      problem: {
        holds: `why it could not be delivered, which may quote the learning system (${masked})`,
        why: '`credsync events` shows it',
        emptied: 'NULL',
      },
    },
    others: 'id issuance_id target wanted state tries due_at wanted_at written_at verified_at looked_at gone refused',
  },
  attempt: {
    holds: 'one call with one batch',
    kept: always,
    personal: {
      words: {
        holds: `what the service wrote about the batch (${masked})`,
        why: '`credsync explain` shows it',
        emptied: 'NULL; the others of the batch keep it in their history, unless it quotes the person',
      },
    },
    pseudonymous: { request_sha256: 'hash of the request' },
    others: `id environment course_uuid pipeline phase size prepared_at asked_at sending_at deadline_at ended_at outcome
      http_status error_code instance shown_at`,
  },
  attempt_item: {
    holds: 'an issuance in a batch',
    kept: always,
    others: 'attempt_id issuance_id position open',
  },
  report_claim: {
    holds: 'an item of the report belongs to an issuance',
    kept: always,
    pseudonymous: {
      item_key: 'the id of the item, or its fingerprint',
      fingerprint: 'keyed hash of what the item shows',
    },
    others: 'environment issuance_id claimed_at looked_at missing_since',
  },
  sighting: {
    holds: 'when an item of the report was first seen',
    kept: always,
    pseudonymous: { item_key: 'as in report_claim' },
    others: 'environment request_date first_seen_at',
  },
  surplus_item: {
    holds: 'a further report item for the person of an issuance',
    kept: always,
    pseudonymous: { item_key: 'as in report_claim' },
    others: 'environment issuance_id seen_at',
  },
  archived_certificate: {
    holds: 'a certificate in an archive',
    kept: always,
    personal: {
      problem: {
        holds: `why it could not be fetched, which may quote the service (${masked})`,
        why: '`credsync status` shows it',
        emptied: 'NULL',
      },
    },
    pseudonymous: { file: 'its name in the folder: the id of the credential', sha256: 'hash of the file' },
    others: 'issuance_id folder size content_type kept_at tries tried_at removed_at',
  },
}
