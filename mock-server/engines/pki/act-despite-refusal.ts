/** The side effects of refused requests in a mutant. Without it, a refused request changes nothing. */
import type { Call } from '../../kernel/contracts.ts'
import { revoke } from './certificates/revocation.ts'
import { newSerial, serialKey } from './certificates/serials.ts'
import type { Context } from './context.ts'
import { readFields } from './fields.ts'
import { generateRoot } from './handlers/roots.ts'
import type { EndpointId } from './rules/access.ts'
import { emptyStore } from './store.ts'

type SideEffect = (call: Call, context: Context) => unknown

const year = 365 * 24 * 3600 * 1000

/** Stores an empty certificate under a new serial number. */
const storesOne: SideEffect = (_call, { store, clock }) =>
  store.certificates.set(serialKey(newSerial()), { der: '', notAfter: clock.now() + year })

const makesRoot: SideEffect = (call, context) => {
  const body = { common_name: 'refused.example', key_type: 'ec', key_bits: 256 }
  return generateRoot({ ...call, body, params: { type: 'internal' } }, context)
}

const replacesCa: SideEffect = (call, context) => {
  context.store.ca = emptyStore().ca
  return makesRoot(call, context)
}

const sideEffects: Readonly<Partial<Record<EndpointId, SideEffect>>> = {
  issue: storesOne,
  sign: storesOne,
  signVerbatim: storesOne,
  signIntermediate: storesOne,
  generateRoot: makesRoot,
  configCa: replacesCa,
  setSigned: replacesCa,
  generateIntermediate(_call, { store }) {
    store.ca = { ...store.ca, key: undefined }
  },
  revoke(_call, context) {
    for (const serial of context.store.certificates.keys()) revoke(context, serial)
  },
  configCrl(_call, { store }) {
    store.crlConfig = { expiry: '1h', disable: false }
  },
  writeRole: (call, { store, rules }) =>
    rules.reads.roles.write(store, call.params.name ?? '', readFields(rules.roleFields, {})),
}

/** Called for each refused request, if the mutant is loaded. */
export async function actAllTheSame(id: EndpointId, call: Call, context: Context): Promise<void> {
  await sideEffects[id]?.(call, context)
}
