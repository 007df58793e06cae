/**
 * The outcome of a call that changes something in the service. A call that is not_sent, throttled, too_large or
 * unauthorised (401: the token was refused before the call was processed) was certainly not applied. An unknown or
 * refused call may have been applied, completely or in part.
 */
export type OutcomeClass = 'not_sent' | 'throttled' | 'too_large' | 'unauthorised' | 'refused' | 'accepted' | 'unknown'
