/** A fault of refused requests: they have effects. */

import { revoke } from '../../engines/pki/certificates/revocation.ts'
import { newSerial, serialKey } from '../../engines/pki/certificates/serials.ts'
import type { Context } from '../../engines/pki/context.ts'
import { readFields } from '../../engines/pki/fields.ts'
import { generateRoot } from '../../engines/pki/handlers/roots.ts'
import { emptyStore } from '../../engines/pki/store.ts'
import type { Call } from '../../kernel/contracts.ts'
import { nameIn } from '../operations.ts'
import { fault, type PkiFault, whenRefused } from './pki-operations.ts'

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

const sideEffects: Readonly<Record<string, SideEffect>> = {
  'POST issue/:name': storesOne,
  'POST sign/:name': storesOne,
  'POST sign-verbatim': storesOne,
  'POST sign-verbatim/:name': storesOne,
  'POST root/sign-intermediate': storesOne,
  'POST root/generate/:type': makesRoot,
  'POST config/ca': replacesCa,
  'POST intermediate/set-signed': replacesCa,
  'POST intermediate/generate/:type'(_call, { store }) {
    store.ca = { ...store.ca, key: undefined }
  },
  'POST revoke'(_call, context) {
    for (const serial of context.store.certificates.keys()) revoke(context, serial)
  },
  'POST config/crl'(_call, { store }) {
    store.crlConfig = { expiry: '1h', disable: false }
  },
  'POST roles/:name': (call, { store, rules }) => store.roles.set(nameIn(call), readFields(rules.roleFields, {})),
}

export const ofRefusals: readonly PkiFault[] = [
  fault(
    'refusals-act',
    'A refused request takes effect: a certificate is stored, a CA is made or replaced, or a list or role is changed.',
    Object.entries(sideEffects).flatMap(([operation, act]) =>
      whenRefused(
        [operation],
        () => true,
        async (call, { context }) => {
          try {
            await act(call, context)
          } catch {}
        },
      ),
    ),
  ),
]
