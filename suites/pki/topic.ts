import { topic as bare, type Topic } from '../../harness/vocabulary/index.ts'
import { neighbours, sharedMounts } from './ground.ts'
import { trusted } from './judge/relying-party.ts'

/** Makes a topic in which each certificate is also judged as a relying party would judge it, and checks share authorities.
 * Unless it says otherwise, each check has one mount. */
export const topic = (
  id: string,
  body: Omit<Parameters<typeof bare>[1], 'conditions' | 'grounds' | 'neighbours'>,
): Topic => bare(id, { names: ['mount'], ...body, conditions: trusted, grounds: sharedMounts, neighbours })
