// Mutants in src/lms/xapi that survive and do no harm.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: code is quoted here

import type { HarmlessByFile } from './harmless-by-file.ts'

export const xapi: HarmlessByFile = {
  'src/lms/xapi/accepted-language.ts': [
    {
      line: "const [range = '', quality] = entry.toLowerCase().split(/;\\s*q\\s*=/)",
      mutants: [["''", '"Stryker was here!"']],
      why: 'The fallback cannot occur; the compiler requires it.',
    },
  ],
  'src/lms/xapi/alternate-request.ts': [
    {
      line: "return { ...sent, method, query, headers, body: Buffer.from(form.get('content') ?? '') }",
      mutants: [["''", '"Stryker was here!"']],
      why: 'Neither is JSON.',
    },
  ],
  'src/lms/xapi/attachment.ts': [
    {
      line: 'const own: Json[] = Array.isArray(statement.attachments) ? statement.attachments : []',
      mutants: [['[]', '["Stryker was here"]']],
      why: 'Only objects are kept.',
    },
  ],
  'src/lms/xapi/complete-statement.ts': [
    {
      line: "...(isObject(object) && object.objectType === 'SubStatement' && { object: withLists(object) }),",
      mutants: [["object.objectType === 'SubStatement'", 'true']],
      why: 'Only a SubStatement has a context or an object of its own.',
    },
  ],
  'src/lms/xapi/completion.ts': [
    {
      line: "if (!rule.activityTypes.includes(textAt(statement, '/object/definition/type') ?? '')) return null",
      mutants: [["''", '"Stryker was here!"']],
      why: 'Neither is a type of activity.',
    },
    {
      line: "const instant = instantOf(textAt(statement, '/timestamp') ?? '')",
      mutants: [["''", '"Stryker was here!"']],
      why: 'Neither is a time.',
    },
    {
      line: "const value = textAt(actor, `/${kind}`)?.replace(kind === 'mbox' ? /^mailto:/ : '', '')",
      mutants: [
        ["kind === 'mbox'", 'true'],
        ['/^mailto:/', '/mailto:/'],
        ["''", '"Stryker was here!"'],
      ],
      why: 'Only a mailbox contains this text, at its beginning.',
    },
  ],
  'src/lms/xapi/duration.ts': [
    {
      line: 'const designators = /^P(?=.)(?:[\\d.,]+Y)?(?:[\\d.,]+M)?(?:[\\d.,]+D)?(?:T(?=.)(?:[\\d.,]+H)?(?:[\\d.,]+M)?(?:[\\d.,]+S)?)?$/',
      mutants: [
        [
          '/^P(?=.)(?:[\\d.,]+Y)?(?:[\\d.,]+M)?(?:[\\d.,]+D)?(?:T(?=.)(?:[\\d.,]+H)?…',
          '/P(?=.)(?:[\\d.,]+Y)?(?:[\\d.,]+M)?(?:[\\d.,]+D)?(?:T(?=.)(?:[\\d.,]+H)?(…',
        ],
      ],
      why: 'The other pattern refuses it as well.',
    },
    {
      line: 'const weeks = /^P[\\d.,]+W$/',
      mutants: [['/^P[\\d.,]+W$/', '/P[\\d.,]+W$/']],
      why: 'The other pattern refuses it as well.',
    },
    {
      line: 'const wellFormedNumbers = /^P(?:T?\\d+(?:[.,]\\d+)?[A-Z])+$/',
      mutants: [
        ['/^P(?:T?\\d+(?:[.,]\\d+)?[A-Z])+$/', '/P(?:T?\\d+(?:[.,]\\d+)?[A-Z])+$/'],
        ['/^P(?:T?\\d+(?:[.,]\\d+)?[A-Z])+$/', '/^P(?:T?\\d+(?:[.,]\\d+)?[A-Z])+/'],
      ],
      why: 'The other pattern refuses it as well.',
    },
    {
      line: 'return text.replace(/([.,])(\\d+)S$/, (_, separator: string, digits: string) => {',
      mutants: [['/([.,])(\\d+)S$/', '/([.,])(\\d+)S/']],
      why: 'Seconds are at the end of a valid duration.',
    },
    {
      line: "const [tenths = '0', hundredths = '0'] = digits",
      mutants: [["'0'", '""']],
      why: 'The fallback cannot occur; the compiler requires it.',
    },
  ],
  'src/lms/xapi/edition.ts': [
    {
      line: "const found = /^([12]\\.0)(?:\\.\\d+(?:[-+][\\dA-Za-z.+-]+)?)?$/.exec(version ?? '')?.[1]",
      mutants: [["''", '"Stryker was here!"']],
      why: 'Neither is a version.',
    },
  ],
  'src/lms/xapi/interaction.ts': [
    {
      line: 'const ids = Array.isArray(value) ? value.map((each) => (isObject(each) ? each.id : each)) : []',
      mutants: [['[]', '["Stryker was here"]']],
      why: 'The check before refuses what is not a list.',
    },
  ],
  'src/lms/xapi/json.ts': [
    { line: '} catch {', mutants: [['{ return undefined }', '{}']], why: 'A function that ends returns undefined.' },
  ],
  'src/lms/xapi/language-tag.ts': [
    {
      line: "const variants = (found[1] ?? '').split('-').slice(1)",
      mutants: [["(found[1] ?? '').split('-').slice(1)", "(found[1] ?? '').split('-')"]],
      why: 'The empty text before the first variant occurs once.',
    },
    {
      line: "const variants = (found[1] ?? '').split('-').slice(1)",
      mutants: [["''", '"Stryker was here!"']],
      why: 'The fallback cannot occur; the compiler requires it.',
    },
    {
      line: "const singletons = [...(found[2] ?? '').matchAll(/-([0-9a-wy-z])(?=-)/g)].map((match) => match[1])",
      mutants: [["''", '"Stryker was here!"']],
      why: 'The fallback cannot occur; the compiler requires it.',
    },
  ],
  'src/lms/xapi/media-type.ts': [
    {
      line: "return (contentType?.split(';')[0] ?? '').trim().toLowerCase()",
      mutants: [["''", '"Stryker was here!"']],
      why: 'Neither is a type that is accepted.',
    },
  ],
  'src/lms/xapi/multipart.ts': [
    {
      line: "for (const line of (head[1] ?? '').split(/\\r?\\n/).filter(Boolean)) {",
      mutants: [["''", '"Stryker was here!"']],
      why: 'The fallback cannot occur; the compiler requires it.',
    },
  ],
  'src/lms/xapi/receiver.ts': [
    {
      line: 'parametersOf(query, [])',
      mutants: [['[]', '["Stryker was here"]']],
      why: 'No sender uses a parameter of this name.',
    },
    {
      line: "return { status: 204, headers: {}, body: '' }",
      mutants: [["''", '"Stryker was here!"']],
      why: 'A web server sends no body with this status.',
    },
  ],
  'src/lms/xapi/request-content.ts': [
    {
      line: "const boundary = boundaryOf(contentType ?? '')",
      mutants: [["''", '"Stryker was here!"']],
      why: 'The fallback cannot occur; the compiler requires it.',
    },
  ],
  'src/lms/xapi/show-statement.ts': [
    {
      line: "format === 'exact' ? found.raw : JSON.stringify(inFormat(statement, format, headers['accept-language'] ?? ''))",
      mutants: [["''", '"Stryker was here!"']],
      why: 'Neither names a language.',
    },
  ],
  'src/lms/xapi/signature.ts': [
    {
      line: "const [, encodedHeader = '', payload = '', proof = ''] =",
      mutants: [["''", '"Stryker was here!"']],
      why: 'Neither is an object in base64url.',
    },
    {
      line: "/^([\\w-]+)\\.([\\w-]+)\\.([\\w-]+)$/.exec(signature.toString('latin1')) ?? []",
      mutants: [['[]', '["Stryker was here"]']],
      why: 'Only the groups of a match are used.',
    },
    {
      line: 'const [certificate] = Array.isArray(header.x5c) ? header.x5c : []',
      mutants: [['[]', '["Stryker was here"]']],
      why: 'Neither is a certificate.',
    },
  ],
  'src/lms/xapi/statement-digest.ts': [
    {
      line: 'const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))',
      mutants: [['a < b', 'a <= b']],
      why: 'Two members of an object never have the same name.',
    },
  ],
  'src/lms/xapi/statement-refusal.ts': [
    {
      line: "override readonly name = 'StatementRefusal'",
      mutants: [["'StatementRefusal'", '""']],
      why: 'Only the name of an error class.',
    },
  ],
  'src/lms/xapi/store-statements.ts': [
    {
      line: "const parameters = parametersOf(request.query, isPut ? ['statementId'] : [])",
      mutants: [['[]', '["Stryker was here"]']],
      why: 'No sender uses a parameter of this name.',
    },
    {
      line: "const credentials = /^Basic\\s+([A-Za-z0-9+/=]+)$/i.exec(authorization ?? '')?.[1] ?? ''",
      mutants: [
        ['/^Basic\\s+([A-Za-z0-9+/=]+)$/i', '/Basic\\s+([A-Za-z0-9+/=]+)$/i'],
        ['/^Basic\\s+([A-Za-z0-9+/=]+)$/i', '/^Basic\\s+([A-Za-z0-9+/=]+)/i'],
        ['/^Basic\\s+([A-Za-z0-9+/=]+)$/i', '/^Basic\\s([A-Za-z0-9+/=]+)$/i'],
        ["''", '"Stryker was here!"'],
      ],
      why: 'The header was authenticated before.',
    },
    {
      line: "return { objectType: 'Agent', account: { homePage: 'urn:credsync:xapi', name: user || 'sender' } }",
      mutants: [["'sender'", '""']],
      why: 'Only a name for a sender whose user name is empty.',
    },
  ],
  'src/lms/xapi/timestamp.ts': [
    {
      line: 'const rfc3339 = /^\\d{4}-\\d{2}-\\d{2}[Tt ]\\d{2}:\\d{2}:\\d{2}(?:\\.\\d+)?(?:[Zz]|[+-]\\d{2}:\\d{2})$/',
      mutants: [
        [
          '/^\\d{4}-\\d{2}-\\d{2}[Tt ]\\d{2}:\\d{2}:\\d{2}(?:\\.\\d+)?(?:[Zz]|[+-]\\d{2}:…',
          '/\\d{4}-\\d{2}-\\d{2}[Tt ]\\d{2}:\\d{2}:\\d{2}(?:\\.\\d+)?(?:[Zz]|[+-]\\d{2}:\\…',
        ],
        [
          '/^\\d{4}-\\d{2}-\\d{2}[Tt ]\\d{2}:\\d{2}:\\d{2}(?:\\.\\d+)?(?:[Zz]|[+-]\\d{2}:…',
          '/^\\d{4}-\\d{2}-\\d{2}[Tt ]\\d{2}:\\d{2}:\\d{2}(?:\\.\\d+)?(?:[Zz]|[+-]\\d{2}:…',
        ],
      ],
      why: 'The other pattern refuses it as well.',
    },
  ],
  'src/lms/xapi/value-checks.ts': [
    {
      line: "override readonly name = 'StatementFault'",
      mutants: [["'StatementFault'", '""']],
      why: 'Only the name of an error class.',
    },
  ],
}
