/** The public bugs of certificate authority engines that are plugins of other makers, as rules on the wire. */
import type { JsonObject } from '../../harness/vocabulary/index.ts'
import {
  isList,
  isSuccess,
  jsonOf,
  type Opening,
  placeOf,
  remembering,
  rewritingData,
  withJson,
} from '../differences/bends.ts'
import { secondsIn } from '../numbers.ts'
import { asIfRole, issuePlace, knowingRoles, refusingLeaves } from './pki.ts'
import {
  dataOf,
  fieldsAt,
  isTrue,
  listOf,
  refusing,
  refusingAs,
  textIn,
  withFields,
  without,
  writing,
} from './rules.ts'

export const pkiPlugins = {
  'pki-domains-unchecked': asIfRole(() => true, { allow_any_name: true }),
  'pki-ca-wants-a-token': refusingAs(
    403,
    (sent) =>
      sent.method === 'GET' &&
      sent.headers['x-vault-token'] === undefined &&
      /^[^/]+\/(?:ca|ca\/pem|ca_chain|cert\/[^/]+)$/.test(placeOf(sent)),
  ),
  'pki-uri-sans-of-any-value': asIfRole(
    (role, { uri_sans }) => listOf(uri_sans).length > 0 && listOf(role.allowed_uri_sans).length > 0,
    { allowed_uri_sans: '*' },
  ),
  'pki-common-name-always-required': refusing(issuePlace, ({ common_name }) => textIn(common_name) === ''),
  'pki-no-name-wants-any-name': refusingLeaves(
    (role, { common_name }) =>
      role.require_cn !== undefined &&
      !isTrue(role.require_cn) &&
      !isTrue(role.allow_any_name) &&
      textIn(common_name) === '',
  ),
  'pki-certificates-not-listed': rewritingData((data, sent) =>
    isList(sent) && /^[^/]+\/certs$/.test(placeOf(sent)) ? { ...data, keys: [] } : data,
  ),
  'pki-second-certificate-is-the-first': remembering(
    () => new Map<string, JsonObject>(),
    (first) => async (sent, pass) => {
      const answer = await pass(sent)
      const fields = fieldsAt(sent, issuePlace)
      if (!fields || !isSuccess(answer)) return answer
      const key = [placeOf(sent), textIn(fields.common_name), textIn(fields.format)].join(' ')
      const json = jsonOf(answer) ?? {}
      const { private_key, ...others } = dataOf(json)
      const before = first.get(key)
      first.set(key, before ?? others)
      return before ? withJson(answer, { ...json, data: { ...before, private_key: private_key ?? '' } }) : answer
    },
  ),
  'pki-intermediates-want-host-names': refusing(
    /\/intermediate\/generate\/[^/]+$/,
    ({ common_name }) => !/^[\w-]+(?:\.[\w-]+)+$/.test(textIn(common_name)),
  ),
  'pki-ttl-in-whole-hours': knowingRoles(async (role, fields, _, sent, pass) => {
    const seconds = secondsIn(fields.ttl ?? role.ttl)
    const ttl = seconds === undefined ? undefined : `${Math.max(1, Math.floor(seconds / 3600))}h`
    return pass(ttl === undefined ? sent : withFields(sent, { ...fields, ttl }))
  }),
  'pki-no-issuing-ca': rewritingData((data, sent) =>
    fieldsAt(sent, issuePlace) ? without(without(data, 'issuing_ca'), 'ca_chain') : data,
  ),
  'pki-issue-ignores-ttl': writing(issuePlace, (fields) => without(fields, 'ttl')),
  'pki-revoke-finds-no-certificate': refusing(/\/revoke$/, ({ serial_number }) => serial_number !== undefined),
} satisfies Readonly<Record<string, Opening>>
