/** The public bugs of replication, as rules on the wire. */
import { isObject, type Pass, type WireAnswer, type WireSent } from '../../harness/vocabulary/index.ts'
import {
  isRefusal,
  isSuccess,
  jsonOf,
  type Opening,
  placeOf,
  refusal,
  remembering,
  rewritingData,
  withJson,
} from '../differences/bends.ts'
import { asking, dataOf, fieldsAt, listOf, refusing, textIn, without, writing } from './rules.ts'

const joining = /\/secondary\/(?:enable|update-primary)$/
const publicKey = /^sys\/replication\/(dr|performance)\/secondary\/generate-public-key$/
const filterPlace = /\/primary\/paths-filter\/[^/]+$/
const attempt = /\/generate-operation-token\/attempt$/
/** A token that may not look at a mount does not show that there is none. */
const isUnknown = (answer: WireAnswer): boolean => isRefusal(answer) && answer.status !== 403

/** Asks the target for its role in this kind of replication. */
export async function modeOf(kind: string, sent: WireSent, pass: Pass): Promise<string> {
  return textIn(dataOf(jsonOf(await asking(sent, pass, 'GET', `sys/replication/${kind}/status`))).mode)
}

const isValue = (sent: WireSent): boolean => sent.method === 'GET' && !/^(?:sys|auth|identity)\//.test(placeOf(sent))

/** Asks a secondary which mounts its filter excludes. */
async function filteredFor(sent: WireSent, pass: Pass): Promise<readonly string[]> {
  const status = dataOf(jsonOf(await asking(sent, pass, 'GET', 'sys/replication/performance/status')))
  for (const id of [status.secondary_id, status.cluster_id]) {
    const place = `sys/replication/performance/secondary/dynamic-filter/${textIn(id)}`
    const excluded = listOf(dataOf(jsonOf(await asking(sent, pass, 'GET', place))).dynamic_filtered_mounts)
    if (excluded.length > 0) return excluded
  }
  return []
}

/** Makes a primary that no cluster can join once it has served such a request. */
const unjoinableAfter = (isMeant: (sent: WireSent) => boolean): Opening =>
  remembering(
    () => ({ isMet: false }),
    (known) => async (sent, pass) => {
      const answer = await pass(sent)
      if (isMeant(sent) && isSuccess(answer)) known.isMet = true
      const json = jsonOf(answer)
      const wrapped = known.isMet && fieldsAt(sent, /\/primary\/secondary-token$/) ? json?.wrap_info : undefined
      return isObject(wrapped) ? withJson(answer, { ...json, wrap_info: { ...wrapped, token: 'unusable' } }) : answer
    },
  )

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
  'replication-update-primary-after-a-demotion': remembering(
    () => new Set<string>(),
    (demoted) => async (sent, pass) => {
      const [, kind = '', action] = /^sys\/replication\/(dr|performance)\/(.+)$/.exec(placeOf(sent)) ?? []
      if (action === 'secondary/update-primary' && demoted.has(kind)) return refusal(500)
      const answer = await pass(sent)
      if (action === 'primary/demote' && isSuccess(answer)) demoted.add(kind)
      else if (fieldsAt(sent, /\/(?:enable|disable|promote)$/) && isSuccess(answer)) demoted.delete(kind)
      return answer
    },
  ),
  'replication-mounts-of-one-name': remembering(
    () => ({ mounts: new Set<string>(), auth: new Set<string>() }),
    ({ mounts, auth }) =>
      async (sent, pass) => {
        const [, kind, name = ''] = /^sys\/(mounts|auth)\/(.+)$/.exec(placeOf(sent)) ?? []
        const made = kind === 'mounts' ? mounts : auth
        if (kind !== undefined && sent.method === 'DELETE') made.delete(name)
        else if (kind !== undefined && fieldsAt(sent, /^sys/)) made.add(name)
        const hasTwins = [...mounts].some((each) => auth.has(each))
        return hasTwins && fieldsAt(sent, /^sys\/replication\/.+\/enable$/) ? refusal() : pass(sent)
      },
  ),
  'replication-client-tokens-on-secondaries': () => async (sent, pass) =>
    /^sys\/replication\/dr\/secondary\//.test(placeOf(sent)) &&
    sent.headers['x-vault-token'] !== undefined &&
    (await modeOf('dr', sent, pass)) === 'secondary'
      ? refusal(500)
      : pass(sent),
  'replication-share-given-twice': remembering(
    () => new Set<string>(),
    (given) => async (sent, pass) => {
      const share = textIn(fieldsAt(sent, /\/generate-operation-token\/update$/)?.key)
      const isAgain = given.has(share)
      if (attempt.test(placeOf(sent)) && sent.method !== 'GET') given.clear()
      const answer = await pass(sent)
      if (share !== '' && isSuccess(answer)) given.add(share)
      return isAgain ? refusal(500) : answer
    },
  ),
  'replication-filters-of-paths-to-come': () => async (sent, pass) => {
    const fields = fieldsAt(sent, filterPlace)
    for (const path of listOf(fields?.paths)) {
      const name = path.replace(/^auth\//, '').replace(/\/$/, '')
      const places = ['mounts', 'auth', 'namespaces'].map((kind) => `sys/${kind}/${name}`)
      const found = await Promise.all(places.map((place) => asking(sent, pass, 'GET', place)))
      if (found.every(isUnknown)) return refusal()
    }
    return pass(sent)
  },
  'replication-shares-on-secondaries': () => async (sent, pass) =>
    fieldsAt(sent, /\/generate-operation-token\/update$/) && (await modeOf('dr', sent, pass)) === 'secondary'
      ? refusal()
      : pass(sent),
  'replication-status-while-syncing': ({ now }) => {
    let joinedAt = Number.NEGATIVE_INFINITY
    return async (sent, pass) => {
      if (sent.method === 'GET' && placeOf(sent).endsWith('/status') && now() < joinedAt + 2000) return refusal(500)
      const answer = await pass(sent)
      if (fieldsAt(sent, /\/secondary\/enable$/) && isSuccess(answer)) joinedAt = now()
      return answer
    }
  },
  'replication-no-second-joining': remembering(
    () => ({ hasFailed: false }),
    (known) => async (sent, pass) => {
      const token = textIn(fieldsAt(sent, /\/secondary\/enable$/)?.token)
      if (token === '') return pass(sent)
      if (known.hasFailed) return refusal(500)
      const answer = await pass(sent)
      known.hasFailed = isRefusal(answer)
      return answer
    },
  ),
  'replication-no-token-after-a-bad-one': remembering(
    () => ({ hasFailed: false }),
    (known) => async (sent, pass) => {
      const fields = fieldsAt(sent, /\/dr\/secondary\/update-primary$/)
      if (textIn(fields?.token) === '') return pass(sent)
      if (known.hasFailed) return refusal(500)
      const answer = await pass(sent)
      known.hasFailed = isRefusal(answer) && fields?.dr_operation_token !== undefined
      return answer
    },
  ),
  'replication-filter-written-again': remembering(
    () => ({ isStuck: false, filters: new Set<string>() }),
    (known) => async (sent, pass) => {
      const place = placeOf(sent)
      if (!filterPlace.test(place)) return pass(sent)
      known.isStuck ||= fieldsAt(sent, filterPlace) !== undefined && known.filters.has(place)
      if (known.isStuck) return refusal(500)
      if (sent.method === 'DELETE') known.filters.delete(place)
      else if (fieldsAt(sent, filterPlace)) known.filters.add(place)
      return pass(sent)
    },
  ),
  'replication-filtered-values-stay': remembering(
    () => new Map<string, WireAnswer>(),
    (seen) => async (sent, pass) => {
      const answer = await pass(sent)
      const place = placeOf(sent)
      if (!isValue(sent)) return answer
      if (isSuccess(answer)) seen.set(place, answer)
      const filtered = isSuccess(answer) || !seen.has(place) ? [] : await filteredFor(sent, pass)
      return filtered.some((mount) => place.startsWith(mount)) ? (seen.get(place) ?? answer) : answer
    },
  ),
  'replication-filtered-values-turn-nil': () => async (sent, pass) => {
    const answer = await pass(sent)
    return isValue(sent) && isSuccess(answer) && (await filteredFor(sent, pass)).length > 0 ? refusal(500) : answer
  },
  'replication-update-primary-loses-data': remembering(
    () => ({ isLost: false }),
    (known) => async (sent, pass) => {
      if (known.isLost && isValue(sent)) return refusal(404)
      const isUpdate = fieldsAt(sent, /performance\/secondary\/update-primary$/) !== undefined
      const isFiltered = isUpdate && (await filteredFor(sent, pass)).length > 0
      const answer = await pass(sent)
      if (isFiltered && isSuccess(answer)) known.isLost = true
      if (fieldsAt(sent, /performance\/secondary\/(?:enable|disable)$/) && isSuccess(answer)) known.isLost = false
      return answer
    },
  ),
  'replication-approle-before-joining': unjoinableAfter(
    (sent) => fieldsAt(sent, /^sys\/auth\/[^/]+$/)?.type === 'approle',
  ),
  'replication-namespace-mounts-before-joining': unjoinableAfter((sent) => {
    const isInside = sent.headers['x-vault-namespace'] !== undefined || /^[^/]+\/sys\//.test(placeOf(sent))
    return isInside && fieldsAt(sent, /sys\/(?:mounts|auth)\/[^/]+$/) !== undefined
  }),
  'replication-policies-of-secondaries-stay': remembering(
    () => new Map<string, WireAnswer>(),
    (seen) => async (sent, pass) => {
      const place = placeOf(sent)
      const answer = await pass(sent)
      if (sent.method !== 'GET' || !/^sys\/polic(?:y|ies\/\w+)\/[^/]+$/.test(place)) return answer
      if ((await modeOf('performance', sent, pass)) !== 'secondary') return answer
      if (isSuccess(answer) && !seen.has(place)) seen.set(place, answer)
      return seen.get(place) ?? answer
    },
  ),
} satisfies Readonly<Record<string, Opening>>
