import { type Check, check, type Expectation, type JsonObject, type Step } from '../../harness/vocabulary/index.ts'
import { type CheckRow, rowsOf } from '../rows.ts'
import { role } from './given/given.ts'
import { type MakerName, makerNames, makers } from './makers.ts'
import { hasDnsSan, hasEmailSan, ipSansAre, lacksDnsSan, otherSansAre, uriSansAre } from './then/extensions.ts'
import { sansAre } from './then/whole.ts'
import { topic } from './topic.ts'

interface SanRow extends CheckRow {
  /** `{maker}` is replaced by the name of the maker. */
  readonly asks: JsonObject
  readonly then: Expectation
}

const upn = '1.3.6.1.4.1.311.20.2.3'
/** The local part of the address has signs that are rare, but allowed there. */
const [host, email] = ['alt.example.com', 'first.last+tag_1@alt.example.com']
const cn = 'named.example.com'

const sans: readonly SanRow[] = rowsOf<SanRow>({
  '{maker}-takes-host-names': { requirement: 'alt-names.host', asks: { alt_names: host }, then: hasDnsSan(host) },
  '{maker}-takes-email-addresses': {
    requirement: 'alt-names.email',
    asks: { alt_names: email },
    then: hasEmailSan(email),
  },
  '{maker}-takes-ip-sans': { requirement: 'ip-sans', asks: { ip_sans: '192.0.2.7' }, then: ipSansAre(['192.0.2.7']) },
  '{maker}-takes-uri-sans': {
    requirement: 'uri-sans',
    asks: { uri_sans: 'spiffe://example.com/one' },
    then: uriSansAre(['spiffe://example.com/one']),
  },
  '{maker}-takes-custom-sans': {
    requirement: 'other-sans',
    asks: { other_sans: `${upn};UTF8:dev@example.com` },
    then: otherSansAre([`${upn};dev@example.com`]),
  },
})

const exclusion: readonly SanRow[] = rowsOf<SanRow>({
  '{maker}-has-its-name-among-the-dns-sans': {
    requirement: 'exclude-cn.default',
    asks: { common_name: cn },
    then: hasDnsSan(cn),
  },
  '{maker}-has-its-name-among-the-email-sans': {
    requirement: 'exclude-cn.default-email',
    asks: { common_name: email },
    then: hasEmailSan(email),
  },
  '{maker}-can-exclude-its-name-from-the-dns-sans': {
    requirement: 'exclude-cn.dns',
    asks: { common_name: cn, exclude_cn_from_sans: true },
    then: lacksDnsSan(cn),
  },
  '{maker}-can-exclude-its-name-from-the-email-sans': {
    requirement: 'exclude-cn.email',
    asks: { common_name: email, alt_names: `${host},kept@example.com`, exclude_cn_from_sans: true },
    then: sansAre({ dns: [host], email: ['kept@example.com'] }),
  },
})

/** The role for `issue`. It allows no more than the row needs. */
const roleFor = ({ asks }: SanRow): Step =>
  role({
    allow_ip_sans: true,
    ...('uri_sans' in asks ? { allowed_uri_sans: String(asks.uri_sans) } : {}),
    ...('other_sans' in asks ? { allowed_other_sans: String(asks.other_sans) } : {}),
  })

/** The requirements that have a variant for requests without a role: the documents do not say whether a custom SAN, or
 * an email address as the common name, is allowed there. */
const withoutRole: readonly string[] = ['other-sans', 'exclude-cn.email']
const requirementOf = (maker: MakerName, { requirement }: SanRow): string =>
  `pki.san.${requirement}${withoutRole.includes(requirement) && maker !== 'issue' ? '.without-role' : ''}`

const each = (rows: readonly SanRow[], general: string): readonly Check[] =>
  makerNames.flatMap((maker) =>
    rows.map((row) =>
      check(row.id.replace('{maker}', maker), {
        requirement: [requirementOf(maker, row), `pki.${maker}.${general}`],
        given: [...makers[maker].given, ...(maker === 'issue' ? [roleFor(row)] : [])],
        when: makers[maker].ask(row.asks),
        then: [row.then],
      }),
    ),
  )

export default topic('pki/fields-sans-everywhere', {
  about: 'The SAN fields, and `exclude_cn_from_sans`, of every request that makes a certificate or a CSR.',
  checks: [...each(sans, 'sans'), ...each(exclusion, 'exclude-cn')],
})
