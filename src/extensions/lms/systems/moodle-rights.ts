// What an account needs in order to see each property of a learner, as advice for messages. Pure.

const allowUserDetails = 'allow moodle/user:viewalldetails in the role of the account'
const allowFullNames = 'allow moodle/site:viewfullnames in the role of the account'

export const checkUserIdentity =
  'check that “Show user identity” (showuseridentity) of the site includes the e-mail address'

export const rightsToSee = {
  email: `allow moodle/course:useremail and moodle/site:viewuseridentity in the role of the account, and ${checkUserIdentity}`,
  username: allowUserDetails,
  idnumber: allowUserDetails,
  firstname: allowFullNames,
  lastname: allowFullNames,
}
