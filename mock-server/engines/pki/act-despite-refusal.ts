/** A refused request does nothing, unless a mutant is loaded. */
import type { Call } from '../../kernel/contracts.ts'
import { revoke } from './certificates/revocation.ts'
import { newSerial, serialKey } from './certificates/serials.ts'
import type { Context } from './context.ts'
import { readFields } from './fields.ts'
import { generateRoot } from './handlers/roots.ts'
import { emptyStore } from './store.ts'
import type { EndpointId } from './tables/access.ts'

type SideEffect = (context: Context, call: Call) => unknown

const year = 365 * 24 * 3600 * 1000

/** Stores another certificate, of which only the serial number matters. */
const storesOne: SideEffect = ({ store, clock }) =>
  store.certificates.set(serialKey(newSerial()), { der: '', notAfter: clock.now() + year })

const makesRoot: SideEffect = (context, call) => {
  const body = { common_name: 'refused.example', key_type: 'ec', key_bits: 256 }
  return generateRoot(context, { ...call, body, params: { type: 'internal' } })
}

const replacesCa: SideEffect = (context, call) => {
  context.store.ca = emptyStore().ca
  return makesRoot(context, call)
}

const sideEffects: Readonly<Partial<Record<EndpointId, SideEffect>>> = {
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
  revoke(context) {
    for (const serial of context.store.certificates.keys()) revoke(context, serial)
  },
  configCrl({ store }) {
    store.crlConfig = { expiry: '1h', disable: false }
  },
  writeRole: ({ store, tables }, call) =>
    tables.reads.roles.write(store, call.params.name ?? '', readFields(tables.roleFields, {})),
}

/** Called with each refused request. */
export async function actAllTheSame(id: EndpointId, context: Context, call: Call): Promise<void> {
  await sideEffects[id]?.(context, call)
}
