import { topic as bare, type Topic } from '../../harness/vocabulary/index.ts'
import { allConditions, readsAsWritten } from '../frame.ts'
import { hiding } from '../no-secret.ts'
import { asAsked } from './as-asked.ts'
import { companions, frames, neighbours, readRows, sharedMounts } from './ground.ts'
import { comesTo } from './shown.ts'

const hidden = hiding({
  requirement: 'cloud.root.secret-key.nowhere',
  asked: /./,
  names: ['secretKey'],
  what: 'secret key of the root credentials',
})

/** A rotation gives the root another key. */
const reads = readsAsWritten(frames, readRows, (field, value) => (field === 'access_key' ? '' : comesTo(field, value)))
const conditions = allConditions(hidden, asAsked, reads)

/** Makes a topic in which no reply may show the secret key of the root credentials. Unless it says otherwise, each check
 * has one mount. */
export const topic = (
  id: string,
  body: Omit<Parameters<typeof bare>[1], 'conditions' | 'grounds' | 'neighbours' | 'companions'>,
): Topic => bare(id, { names: ['mount'], ...body, conditions, grounds: sharedMounts, neighbours, companions })
