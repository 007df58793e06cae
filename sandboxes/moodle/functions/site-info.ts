// core_webservice_get_site_info. The fields and their order are from Moodle's source (webservice/externallib.php) and
// were not captured.

import { accountId } from '../site.ts'
import type { WebServiceFunction } from './web-service-function.ts'

// The release is the captured site's; the version number for 4.5 is from its version.php.
const release = '4.5.6 (Build: 20250811)'
const version = '2024100706'

export const siteInfo: WebServiceFunction = {
  parameters: ['serviceshortnames'],
  answer: ({ site, settings, functions }) => ({
    sitename: site.name,
    username: 'credential-bot',
    firstname: 'Credential',
    lastname: 'Bot',
    fullname: 'Credential Bot',
    lang: settings.language,
    userid: accountId,
    siteurl: site.url,
    userpictureurl: `${site.url}/theme/image.php/boost/core/1795219357/u/f1`,
    functions: functions.map((name) => ({ name, version })),
    downloadfiles: 0,
    uploadfiles: 0,
    release,
    version,
    mobilecssurl: '',
    advancedfeatures: [],
    usercanmanageownfiles: true,
    userquota: 104857600,
    usermaxuploadfilesize: 2097152,
    userhomepage: 1,
    userprivateaccesskey: '00000000000000000000000000000000',
    siteid: 1,
    sitecalendartype: 'gregorian',
    usercalendartype: 'gregorian',
    userissiteadmin: false,
    theme: 'boost',
    limitconcurrentlogins: 0,
  }),
}
