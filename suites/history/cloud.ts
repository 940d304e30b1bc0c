/** The public bugs of engines for credentials of a cloud provider, as rules on the wire. */
import { isObject, type JsonObject, type WireSent } from '../../harness/vocabulary/index.ts'
import {
  isList,
  isSuccess,
  jsonOf,
  type Opening,
  placeOf,
  refusal,
  remembering,
  rewriting,
  rewritingData,
} from '../differences/bends.ts'
import {
  fieldsAt,
  listOf,
  refusing,
  refusingAs,
  storedOtherwise,
  textIn,
  withFields,
  without,
  writing,
} from './rules.ts'

const credentials = /\/(?:creds|sts)\/[^/]+$/
const staticRole = /\/static-roles\/[^/]+$/

const isSession = ({ data }: JsonObject): boolean =>
  isObject(data) && typeof (data.security_token ?? data.session_token) === 'string'

const sessions = (change: (json: JsonObject) => JsonObject): Opening =>
  rewriting((json, sent) => (credentials.test(placeOf(sent)) && isSession(json) ? change(json) : json))

const mountOf = (sent: WireSent): string => placeOf(sent).split('/')[0] ?? ''

export const cloud = {
  'cloud-sessions-are-renewable': sessions((json) => ({ ...json, renewable: true })),
  'cloud-sessions-without-a-lease': sessions((json) => ({ ...json, lease_id: '', lease_duration: 0 })),
  'cloud-sts-ignores-ttl': writing(/\/sts\/[^/]+$/, (fields) => without(fields, 'ttl')),
  'cloud-credential-types': rewritingData((data, sent) =>
    /\/roles\/[^/]+$/.test(placeOf(sent)) && typeof data.credential_type === 'string'
      ? { ...without(data, 'credential_type'), credential_types: [data.credential_type] }
      : data,
  ),
  'cloud-role-names-with-an-at-sign': refusingAs(404, (sent) => /\/roles\/[^/]*(?:@|%40)/.test(placeOf(sent))),
  'cloud-root-is-not-read': refusingAs(405, (sent) => sent.method === 'GET' && placeOf(sent).endsWith('/config/root')),
  'cloud-no-sessions-after-a-rotation': remembering(
    () => new Set<string>(),
    (rotated) => async (sent, pass) => {
      const answer = await pass(sent)
      if (placeOf(sent).endsWith('/config/rotate-root') && isSuccess(answer)) rotated.add(mountOf(sent))
      return rotated.has(mountOf(sent)) && credentials.test(placeOf(sent)) ? refusal(400) : answer
    },
  ),
  'cloud-rotation-period-stays': remembering(
    () => ({ first: new Map<string, JsonObject>(), shown: new Map<string, unknown>() }),
    ({ first, shown }) =>
      async (sent, pass) => {
        const place = placeOf(sent)
        const fields = fieldsAt(sent, staticRole)
        if (fields) {
          const before = first.get(place)
          first.set(place, before ?? fields)
          shown.set(place, fields.rotation_period)
          return pass(before ? withFields(sent, { ...fields, rotation_period: before.rotation_period ?? null }) : sent)
        }
        const answer = await pass(sent)
        if (!staticRole.test(place)) return answer
        if (sent.method === 'DELETE') first.delete(place)
        const show: Opening = rewritingData((data) =>
          shown.has(place) && data.rotation_period !== undefined
            ? { ...data, rotation_period: shown.get(place) as string }
            : data,
        )
        return show({ now: () => 0, wait: async () => {} })(sent, async () => answer)
      },
  ),
  'cloud-sts-wants-a-ttl': refusing(/\/sts\/[^/]+$/, ({ ttl }) => ttl === undefined),
  'cloud-policy-arns-of-sessions-refused': refusing(
    /\/roles\/[^/]+$/,
    ({ policy_arns, credential_type }) => listOf(policy_arns).length > 0 && credential_type !== 'iam_user',
  ),
  'cloud-region-unused': storedOtherwise(/\/config\/root$/, (fields) => without(fields, 'region')),
  'cloud-root-wants-a-region': refusing(/\/config\/root$/, (fields) =>
    ['region', 'iam_endpoint', 'sts_endpoint'].every((name) => fields[name] === undefined),
  ),
  'cloud-blank-leases': writing(/\/config\/lease$/, (fields) =>
    fields.lease_max === '' ? { ...fields, lease_max: fields.lease ?? '1h' } : fields,
  ),
  'cloud-display-names-with-spaces': remembering(
    () => new Set<string>(),
    (spaced) => async (sent, pass) => {
      const fields = fieldsAt(sent, /^auth\/token\/create/)
      if (credentials.test(placeOf(sent)) && spaced.has(sent.headers['x-vault-token'] ?? '')) return refusal()
      const answer = await pass(sent)
      const auth = fields && textIn(fields.display_name).includes(' ') ? jsonOf(answer)?.auth : undefined
      if (isObject(auth)) spaced.add(textIn(auth.client_token))
      return answer
    },
  ),
  'cloud-sessions-by-get': () => async (sent, pass) =>
    sent.method === 'GET' && /\/sts\/[^/]+$/.test(placeOf(sent)) ? pass({ ...sent, query: {} }) : pass(sent),
  'cloud-days-in-leases': refusing(/\/config\/lease$/, (fields) =>
    Object.values(fields).some((value) => /\dd$/.test(textIn(value))),
  ),
  'cloud-leases-not-revoked': refusing(/^sys\/(?:leases\/)?revoke$/, ({ lease_id }) =>
    /\/creds\//.test(textIn(lease_id)),
  ),
  'cloud-roles-not-listed': () => async (sent, pass) =>
    isList(sent) && /^[^/]+\/roles$/.test(placeOf(sent)) ? refusal(405) : pass(sent),
  'cloud-static-credentials-named-otherwise': rewritingData((data, sent) => {
    if (!/\/static-creds\/[^/]+$/.test(placeOf(sent)) || typeof data.access_key !== 'string') return data
    const { access_key, secret_key, ...others } = data
    return { ...others, access_key_id: access_key, secret_access_key: secret_key ?? '' }
  }),
  'cloud-region-hinders-rotation': remembering(
    () => new Set<string>(),
    (regional) => async (sent, pass) => {
      const fields = fieldsAt(sent, /\/config\/root$/)
      if (fields?.region !== undefined) regional.add(mountOf(sent))
      return fieldsAt(sent, /\/config\/rotate-root$/) && regional.has(mountOf(sent)) ? refusal() : pass(sent)
    },
  ),
  'cloud-root-is-merged': remembering(
    () => new Map<string, JsonObject>(),
    (roots) => async (sent, pass) => {
      const fields = fieldsAt(sent, /\/config\/root$/)
      if (!fields) return pass(sent)
      const merged = { ...roots.get(mountOf(sent)), ...fields }
      const answer = await pass(withFields(sent, merged))
      if (isSuccess(answer)) roots.set(mountOf(sent), merged)
      return answer
    },
  ),
  'cloud-lease-is-not-read': refusingAs(
    405,
    (sent) => sent.method === 'GET' && placeOf(sent).endsWith('/config/lease'),
  ),
  'cloud-identity-unused': storedOtherwise(/\/config\/root$/, (fields) =>
    fields.identity_token_audience === undefined
      ? fields
      : {
          ...without(without(fields, 'identity_token_audience'), 'role_arn'),
          access_key: 'AKIAOFTHEENVIRONMENT',
          secret_key: 'of-the-environment',
        },
  ),
  'cloud-role-names-with-hyphens': refusingAs(404, (sent) => /^[^/]+\/(?:roles|creds|sts)\/[^/]*-/.test(placeOf(sent))),
  'cloud-static-roles-stay-after-a-new-root': remembering(
    () => new Set<string>(),
    (forgetful) => async (sent, pass) => {
      const isStatic = staticRole.test(placeOf(sent))
      if (sent.method === 'DELETE' && isStatic && forgetful.has(mountOf(sent))) return refusal(500)
      const answer = await pass(sent)
      if (fieldsAt(sent, /\/config\/root$/)) forgetful.add(mountOf(sent))
      else if (fieldsAt(sent, staticRole) || placeOf(sent).includes('/creds/')) forgetful.delete(mountOf(sent))
      return answer
    },
  ),
  'cloud-static-username-stays': remembering(
    () => new Map<string, JsonObject>(),
    (first) => async (sent, pass) => {
      const place = placeOf(sent)
      if (sent.method === 'DELETE') first.delete(place)
      const fields = fieldsAt(sent, staticRole)
      const username = first.get(place)?.username
      const answer = await pass(fields && username !== undefined ? withFields(sent, { ...fields, username }) : sent)
      if (fields && isSuccess(answer) && username === undefined) first.set(place, fields)
      return answer
    },
  ),
} satisfies Readonly<Record<string, Opening>>
