/** The public bugs of engines for credentials of a cloud provider, as rules on the wire. */
import { isObject, type JsonObject, type WireSent } from '../../harness/vocabulary/index.ts'
import {
  isSuccess,
  type Opening,
  placeOf,
  refusal,
  remembering,
  rewriting,
  rewritingData,
} from '../differences/bends.ts'
import { fieldsAt, refusingAs, withFields, without, writing } from './rules.ts'

const credentials = /\/(?:creds|sts)\/[^/]+$/
const staticRole = /\/static-roles\/[^/]+$/

const isSession = ({ data }: JsonObject): boolean =>
  isObject(data) && typeof (data.security_token ?? data.session_token) === 'string'

/** Changes the replies with credentials of sessions. */
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
} satisfies Readonly<Record<string, Opening>>
