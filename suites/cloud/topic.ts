import { topic as bare, type Topic } from '../../harness/vocabulary/index.ts'
import { hiding } from '../no-secret.ts'
import { neighbours, sharedMounts } from './ground.ts'

const conditions = hiding({
  requirement: 'cloud.root.secret-key.nowhere',
  asked: /./,
  names: ['secretKey'],
  what: 'secret key of the root credentials',
})

/** Makes a topic in which no reply may show the secret key of the root credentials. Unless it says otherwise, each check
 * has one mount. */
export const topic = (
  id: string,
  body: Omit<Parameters<typeof bare>[1], 'conditions' | 'grounds' | 'neighbours'>,
): Topic => bare(id, { names: ['mount'], ...body, conditions, grounds: sharedMounts, neighbours })
