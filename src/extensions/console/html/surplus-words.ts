// What to do about a credential that nobody requested.

export const surplusWords = 'An operator can revoke the credential that is too many: search for its id under People.'
