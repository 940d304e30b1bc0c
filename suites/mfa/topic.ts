import { topic as bare, type Topic } from '../../harness/vocabulary/index.ts'
import { hiding } from '../no-secret.ts'
import { sharedCaller } from './ground.ts'
import { identity, legacy } from './variant.ts'

/** Makes a topic in which no reply to a read of a method, or of a list of methods, may show a secret of the method. */
export const topic = (id: string, body: Omit<Parameters<typeof bare>[1], 'conditions' | 'grounds'>): Topic =>
  bare(id, {
    ...body,
    names: [...new Set([...(body.names ?? []), 'label'])],
    grounds: [sharedCaller(id.startsWith(legacy.area) ? legacy : identity)],
    conditions: hiding({
      requirement: `${id.split('/')[0]}.secret.unshown`,
      asked: /^(?:GET|LIST) (?:sys|identity)\/mfa\/method\/totp(?:\/[^/]+)?$/,
      form: /^[A-Z2-7]+=*$/,
      names: ['secret', 'otherSecret', 'first', 'second', 'kept', 'renewed', 'sample'],
      what: 'secret that was generated',
    }),
  })
