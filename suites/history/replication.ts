/** The public bugs of replication, as rules on the wire. */
import { isObject, type Pass, type WireSent } from '../../harness/vocabulary/index.ts'
import {
  isRefusal,
  isSuccess,
  jsonOf,
  type Opening,
  placeOf,
  refusal,
  remembering,
  rewritingData,
} from '../differences/bends.ts'
import { fieldsAt, refusing, textIn, without, writing } from './rules.ts'

const joining = /\/secondary\/(?:enable|update-primary)$/
const publicKey = /^sys\/replication\/(dr|performance)\/secondary\/generate-public-key$/
const attempt = /\/generate-operation-token\/attempt$/

/** Asks the target for its role in this kind of replication. */
async function modeOf(kind: string, sent: WireSent, pass: Pass): Promise<string> {
  const { body: _, ...rest } = sent
  const json = jsonOf(await pass({ ...rest, method: 'GET', query: {}, path: `/v1/sys/replication/${kind}/status` }))
  return textIn((isObject(json?.data) ? json.data : json)?.mode)
}

export const replication = {
  'replication-api-address-ends-in-a-slash': refusing(joining, ({ primary_api_addr }) =>
    textIn(primary_api_addr).endsWith('/'),
  ),
  'replication-public-key-of-a-secondary': () => async (sent, pass) => {
    const [, kind] = sent.method === 'GET' ? [] : (publicKey.exec(placeOf(sent)) ?? [])
    return kind !== undefined && (await modeOf(kind, sent, pass)) === 'secondary' ? refusal() : pass(sent)
  },
  'replication-cluster-address-unused': writing(/\/primary\/enable$/, (fields) =>
    without(fields, 'primary_cluster_addr'),
  ),
  'replication-key-ends-with-a-failed-joining': remembering(
    () => ({ isCleared: false, hasKey: false }),
    (known) => async (sent, pass) => {
      if (fieldsAt(sent, joining) && known.isCleared) return refusal()
      const answer = await pass(sent)
      if (publicKey.test(placeOf(sent)) && isSuccess(answer)) Object.assign(known, { isCleared: false, hasKey: true })
      if (fieldsAt(sent, joining) && isRefusal(answer) && known.hasKey) known.isCleared = true
      return answer
    },
  ),
  'replication-state-is-always-idle': rewritingData((data, sent) =>
    placeOf(sent).endsWith('/status') && data.state !== undefined && data.state !== 'idle'
      ? { ...data, state: 'idle' }
      : data,
  ),
  'replication-primary-shown-as-its-own-secondary': rewritingData((data, sent) =>
    placeOf(sent).endsWith('/status') && data.mode === 'primary'
      ? {
          ...data,
          secondaries: [{ api_address: '', connection_status: 'connected', node_id: String(data.cluster_id) }],
        }
      : data,
  ),
  'replication-attempt-wants-a-body': () => async (sent, pass) =>
    sent.method === 'POST' && attempt.test(placeOf(sent)) && (sent.body ?? '') === '' ? refusal() : pass(sent),
} satisfies Readonly<Record<string, Opening>>
