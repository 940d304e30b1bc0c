import { topic as bare, type Json, type Topic } from '../../harness/vocabulary/index.ts'
import { allConditions, readsAsWritten } from '../frame.ts'
import { secondsIn } from '../numbers.ts'
import { companions, frames, neighbours, sharedMounts } from './ground.ts'
import { trusted } from './judge/relying-party.ts'

const lists = (value: Json): readonly string[] =>
  (Array.isArray(value) ? value : String(value).split(',')).map((one) => String(one).trim()).filter((one) => one !== '')
const comesTo = (field: string, value: Json): Json =>
  field === 'expiry' ? (secondsIn(value) ?? value) : field === 'disable' ? String(value) : lists(value).toSorted()
const settings = frames.filter(({ gone }) => gone.startsWith('pki.config-'))
const readRows = ['pki.config-urls.reads', 'pki.config-crl.reads-expiry', 'pki.config-crl.reads-disable']
const conditions = allConditions(trusted, readsAsWritten(settings, readRows, comesTo))

/** Makes a topic in which each certificate is also judged as a relying party would judge it, and checks share authorities.
 * Unless it says otherwise, each check has one mount. */
export const topic = (
  id: string,
  body: Omit<Parameters<typeof bare>[1], 'conditions' | 'grounds' | 'neighbours' | 'companions'>,
): Topic => bare(id, { names: ['mount'], ...body, conditions, grounds: sharedMounts, neighbours, companions })
