/** What a request does although it is refused: nothing, but under one fault. */
import type { Call } from '../../kernel/contracts.ts'
import type { Mounted } from './context.ts'
import { readFields } from './fields.ts'
import { generateRoot } from './handlers/roots.ts'
import { revoke } from './revocation.ts'
import { newSerial, serialKey } from './serials.ts'
import { emptyStore } from './store.ts'
import type { EndpointId } from './tables/access.ts'

type Deed = (mounted: Mounted, call: Call) => unknown

const year = 365 * 24 * 3600 * 1000

/** Another certificate is stored; only its serial is of account. */
const storesOne: Deed = ({ store, clock }) =>
  store.certificates.set(serialKey(newSerial()), { der: '', notAfter: clock.now() + year })

const makesRoot: Deed = (mounted, call) => {
  const body = { common_name: 'refused.example', key_type: 'ec', key_bits: 256 }
  return generateRoot(mounted, { ...call, body, params: { type: 'internal' } })
}

const replacesCa: Deed = (mounted, call) => {
  mounted.store.ca = emptyStore().ca
  return makesRoot(mounted, call)
}

const deeds: Readonly<Partial<Record<EndpointId, Deed>>> = {
  issue: storesOne,
  sign: storesOne,
  signVerbatim: storesOne,
  signIntermediate: storesOne,
  generateRoot: makesRoot,
  configCa: replacesCa,
  setSigned: replacesCa,
  generateIntermediate({ store }) {
    store.ca = { ...store.ca, key: undefined }
  },
  revoke(mounted) {
    for (const serial of mounted.store.certificates.keys()) revoke(mounted, serial)
  },
  configCrl({ store }) {
    store.crlConfig = { expiry: '1h', disable: false }
  },
  writeRole: ({ store, tables }, call) =>
    tables.reads.roles.write(store, call.params.name ?? '', readFields(tables.roleFields, {})),
}

/** Called with each request that is refused. */
export async function actAllTheSame(id: EndpointId, mounted: Mounted, call: Call): Promise<void> {
  await deeds[id]?.(mounted, call)
}
