/** The SAN fields as lists, and left out, for every request that makes a certificate or a CSR. */
import { type Check, check, type JsonObject } from '../../harness/vocabulary/index.ts'
import { role } from './given/given.ts'
import { makerNames, makers } from './makers.ts'
import { subjectIs } from './then/then.ts'
import { sansAre } from './then/whole.ts'
import { topic } from './topic.ts'

const [upn, short] = ['1.3.6.1.4.1.311.20.2.3', '1.3.6.1.4.1.5']
/** A server could end a list after a number of entries. The texts are short, because a server may limit their length. */
const numbers = Array.from({ length: 11 }, (_, at) => at + 1)
const uris = ['spiffe://example.com/one', ...numbers.map((number) => `https://h${number}.example.com`)]
const anyNames = role({ allow_ip_sans: true, allowed_uri_sans: uris.join(','), allowed_other_sans: '*' })

const name = 'named.example.com'
const [hosts, users] = [numbers.map((number) => `h${number}.example.com`), ['a@one.example.com', 'b@two.example.com']]
const addresses = ['2001:db8::7', ...numbers.map((number) => `192.0.2.${number}`)]
const many: JsonObject = {
  common_name: name,
  alt_names: [...users, ...hosts].join(','),
  ip_sans: addresses.join(','),
  uri_sans: uris.join(','),
}
const held = { dns: [name, ...hosts], email: users, ip: addresses, uri: uris }
const kept = { alt_names: 'kept.example.com,kept@example.com' }

const checks: readonly Check[] = makerNames.flatMap((maker) => {
  const { ask } = makers[maker]
  const given = [...makers[maker].given, ...(maker === 'issue' ? [anyNames] : [])]
  return [
    check(`${maker}-takes-lists-of-names`, {
      requirement: [`pki.${maker}.sans.lists`, ...(maker === 'issue' ? ['pki.spelling.blanks'] : [])],
      given,
      when: ask(many),
      then: [sansAre(held)],
    }),
    check(`${maker}-names-are-empty-by-default`, {
      requirement: `pki.${maker}.sans.default`,
      given,
      when: ask({ common_name: name }),
      then: [sansAre({ dns: [name] })],
    }),
    check(`${maker}-excludes-its-name-alone`, {
      requirement: [`pki.${maker}.exclude-cn`, 'pki.san.exclude-cn.dns', `pki.${maker}.common-name.subject`],
      given,
      when: ask({ common_name: name, ...kept, exclude_cn_from_sans: true }),
      then: [
        sansAre({ dns: ['kept.example.com'], email: ['kept@example.com'] }),
        // The name is excluded from the SANs, but not from the subject.
        subjectIs('common_name', [name]),
      ],
    }),
    ...(maker === 'issue'
      ? []
      : (['comma-list', 'array'] as const).map((form) => {
          const first = form === 'array' ? 'one,and more' : 'one'
          const values = [[upn, first], ...numbers.map((number) => [short, String(number)])]
          const entries = values.map(([oid, value]) => `${oid};UTF8:${value}`)
          return check(`${maker}-takes-custom-sans-as-${form}`, {
            requirement: `pki.${maker}.other-sans.${form}`,
            given,
            when: ask({ common_name: name, other_sans: form === 'array' ? entries : entries.join(',') }),
            then: [sansAre({ dns: [name], other: values.map(([oid, value]) => `${oid};${value}`) })],
          })
        })),
  ]
})

export default topic('pki/fields-sans-lists', {
  about: 'The SAN fields with several entries, without any, and together with an excluded common name.',
  checks,
})
